import { splitWords } from "../../inference/split-words.ts";
import { isIdName, isKindWord, singularOf } from "./kind.ts";

/** Names of fields and arguments that say of what kind the id beside them is: `{ entity: "notice", key: 7 }`. */
const SELECTORS: ReadonlySet<string> = new Set(
  (
    "entity entity_type object object_type resource resource_type record_type item_type subject_type " +
    "table collection model"
  ).split(" "),
);
/** They say many other things as well: what is `premium` is no kind of thing. */
const VAGUE_SELECTORS: ReadonlySet<string> = new Set(["type", "kind"]);
const KIND = /^\p{L}[\p{L}_-]{2,29}$/u;

interface Named {
  readonly name: string;
  readonly value: string | number | boolean;
}

/** The word with which one of these says what their id is an id of; undefined if none does. */
export function kindSaidBy(fields: Iterable<Named>, prefix = ""): string | undefined {
  for (const { name, value } of fields) {
    const kind = typeof value === "string" && isSelector(name, value, prefix) ? value : undefined;
    if (kind !== undefined) return singularOf(splitWords(kind).at(-1) ?? kind);
  }
  return undefined;
}

/** What stands before "id" in a name that says nothing but that: the "to" of `to_key`; undefined of other names. */
export function idPrefix(name: string): string | undefined {
  const words = splitWords(name);
  const at = words.findIndex((word) => isIdName(word));
  const prefix = words.slice(0, at);
  const isPlain = at !== -1 && at === words.length - 1 && prefix.every((word) => PREFIXES.has(word));
  return isPlain ? prefix.join("_") : undefined;
}

const PREFIXES: ReadonlySet<string> = new Set(
  "to from into source target parent object entity resource record item subject new old".split(" "),
);

/** True of what says of which kind the id with this prefix is. */
export function isSelector(name: string, value: string, prefix: string): boolean {
  if (!KIND.test(value)) return false;
  const all = splitWords(name).join("_");
  const isOfPrefix = all.startsWith(`${prefix}_`);
  if (prefix !== "" && all !== prefix && !isOfPrefix) return false;
  const own = isOfPrefix ? all.slice(prefix.length + 1) : all;
  return SELECTORS.has(own) || (VAGUE_SELECTORS.has(own) && (prefix !== "" || isKindWord(value)));
}
