/** Whole numbers of 32 bits, as many as come, in four bytes each. */
export interface NumberList {
  readonly length: number;
  push(value: number): void;
  set(at: number, value: number): void;
  /** The value at an index that is in the list. */
  at(at: number): number;
}

const FIRST_ROOM = 64;

export function createNumberList(): NumberList {
  let values = new Int32Array(FIRST_ROOM);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(value) {
      if (length === values.length) {
        const larger = new Int32Array(values.length * 2);
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
    set(at, value) {
      values[at] = value;
    },
    at: (at) => values[at] ?? -1,
  };
}
