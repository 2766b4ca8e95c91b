import type { Row } from "./transcript-rows.ts";

/**
 * What is said while the model writes is in the log before the answer that it writes, which knows nothing of it. It
 * stands below that answer: where it was said, and where the model reads it.
 */
export function afterAnswer(rows: readonly Row[], throughSeq: number): Row[] | undefined {
  const from = tailOf(rows, ({ seq = Infinity }) => seq > throughSeq);
  const tail = rows.slice(from);
  const late = tail.filter(isSaid);
  // They stand last already, or there are none.
  if (tail.slice(tail.length - late.length).every(isSaid)) return undefined;
  return [...rows.slice(0, from), ...tail.filter((row) => !isSaid(row)), ...late];
}

/** Where an answer that is being written stands: above what was said after it was asked for. Ids sort by when they were made. */
export function placeOfAnswer(
  rows: readonly Row[],
  itemId: string,
  idOf: (row: Row) => string | undefined,
): number {
  const made = itemId.slice(itemId.indexOf("_"));
  return tailOf(rows, (row) => {
    const id = isSaid(row) ? idOf(row) : undefined;
    return id !== undefined && id.slice(id.indexOf("_")) > made;
  });
}

const isSaid = ({ kind }: Row): boolean =>
  kind === "said" || kind === "quoted" || kind === "note" || kind === "recalled";

/** Where the rows at the end begin for which that holds. */
function tailOf(rows: readonly Row[], holds: (row: Row) => boolean): number {
  return rows.findLastIndex((row) => !holds(row)) + 1;
}
