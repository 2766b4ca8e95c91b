import { finishCallInput } from "../wire/call-input.ts";
import { WireFailure } from "../wire/failure.ts";
import type { FinishedCall } from "../wire/stream-answer.ts";

/** Calls as they are passed on. `cut`: the answer was cut off, so that the last may be unfinished. */
export function finishCalls(
  calls: readonly { readonly ids: Iterable<string>; readonly name: string; readonly json: string }[],
  giveId: (wanted: string | undefined) => string,
  end: "whole" | "cut",
): readonly FinishedCall[] {
  return calls.flatMap(({ ids, name, json }, at) => {
    const isCut = end === "cut" && at === calls.length - 1;
    const inputJson = finishCallInput(json, isCut ? "cut" : "whole");
    if (inputJson === undefined || (name === "" && isCut)) return [];
    if (name === "") throw new WireFailure("garbage", "a call without a name");
    const [wanted] = ids;
    return [{ id: giveId(wanted), name, inputJson }];
  });
}
