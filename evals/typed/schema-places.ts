import type { JsonSchema } from "@deputy/codemode";

/** A value inside a call's arguments, and what the schema says of it. */
export interface Place {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Every value of the arguments, the arguments themselves first. Alternatives are not followed. */
export function placesOf(root: JsonSchema, args: unknown): readonly Place[] {
  const visit = (node: unknown, value: unknown, path: readonly (string | number)[]): readonly Place[] => {
    const schema = resolve(root, node);
    return [{ path, value, schema }, ...childrenOf(schema, value, path)];
  };
  const childrenOf = (
    schema: Place["schema"],
    value: unknown,
    path: readonly (string | number)[],
  ): readonly Place[] => {
    if (Array.isArray(value)) {
      return value.flatMap((item, index) => visit(schema["items"], item, [...path, index]));
    }
    if (typeof value !== "object" || value === null) return [];
    const properties = asObject(schema["properties"]);
    return Object.entries(value).flatMap(([name, item]) =>
      visit(Object.hasOwn(properties, name) ? properties[name] : undefined, item, [...path, name]),
    );
  };
  return visit(root, args, []);
}

/** The arguments with one value replaced. */
export function replaceAt(value: unknown, path: readonly (string | number)[], replacement: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return replacement;
  if (Array.isArray(value))
    return value.with(Number(step), replaceAt(value[Number(step)], rest, replacement));
  const object = asObject(value);
  return { ...object, [step]: replaceAt(object[step], rest, replacement) };
}

function resolve(root: JsonSchema, node: unknown): Place["schema"] {
  const schema = asObject(node);
  const ref = schema["$ref"];
  if (typeof ref !== "string") return schema;
  return asObject(asObject(asObject(root)["$defs"])[ref.replace("#/$defs/", "")]);
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}
