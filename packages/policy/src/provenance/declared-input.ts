/** What a tool's JSON Schema says about its input, as far as origins are concerned. Never throws. */
export interface DeclaredInput {
  /** Whether the tool's author wrote this name, anywhere in the schema. */
  isDeclared(key: string): boolean;
  /** Whether a top-level argument has just the value that it has when nobody says anything. */
  isDefault(argument: string, value: string | number | boolean): boolean;
}

export function readDeclaredInput(schema: unknown): DeclaredInput {
  let names: Set<string> | undefined;
  return {
    isDeclared(key) {
      names ??= collectNames(schema, new Set());
      return names.has(key);
    },
    isDefault: (argument, value) => field(field(field(schema, "properties"), argument), "default") === value,
  };
}

function collectNames(schema: unknown, names: Set<string>): Set<string> {
  if (typeof schema !== "object" || schema === null) return names;
  for (const [keyword, part] of Object.entries(schema)) {
    if (keyword === "properties" && typeof part === "object" && part !== null)
      for (const name of Object.keys(part)) names.add(name);
    collectNames(part, names);
  }
  return names;
}

function field(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}
