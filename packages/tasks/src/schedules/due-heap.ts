/** Entries that wait for their time, the earliest first. Any of them can be removed. */
export interface DueHeap<T extends Due> {
  readonly first: T | undefined;
  /** It must not be in a heap. */
  add(item: T): void;
  /** Does nothing when it is not in this heap. */
  remove(item: T): void;
}

export interface Due {
  /** Must not change while it is in a heap. */
  dueMs: number;
  /** The heap's own: where it stands. -1 outside. */
  position: number;
}

/** A binary heap. */
export function createDueHeap<T extends Due>(): DueHeap<T> {
  const items: T[] = [];

  const place = (item: T, position: number): void => {
    items[position] = item;
    item.position = position;
  };

  /** Up while it is due before what stands above it. */
  const rise = (item: T, from: number): void => {
    let position = from;
    while (position > 0) {
      const parent = items[(position - 1) >> 1];
      if (parent === undefined || parent.dueMs <= item.dueMs) break;
      place(parent, position);
      position = (position - 1) >> 1;
    }
    place(item, position);
  };

  const sink = (item: T, from: number): void => {
    let position = from;
    for (;;) {
      const left = 2 * position + 1;
      const [a, b] = [items[left], items[left + 1]];
      if (a === undefined) break;
      const child = b !== undefined && b.dueMs < a.dueMs ? b : a;
      if (child.dueMs >= item.dueMs) break;
      const to = child === a ? left : left + 1;
      place(child, position);
      position = to;
    }
    place(item, position);
  };

  return {
    get first() {
      return items[0];
    },
    add: (item) => rise(item, items.length),
    remove(item) {
      const { position } = item;
      if (items[position] !== item) return;
      const last = items.pop();
      item.position = -1;
      if (last === undefined || last === item) return;
      rise(last, position);
      sink(last, last.position);
    },
  };
}
