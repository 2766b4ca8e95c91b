import type { Row } from "./transcript-rows.ts";

/** Rows in order, each found by its key. */
export interface RowList {
  all(): readonly Row[];
  get(key: string | undefined): Row | undefined;
  has(key: string): boolean;
  /** In the place of the one with its key, or at the end. */
  put(row: Row): void;
  remove(key: string): void;
  /** These from now on, in this order. */
  become(ordered: readonly Row[]): void;
}

export function createRowList(): RowList {
  let rows: Row[] = [];
  let places = new Map<string, number>();
  const list: RowList = {
    all: () => rows,
    get(key) {
      const at = key === undefined ? undefined : places.get(key);
      return at === undefined ? undefined : rows[at];
    },
    has: (key) => places.has(key),
    put(row) {
      const at = places.get(row.key);
      if (at === undefined) {
        places.set(row.key, rows.length);
        rows.push(row);
      } else rows[at] = row;
    },
    remove(key) {
      const at = places.get(key);
      if (at !== undefined) list.become(rows.toSpliced(at, 1));
    },
    become(ordered) {
      rows = [...ordered];
      places = new Map(rows.map((row, at) => [row.key, at]));
    },
  };
  return list;
}
