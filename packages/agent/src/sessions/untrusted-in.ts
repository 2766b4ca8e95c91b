import type { CanonicalEvent } from "@deputy/protocol";
import { othersIn } from "../history/describe-cell.ts";

/** Whose text a session has read with an event, and is not trusted; what the assistant says later may repeat it. */
export function untrustedIn(event: CanonicalEvent): readonly string[] {
  if (event.type === "session.imported") return ["an imported file"];
  const labels =
    event.type === "call.settled" || event.type === "session.compacted" ? (event.data.labels ?? []) : [];
  return [
    ...labels.filter(({ trust }) => trust === "untrusted").map(({ source }) => source),
    ...othersIn(event).flatMap(({ by }) => (by.kind === "other" && by.weight === "text" ? [by.source] : [])),
  ];
}
