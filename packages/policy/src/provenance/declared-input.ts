/** What a tool's JSON Schema says about its input, as far as origins are concerned. Never throws. */
export interface DeclaredInput {
  /** True if this name is anywhere in the tool's schema, and so comes from its author. */
  isDeclared(key: string): boolean;
  /** True if a top-level argument has its default value. */
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
