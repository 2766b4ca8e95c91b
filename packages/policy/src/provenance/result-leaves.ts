/** A value in a result, with the record that it stands in. */
export interface ResultLeaf extends ResultField {
  /** Absent for a value that stands alone. */
  readonly record?: ResultRecord;
}

export interface ResultField {
  readonly value: string | number;
  /** The key it stands under; empty where there is none. */
  readonly name: string;
  /** Whether the source vouches for it as a whole. */
  readonly isVouched: boolean;
}

/** An object's own values, without those that all its neighbours share: what tells it from them. */
export interface ResultRecord {
  readonly fields: readonly ResultField[];
}

type Vouches = (path: readonly string[]) => boolean;

/** Every string and number of a JSON value; keys of objects are given to `onKey`. */
export function* resultLeaves(
  value: unknown,
  vouches: Vouches,
  onKey: (key: string) => void,
  path: readonly string[] = [],
  around: { readonly record?: ResultRecord; readonly shared?: ReadonlySet<string> } = {},
): Generator<ResultLeaf> {
  const { record, shared = new Set() } = around;
  if (typeof value === "string" || typeof value === "number") {
    const name = path.findLast((segment) => segment !== "*") ?? "";
    const field = { value, name, isVouched: vouches(path) };
    yield record === undefined ? field : { ...field, record };
  } else if (Array.isArray(value)) {
    const inner = { ...around, shared: sharedFields(value) };
    for (const element of value) yield* resultLeaves(element, vouches, onKey, [...path, "*"], inner);
  } else if (typeof value === "object" && value !== null) {
    const own = { record: recordOf(value, vouches, path, shared) };
    for (const [key, member] of Object.entries(value)) {
      onKey(key);
      yield* resultLeaves(member, vouches, onKey, [...path, key], own);
    }
  }
}

function recordOf(
  value: object,
  vouches: Vouches,
  path: readonly string[],
  shared: ReadonlySet<string>,
): ResultRecord {
  const fields = Object.entries(value).flatMap(([key, member]: [string, unknown]) =>
    (typeof member === "string" || typeof member === "number") && !shared.has(key)
      ? [{ value: member, name: key, isVouched: vouches([...path, key]) }]
      : [],
  );
  return { fields };
}

/** The fields that have the same value in every one of several objects. */
function sharedFields(elements: readonly unknown[]): ReadonlySet<string> {
  const [first, ...rest] = elements;
  if (rest.length === 0 || typeof first !== "object" || first === null) return new Set();
  const isShared = ([key, value]: [string, unknown]): boolean =>
    rest.every((other) => typeof other === "object" && other !== null && Reflect.get(other, key) === value);
  return new Set(
    Object.entries(first)
      .filter(isShared)
      .map(([key]) => key),
  );
}
