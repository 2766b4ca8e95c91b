/** Text put together from pieces that may repeat, overlap and arrive in any order. */
export interface TextAssembly {
  /** Idempotent; order does not matter as long as the pieces agree where they overlap. */
  add(offset: number, piece: string): void;
  /** The text from the beginning up to the first gap. */
  text(): string;
}

/** Pieces held beyond a gap; more are dropped, farthest first, and a later repeat brings them back. */
const MAX_HELD_PIECES = 10_000;

export function createTextAssembly(): TextAssembly {
  let known = "";
  /** Beyond a gap, by offset. */
  const held: { readonly offset: number; readonly piece: string }[] = [];

  const join = (offset: number, piece: string): void => {
    known += piece.slice(known.length - offset);
  };

  const hold = (offset: number, piece: string): void => {
    const at = held.findLastIndex((other) => other.offset <= offset) + 1;
    held.splice(at, 0, { offset, piece });
    if (held.length > MAX_HELD_PIECES) held.pop();
  };

  return {
    add(offset, piece) {
      if (offset > known.length) {
        hold(offset, piece);
        return;
      }
      join(offset, piece);
      for (let next = held[0]; next !== undefined && next.offset <= known.length; next = held[0]) {
        join(next.offset, next.piece);
        held.shift();
      }
    },
    text: () => known,
  };
}
