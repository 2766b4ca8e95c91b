import { type CallId, parseId } from "@deputy/kit";
import { AppError } from "../app-error.ts";

/** `1,3-5`, or ids, of the calls that a plan lists, in its order. Throws `usage`. */
export function chooseCalls(text: string, listed: readonly CallId[]): readonly CallId[] {
  const chosen = new Set(text.split(",").flatMap((part) => callsIn(part.trim(), listed)));
  return listed.filter((callId) => chosen.has(callId));
}

function callsIn(part: string, listed: readonly CallId[]): readonly CallId[] {
  const named = parseId("call", part);
  if (named !== undefined && listed.includes(named)) return [named];
  const [, first, last = first] = /^(\d{1,6})(?:\s*-\s*(\d{1,6}))?$/.exec(part) ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (from >= 1 && to >= from && to <= listed.length) return listed.slice(from - 1, to);
  throw new AppError("usage", `“${part}” names no call of this plan`, {
    hint: `It lists ${listed.length}: give numbers such as 1,3-5, or ids of its calls.`,
  });
}
