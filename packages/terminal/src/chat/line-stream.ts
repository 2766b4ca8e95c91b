/** Text that comes in pieces, given on in whole lines as soon as they are whole. */
export interface LineStream {
  /** A piece of an item; a repeat or one beyond a gap is harmless. */
  piece(piece: { readonly itemId: string; readonly offset: number; readonly text: string }): void;
  /** The item is complete: what of it was not given on follows. */
  whole(item: { readonly itemId: string; readonly text: string }): void;
}

export function createLineStream(give: (line: string) => void): LineStream {
  let itemId: string | undefined;
  let known = "";
  let given = 0;

  const begin = (id: string): void => {
    if (id === itemId) return;
    itemId = id;
    known = "";
    given = 0;
  };
  const giveLines = (): void => {
    for (let end = known.indexOf("\n", given); end !== -1; end = known.indexOf("\n", given)) {
      give(known.slice(given, end));
      given = end + 1;
    }
  };
  return {
    piece({ itemId: id, offset, text }) {
      begin(id);
      if (offset > known.length) return;
      const joined = known.slice(0, offset) + text;
      if (joined.length > known.length) known = joined;
      giveLines();
    },
    whole({ itemId: id, text }) {
      begin(id);
      known = text;
      giveLines();
      if (given < text.length) give(text.slice(given));
      itemId = undefined;
    },
  };
}
