/** What a program would change if it reached the host: the global object and the built-ins. */
const WATCHED: readonly (readonly [name: string, object: object])[] = [
  ["globalThis", globalThis],
  ...[
    Object,
    Function,
    Array,
    String,
    Number,
    Promise,
    Map,
    Set,
    WeakMap,
    RegExp,
    Error,
    Symbol,
    Date,
  ].flatMap((built): (readonly [string, object])[] => [
    [built.name, built],
    [`${built.name}.prototype`, built.prototype as object],
  ]),
  ["JSON", JSON],
  ["Reflect", Reflect],
  ["Math", Math],
  ["Iterator.prototype", Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object],
  ["ArrayIterator.prototype", Object.getPrototypeOf([].values()) as object],
];

/** Remembers the host's current objects; the returned function says what has changed since. */
export function rememberHostObjects(): () => readonly string[] {
  const before = WATCHED.map(([, object]) => describe(object));
  return () =>
    WATCHED.flatMap(([name, object], index) => {
      const [was, is] = [before[index] ?? new Map(), describe(object)];
      const keys = new Set([...was.keys(), ...is.keys()]);
      return [...keys]
        .filter((key) => !isSame(was.get(key), is.get(key)))
        .map((key) => `the host's ${name} has another ${String(key)}`);
    });
}

type Own = ReadonlyMap<PropertyKey, PropertyDescriptor | undefined>;

function describe(object: object): Own {
  return new Map(
    Reflect.ownKeys(object)
      // Parts of a platform that are loaded late leave symbols on its global object.
      .filter((key) => object !== globalThis || typeof key === "string")
      .map((key) => [key, Reflect.getOwnPropertyDescriptor(object, key)] as const),
  );
}

function isSame(was: PropertyDescriptor | undefined, is: PropertyDescriptor | undefined): boolean {
  if (was === undefined || is === undefined) return was === is;
  return Object.is(was.value, is.value) && was.get === is.get && was.set === is.set;
}
