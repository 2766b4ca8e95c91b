/** What a tool's JSON Schema says about its input, as far as origins are concerned. Never throws. */
export interface DeclaredInput {
  /** True if this name is anywhere in the tool's schema, and so comes from its author. */
  isDeclared(key: string): boolean;
  /** True of a value that the schema offers, anywhere: one of a closed list, or a default. */
  isOffered(value: string | number | boolean): boolean;
  /** True if a top-level argument has its default value. */
  isDefault(argument: string, value: string | number | boolean): boolean;
  /** True if a top-level argument may not be left out. */
  isRequired(argument: string): boolean;
  /** True if the author says that an argument of this name decides nothing: `critical: false`. */
  isUncritical(name: string): boolean;
  /** What the author says that an argument of this name stands for: `kind: "drive.file"`. */
  kindOf(name: string): string | undefined;
}

export function readDeclaredInput(schema: unknown): DeclaredInput {
  let names: Map<string, string | undefined> | undefined;
  const declared = (): Map<string, string | undefined> => (names ??= collectNames(schema, new Map()));
  let offers: Set<unknown> | undefined;
  let uncritical: Set<string> | undefined;
  return {
    isOffered: (value) => (offers ??= collectOffers(schema, new Set())).has(value),
    isDeclared: (key) => declared().has(key),
    kindOf: (name) => declared().get(name),
    isUncritical: (name) => (uncritical ??= collectUncritical(schema, new Set())).has(name),
    isRequired(argument) {
      const required = field(schema, "required");
      return Array.isArray(required) && required.includes(argument);
    },
    isDefault: (argument, value) => field(field(field(schema, "properties"), argument), "default") === value,
  };
}

function collectNames(
  schema: unknown,
  names: Map<string, string | undefined>,
): Map<string, string | undefined> {
  if (typeof schema !== "object" || schema === null) return names;
  for (const [keyword, part] of Object.entries(schema)) {
    if (keyword === "properties" && typeof part === "object" && part !== null)
      for (const [name, property] of Object.entries(part)) {
        const kind = kindIn(property) ?? names.get(name);
        // One name for two kinds says neither.
        const isOther = names.get(name) !== undefined && names.get(name) !== kind;
        names.set(name, isOther ? undefined : kind);
      }
    collectNames(part, names);
  }
  return names;
}

function collectUncritical(schema: unknown, names: Set<string>): Set<string> {
  if (typeof schema !== "object" || schema === null) return names;
  for (const [keyword, part] of Object.entries(schema)) {
    if (keyword === "properties" && typeof part === "object" && part !== null)
      for (const [name, property] of Object.entries(part))
        if (field(property, "critical") === false) names.add(name);
    collectUncritical(part, names);
  }
  return names;
}

function collectOffers(schema: unknown, offers: Set<unknown>): Set<unknown> {
  if (typeof schema !== "object" || schema === null) return offers;
  for (const [keyword, part] of Object.entries(schema)) {
    if (keyword === "const" || keyword === "default") offers.add(part);
    if (keyword === "enum" && Array.isArray(part)) for (const one of part) offers.add(one);
    collectOffers(part, offers);
  }
  return offers;
}

/** Of the value itself, of a list's elements, or of one of several alternatives. */
function kindIn(property: unknown): string | undefined {
  const alternatives = field(property, "anyOf") ?? field(property, "oneOf");
  const places = [property, field(property, "items"), ...(Array.isArray(alternatives) ? alternatives : [])];
  return places.map((place) => field(place, "kind")).find((kind) => typeof kind === "string");
}

function field(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}
