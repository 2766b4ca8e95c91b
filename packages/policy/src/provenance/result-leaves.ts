/** A value in a result, with the record that contains it. */
export interface ResultLeaf extends ResultField {
  /** Absent for a value that stands alone. */
  readonly record?: ResultRecord;
}

export interface ResultField {
  readonly value: string | number;
  /** The key it stands under; empty where there is none. */
  readonly name: string;
  /** True if the source guarantees the whole value. */
  readonly isVouched: boolean;
}

/** An object's own values, without those that all its neighbours share: what tells it from them. */
export interface ResultRecord {
  readonly fields: readonly ResultField[];
  /** The key that it stands under; empty for the result itself, and in a list that is the result. */
  readonly name: string;
  /** True if it is what the call was about, or an element of a list of such; false for what is inside of one. */
  readonly isTop: boolean;
}

type Vouches = (path: readonly string[]) => boolean;

/** Where in a result values stand; the elements of a list all stand at one place. */
interface Place {
  readonly path: readonly string[];
  readonly name: string;
  readonly isVouched: boolean;
  readonly within: Map<string, Place>;
}

/** What is yet to be looked at of one list or object. */
interface Rest {
  readonly members: Iterator<readonly [key: string | undefined, value: unknown]>;
  readonly place: Place;
  readonly record: ResultRecord | undefined;
  readonly shared: ReadonlySet<string>;
}

/** No pattern is longer, so values at a deeper level cannot be distinguished. */
const LONGEST_PATH = 100;
const NOTHING_SHARED: ReadonlySet<string> = new Set();

/**
 * Every string and number of a JSON value in its order; keys of objects are given to `onKey`. Takes time linear
 * in the value, and does not recurse, however deeply it nests. `asked`: names that the call gave, which as keys say what
 * stands under them: `{ "Hotel Aurora": "12 Wharf Road" }`.
 */
export function* resultLeaves(
  value: unknown,
  vouches: Vouches,
  onKey: (key: string) => void,
  asked: Pick<ReadonlySet<string>, "has"> = NOTHING_SHARED,
): Generator<ResultLeaf> {
  const root: Place = { path: [], name: "", isVouched: vouches([]), within: new Map() };
  const open: Rest[] = [
    {
      members: [[undefined, value] as const].values(),
      place: root,
      record: undefined,
      shared: NOTHING_SHARED,
    },
  ];
  let isRoot = true;
  for (let rest = open.at(-1); rest !== undefined; rest = open.at(-1)) {
    const next = rest.members.next();
    if (next.done === true) {
      open.pop();
      continue;
    }
    const [key, member] = next.value;
    if (key !== undefined) onKey(key);
    const place = isRoot ? root : placeWithin(rest.place, key ?? "*", vouches);
    isRoot = false;
    if (typeof member === "string" || typeof member === "number") {
      const isNamed = key !== undefined && asked.has(key);
      const field = {
        value: member,
        name: isNamed ? rest.place.name : place.name,
        isVouched: place.isVouched,
      };
      const record = isNamed ? namedRecord(key, field, rest.place) : rest.record;
      yield record === undefined ? field : { ...field, record };
    } else if (Array.isArray(member)) {
      const { record } = rest;
      open.push({ members: elementsOf(member), place, record, shared: sharedFields(member) });
    } else if (typeof member === "object" && member !== null) {
      const entries = Object.entries(member);
      const record = recordOf(entries, place, vouches, rest.shared);
      open.push({ members: entries.values(), place, record, shared: NOTHING_SHARED });
    }
  }
}

function* elementsOf(elements: readonly unknown[]): Generator<readonly [undefined, unknown]> {
  for (const element of elements) yield [undefined, element];
}

function placeWithin(around: Place, segment: string, vouches: Vouches): Place {
  const known = around.within.get(segment);
  if (known !== undefined) return known;
  const path = around.path.length < LONGEST_PATH ? [...around.path, segment] : around.path;
  const name = segment === "*" ? around.name : segment;
  const place = { path, name, isVouched: vouches(path), within: new Map() };
  around.within.set(segment, place);
  return place;
}

function recordOf(
  entries: readonly (readonly [string, unknown])[],
  place: Place,
  vouches: Vouches,
  shared: ReadonlySet<string>,
): ResultRecord {
  const fields: ResultField[] = [];
  for (const [name, value] of entries) {
    if ((typeof value !== "string" && typeof value !== "number") || shared.has(name)) continue;
    fields.push({ value, name, isVouched: placeWithin(place, name, vouches).isVouched });
  }
  return { fields, name: place.name, isTop: place.path.filter((segment) => segment !== "*").length < 2 };
}

function namedRecord(key: string, field: ResultField, around: Place): ResultRecord {
  const name = { value: key, name: "name", isVouched: field.isVouched };
  return { fields: [name, field], name: around.name, isTop: around.path.length < 2 };
}

/** The fields that have the same value in every one of several objects. */
function sharedFields(elements: readonly unknown[]): ReadonlySet<string> {
  const [first] = elements;
  if (elements.length < 2 || typeof first !== "object" || first === null) return NOTHING_SHARED;
  const isShared = ([key, value]: [string, unknown]): boolean =>
    elements.every(
      (other) => typeof other === "object" && other !== null && Reflect.get(other, key) === value,
    );
  return new Set(
    Object.entries(first)
      .filter(isShared)
      .map(([key]) => key),
  );
}
