/**
 * Which of a conversation's rows are drawn: those around the reader, and no more than a browser lays out in a moment.
 * The others stay in the store.
 */
export interface DrawnRows {
  /** The rows to draw. If there are too many, those go that are furthest from the row with that key. */
  of<T extends { readonly key: string }>(rows: readonly T[], near: string | undefined): readonly T[];
  /** Draws more above; false if all that is there is drawn. */
  goUp(rows: readonly { readonly key: string }[]): boolean;
  goDown(rows: readonly { readonly key: string }[]): boolean;
  /** Draws what is around that row. */
  goTo(rows: readonly { readonly key: string }[], key: string): void;
  goToEnd(rows: readonly { readonly key: string }[]): void;
  /** The newest row is among them. */
  hasEnd(): boolean;
}

const MOST_ROWS = 120;
const ROWS_AT_ONCE = 40;

export function createDrawnRows(): DrawnRows {
  /** Undefined: as far as there are rows. */
  let first: string | undefined;
  let last: string | undefined;

  const range = (
    rows: readonly { readonly key: string }[],
  ): { readonly from: number; readonly to: number } => {
    const from = rows.findIndex(({ key }) => key === first);
    const to = rows.findLastIndex(({ key }) => key === last) + 1;
    // The store may have forgotten them.
    if (from < 0) first = undefined;
    if (to <= Math.max(0, from)) last = undefined;
    return { from: Math.max(0, from), to: last === undefined ? rows.length : to };
  };
  const set = (rows: readonly { readonly key: string }[], from: number, to: number): void => {
    first = from <= 0 ? undefined : rows[from]?.key;
    last = to >= rows.length ? undefined : rows[to - 1]?.key;
  };

  return {
    of(rows, near) {
      let { from, to } = range(rows);
      const excess = to - from - MOST_ROWS;
      if (excess > 0) {
        const found = near === undefined ? -1 : rows.findIndex(({ key }) => key === near);
        const at = found < 0 ? to : found;
        const above = Math.min(excess, Math.max(0, at - from - ROWS_AT_ONCE));
        if (at - from > to - at) from += above;
        to = Math.min(to, from + MOST_ROWS);
        set(rows, from, to);
      }
      return rows.slice(from, to);
    },
    goUp(rows) {
      const { from, to } = range(rows);
      if (from === 0) return false;
      set(rows, from - ROWS_AT_ONCE, to);
      return true;
    },
    goDown(rows) {
      const { from, to } = range(rows);
      if (to === rows.length) return false;
      set(rows, from, to + ROWS_AT_ONCE);
      return true;
    },
    goTo(rows, key) {
      const at = rows.findIndex((row) => row.key === key);
      const { from, to } = range(rows);
      if (at < 0 || (at >= from && at < to && to - from <= MOST_ROWS)) return;
      set(rows, at - ROWS_AT_ONCE, at + ROWS_AT_ONCE);
    },
    goToEnd(rows) {
      if (last !== undefined) set(rows, rows.length - ROWS_AT_ONCE, rows.length);
    },
    hasEnd: () => last === undefined,
  };
}
