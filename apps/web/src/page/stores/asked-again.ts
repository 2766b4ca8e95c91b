import type { Attachment, Row } from "./transcript-rows.ts";

/** The turn failed or was stopped, and what is said now is what was said before it, word for word. */
export function isAskedAgain(
  rows: readonly Row[],
  text: string,
  attachments: readonly Attachment[],
): boolean {
  if (rows.at(-1)?.kind !== "end") return false;
  const before = rows.findLast(({ kind }) => kind === "said");
  return (
    before?.kind === "said" &&
    before.text === text &&
    before.attachments.map(({ blobId }) => blobId).join() === attachments.map(({ blobId }) => blobId).join()
  );
}
