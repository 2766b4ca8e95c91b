import type { CallId, TurnId } from "@deputy/kit";
import type { Sha256, StreamId } from "@deputy/protocol";
import type { Catalogue } from "@deputy/tools";
import type { PutQuestion } from "../approvals/approval-question.ts";
import type { CallCounter } from "../budget/call-counter.ts";
import { plusCalls } from "../budget/call-tally.ts";
import type { GrantsView } from "../grants/grants-view.ts";
import { findHolding } from "../grants/holding-grants.ts";
import { type JudgeCall, readTerms } from "../gate/judge-call.ts";
import { inputHashOf, readInput } from "../gate/read-input.ts";
import { noTool } from "../gate/receipt.ts";
import type { Foresee } from "./foresight.ts";

/** What the gate would decide about calls of a turn now. Rejects as the log does. */
export async function foreseeCalls(
  deps: {
    readonly catalogue: Catalogue;
    readonly grants: GrantsView;
    readonly counter?: CallCounter | undefined;
    readonly sha256: Sha256;
    readonly judge: JudgeCall;
    readonly putQuestion: PutQuestion;
  },
  place: { readonly stream: StreamId; readonly turnId: TurnId },
): Promise<Foresee> {
  const grants = await deps.grants.of(place.stream);
  const counts = (await deps.counter?.of(place))?.current();
  return async ({ toolPath, inputJson, programHash, granted, called, ...seen }) => {
    const tool = deps.catalogue.get(toolPath);
    const input = await readInput(tool, inputJson);
    if (tool === undefined) return { kind: "refused", code: "unknown_tool", message: noTool(toolPath) };
    if (input.kind === "invalid")
      return { kind: "refused", code: input.code ?? "invalid_input", message: input.message };
    const inputHash = inputHashOf(deps.sha256, input);
    const hoped = [...grants, { bindings: granted }];
    const holding = await findHolding(deps.sha256, hoped, { tool, input, inputHash, session: place.stream });
    const standing = { grants: holding.of(hoped), counts: counts && plusCalls(counts, called) };
    const terms = await readTerms({ tool, input, session: place.stream }, seen);
    const decision = deps.judge({ tool, input, inputHash }, terms, seen, standing);
    if (decision.decision === "deny")
      return { kind: "refused", code: "denied", message: decision.reasons.join(" ") };
    if (decision.decision === "allow") return { kind: "allowed", tool, inputHash };
    const put = (callId: CallId) =>
      deps.putQuestion(
        {
          callId,
          programHash,
          toolPath,
          session: place.stream,
          tool,
          input,
          inputHash,
          origins: seen.origins,
        },
        decision,
      );
    return { kind: "asks", tool, inputHash, put };
  };
}
