import { createSlices } from "@deputy/kit";

/** A place in a log that moves forward one page at a time. Every page is verified before it is handed out. */
export interface Cursor<T> {
  /** The next items, at most `limit`; none at the head. Throws `log_damaged` or `log_closed`. */
  page(limit: number): readonly T[];
}

/** How many items are read, and held in memory, at a time. */
export const PAGE_ITEMS = 256;

/**
 * Everything up to the head at the time of each page, at most `limit` items. Whoever reads much, and works on it,
 * lets others run in between.
 */
export async function* readToHead<T>(cursor: Cursor<T>, limit = Infinity): AsyncGenerator<T> {
  const slices = createSlices();
  for (let left = limit; left > 0;) {
    const page = cursor.page(Math.min(left, PAGE_ITEMS));
    if (page.length === 0) return;
    yield* page;
    left -= page.length;
    if (page.length === PAGE_ITEMS || slices.isOver()) await slices.next();
  }
}

/** The same cursor, handing out something else for each item. */
export function mapCursor<T, U>(cursor: Cursor<T>, map: (item: T) => U): Cursor<U> {
  return { page: (limit) => cursor.page(limit).map(map) };
}
