/** What stands where something else should. */
const STRANGE: readonly unknown[] = [
  null,
  undefined,
  true,
  0,
  -1,
  1.5,
  1e308,
  "",
  " ",
  "a/../b c",
  "\u0000\u202e",
  "x".repeat(20_000),
  [],
  [null],
  {},
  { __proto__: null, constructor: 1 },
  [[[[[[[[]]]]]]]],
];

/** For each number a change of a payload: something in it becomes something strange, or the whole of it does. */
export function changesOf(numbers: readonly number[]): readonly ((payload: object) => object)[] {
  return numbers.map((number) => (payload) => {
    const copy = structuredClone(payload);
    const spots = spotsIn(copy);
    const spot = spots[number % spots.length];
    const strange = STRANGE[Math.floor(number / spots.length) % STRANGE.length];
    if (spot !== undefined) Object.assign(spot.holder, { [spot.key]: strange });
    return copy;
  });
}

interface Spot {
  readonly holder: object;
  readonly key: string;
}

function spotsIn(holder: object): readonly Spot[] {
  return Object.entries(holder).flatMap(([key, value]): readonly Spot[] => {
    const inside = typeof value === "object" && value !== null ? spotsIn(value as object) : [];
    return [{ holder, key }].concat(inside);
  });
}
