import type { DeclaredTool, JsonSchema } from "@deputy/codemode";
import { isRecord } from "@deputy/kit";

/** Shorter types are read faster where they stand. */
const LEAST_CHARS = 250;

type Node = Readonly<Record<string, unknown>>;

/**
 * The same tools, with types that stand in several places declared once by name: what a reader has read once need not be
 * read again. Tools whose schemas refer to a document of their own stay as they are.
 */
export function shareTypes(tools: readonly DeclaredTool[]): readonly DeclaredTool[] {
  const known = new Map<string, { count: number; readonly name: string; readonly schema: Node }>();
  const count = (schema: unknown, name: string): void => {
    if (!isRecord(schema)) return;
    const key = keyOf(schema);
    const before = known.get(key);
    if (before !== undefined) {
      before.count += 1;
      return;
    }
    if (isShareable(schema, key)) known.set(key, { count: 1, name, schema: withoutWords(schema) });
    for (const [part, inner] of partsOf(schema)) count(inner, part ?? name);
  };
  const own = tools.filter(({ definitions }) => definitions === undefined);
  for (const { path, inputSchema, outputSchema } of own) {
    // Whole inputs and results are named after their tool; parts after their property.
    count(inputSchema, path);
    count(outputSchema, path.split(".").at(-2) ?? path);
  }
  const types = new Map<string, string>();
  const root: Record<string, unknown> = {};
  for (const [key, { count: times, name, schema }] of known) {
    if (times < 2) continue;
    let free = name;
    for (let n = 2; Object.hasOwn(root, free); n++) free = `${name}${n}`;
    types.set(key, free);
    root[free] = schema;
  }
  if (types.size === 0) return tools;

  const replace = (schema: unknown, isType = false): unknown => {
    if (!isRecord(schema)) return schema;
    const name = types.get(keyOf(schema));
    if (name !== undefined && !isType) {
      const { description } = schema;
      return { $ref: `#/${encode(name)}`, ...(description === undefined ? {} : { description }) };
    }
    return mapParts(schema, (part) => replace(part));
  };
  for (const name of Object.keys(root)) root[name] = replace(root[name], true);
  const namespaces = new Set(own.map(({ path }) => path.split(".", 1)[0]));
  // What several namespaces share is called after none of them.
  const definitions = { name: (namespaces.size === 1 ? [...namespaces][0] : undefined) ?? "tools", root };
  return tools.map((tool) => {
    if (tool.definitions !== undefined) return tool;
    const { inputSchema, outputSchema } = tool;
    const output = outputSchema === undefined ? {} : { outputSchema: replace(outputSchema) as JsonSchema };
    return { ...tool, inputSchema: replace(inputSchema) as JsonSchema, ...output, definitions };
  });
}

/** The same for the same type, whatever is said about it where it stands. */
function keyOf(schema: Node): string {
  return JSON.stringify(withoutWords(schema));
}

function withoutWords({ ...schema }: Node & { description?: unknown }): Node {
  delete schema.description;
  return schema;
}

/** Types with references of their own would lose what these lead to. */
function isShareable(schema: Node, key: string): boolean {
  const isLarge = key.length >= LEAST_CHARS && !key.includes('"$ref"');
  return isLarge && (isRecord(schema["properties"]) || ["anyOf", "oneOf"].some((word) => word in schema));
}

const LISTS = ["anyOf", "oneOf", "allOf"] as const;

function* partsOf(schema: Node): Iterable<readonly [string | undefined, unknown]> {
  const { properties, items, additionalProperties } = schema;
  if (isRecord(properties)) yield* Object.entries(properties);
  yield [undefined, items];
  yield [undefined, additionalProperties];
  for (const word of LISTS)
    for (const part of Array.isArray(schema[word]) ? schema[word] : []) yield [undefined, part];
}

/** A copy, with what marks a cut. */
function mapParts(schema: Node, map: (part: unknown) => unknown): Node {
  const copy: Record<string, unknown> = { ...schema };
  const { properties, items, additionalProperties } = schema;
  if (isRecord(properties))
    copy["properties"] = Object.fromEntries(
      Object.entries(properties).map(([name, part]) => [name, map(part)]),
    );
  if (items !== undefined) copy["items"] = map(items);
  if (additionalProperties !== undefined) copy["additionalProperties"] = map(additionalProperties);
  for (const word of LISTS) if (Array.isArray(schema[word])) copy[word] = schema[word].map(map);
  return copy;
}

/** As JSON pointers write it. */
function encode(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("%", "%25");
}
