import type { JsonSchema } from "@deputy/codemode";
import type { Random } from "./random.ts";
import { type Place, placesOf, replaceAt } from "./schema-places.ts";
import type { SchemaOracle } from "./schema-oracle.ts";

/** Mistakes that types are there to find. */
export const visibleKinds = [
  "wrong type",
  "missing required",
  "misspelt key",
  "extra key",
  "wrong enum value",
  "wrong nesting",
] as const;
/** Mistakes against the schema that no TypeScript type can show. */
export const invisibleKinds = ["fraction for a whole number", "beyond a bound"] as const;
export type MutationKind = (typeof visibleKinds)[number] | (typeof invisibleKinds)[number];

/** Tries before a call is said to offer no mistake of a kind. */
const MAX_TRIES = 12;

/** The arguments with one mistake of this kind, certainly against the schema; undefined when there is none to make. */
export function mutateCall(
  kind: MutationKind,
  schema: JsonSchema,
  args: unknown,
  random: Random,
  oracle: SchemaOracle,
): { readonly args: unknown } | undefined {
  const places = placesOf(schema, args);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const mutated = MUTATIONS[kind](places, args, random);
    if (mutated !== undefined && oracle.errors(schema, mutated.args).length > 0) return mutated;
  }
  return undefined;
}

type Mutate = (
  places: readonly Place[],
  args: unknown,
  random: Random,
) => { readonly args: unknown } | undefined;

const SAMPLES: readonly unknown[] = ["text", 7, true, null, ["text"], { key: "text" }];
const EXTRA_KEYS = ["note", "force", "dry_run", "options", "userId", "verbose"] as const;

const MUTATIONS: Readonly<Record<MutationKind, Mutate>> = {
  "wrong type"(places, args, random) {
    const place = random.pick(places.slice(1));
    if (place === undefined) return undefined;
    const others = SAMPLES.filter((sample) => typeName(sample) !== typeName(place.value));
    return { args: replaceAt(args, place.path, random.pick(others)) };
  },
  "missing required"(places, args, random) {
    const place = random.pick(objects(places));
    const required = Array.isArray(place?.schema["required"]) ? place.schema["required"] : [];
    const name = random.pick(required.filter((one) => one in (place?.value ?? {})));
    return place === undefined || typeof name !== "string"
      ? undefined
      : renameKey(args, place, name, undefined);
  },
  "misspelt key"(places, args, random) {
    const place = random.pick(objects(places));
    const name = random.pick(Object.keys(place?.value ?? {}));
    if (place === undefined || name === undefined) return undefined;
    return renameKey(args, place, name, misspell(name, random));
  },
  "extra key"(places, args, random) {
    const place = random.pick(objects(places));
    const name = random.pick(EXTRA_KEYS) ?? "note";
    if (place === undefined || name in place.value) return undefined;
    return { args: replaceAt(args, place.path, { ...place.value, [name]: random.pick(SAMPLES) }) };
  },
  "wrong enum value"(places, args, random) {
    const place = random.pick(places.filter(({ schema }) => Array.isArray(schema["enum"])));
    if (place === undefined) return undefined;
    const text = String(place.value);
    return {
      args: replaceAt(args, place.path, random.pick([`${text}s`, text.toUpperCase(), "other", `${text} `])),
    };
  },
  "wrong nesting"(places, args, random) {
    const place = random.pick(places);
    return place === undefined
      ? undefined
      : { args: replaceAt(args, place.path, renest(place.value, random)) };
  },
  "fraction for a whole number"(places, args, random) {
    const place = random.pick(places.filter(({ schema }) => schema["type"] === "integer"));
    return place === undefined ? undefined : { args: replaceAt(args, place.path, Number(place.value) + 0.5) };
  },
  "beyond a bound"(places, args, random) {
    const place = random.pick(places.filter(({ schema }) => typeof schema["maximum"] === "number"));
    return place === undefined
      ? undefined
      : { args: replaceAt(args, place.path, Number(place.schema["maximum"]) + 1) };
  },
};

type ObjectPlace = Place & { readonly value: Readonly<Record<string, unknown>> };

function objects(places: readonly Place[]): readonly ObjectPlace[] {
  return places.filter((place): place is ObjectPlace => typeName(place.value) === "object");
}

function renameKey(
  args: unknown,
  place: ObjectPlace,
  name: string,
  to: string | undefined,
): { readonly args: unknown } | undefined {
  if (to !== undefined && to in place.value) return undefined;
  const { [name]: value, ...rest } = place.value;
  return { args: replaceAt(args, place.path, to === undefined ? rest : { ...rest, [to]: value }) };
}

function misspell(name: string, random: Random): string {
  const at = random.below(name.length);
  const camel = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const wrong = [
    name.slice(0, at) + name.slice(at + 1),
    name.slice(0, at + 1) + name.slice(at),
    camel === name ? `${name}s` : camel,
  ];
  return random.pick(wrong.filter((one) => one !== "")) ?? `${name}s`;
}

/** The value one level too deep, or too shallow. */
function renest(value: unknown, random: Random): unknown {
  const deeper = random.pick([[value], { value }, { input: value }]);
  if (random.below(2) === 0) return deeper;
  if (Array.isArray(value)) return value[0] ?? deeper;
  if (typeof value === "object" && value !== null) return Object.values(value)[0] ?? deeper;
  return deeper;
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
