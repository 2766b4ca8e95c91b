import type { Attachment, Row, SaidRow } from "./transcript-rows.ts";

/** What is to be said again, from before the event `seq`. */
export interface SaidInTurn {
  readonly seq: number;
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/**
 * A message with those of its turn that stand before it. A copy of a conversation has whole turns, so what was said in
 * the midst of one is said again together with what it was said into. Undefined while it is not in the log.
 */
export function saidInTurn(rows: readonly Row[], last: SaidRow): SaidInTurn | undefined {
  const said = rows
    .slice(
      0,
      rows.findIndex(({ key }) => key === last.key),
    )
    .filter((row) => row.kind === "said")
    .filter(({ turnId }) => turnId !== undefined && turnId === last.turnId);
  const all = [...said, last];
  const seq = all[0]?.seq;
  if (seq === undefined) return undefined;
  return {
    seq,
    text: all.map(({ text }) => text).join("\n\n"),
    attachments: all.flatMap(({ attachments }) => attachments),
  };
}
