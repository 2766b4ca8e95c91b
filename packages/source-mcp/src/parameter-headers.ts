import { isObject } from "@deputy/json-schema";

const KEY = "x-mcp-header";
/** A name that can stand in a header, as RFC 9110 has it. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);
/** Keywords whose members are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);

/**
 * What is wrong with the arguments that a schema wants sent as headers; undefined when nothing is. Over HTTP a
 * tool with a wrong one cannot be called as its server means it, and must be left out.
 */
export function headerFault(inputSchema: unknown): string | undefined {
  const names = new Set<string>();
  const visit = (node: unknown, place: "root" | "property" | "elsewhere"): string | undefined => {
    if (Array.isArray(node)) return first(node, (item) => visit(item, "elsewhere"));
    if (!isObject(node)) return undefined;
    if (Object.hasOwn(node, KEY)) {
      const name = node[KEY];
      if (place !== "property") return "a header for what is no argument";
      if (typeof name !== "string" || !TOKEN.test(name)) return "a header whose name is none";
      if (!TYPES.has(node["type"])) return "a header for what is no text, whole number or truth value";
      if (names.has(name.toLowerCase())) return "the same header twice";
      names.add(name.toLowerCase());
    }
    return first(Object.entries(node), ([key, value]) => {
      if (DATA.has(key)) return undefined;
      if (key !== "properties" || !isObject(value)) return visit(value, "elsewhere");
      const inside = place === "elsewhere" ? place : "property";
      return first(Object.values(value), (property) => visit(property, inside));
    });
  };
  return visit(inputSchema, "root");
}

function first<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
