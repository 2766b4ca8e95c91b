import { isRecord } from "@deputy/kit";
import { z } from "zod";
import { configSchema } from "../config.ts";

/** One setting, as documentation and messages name it. */
export interface Setting {
  /** Dotted; `*` stands for a name that the user gives. */
  readonly path: string;
  readonly meaning: string;
  /** True if it is accepted without effect. */
  readonly isLater: boolean;
  /** The default as JSON; absent when there is none. */
  readonly defaultJson: string | undefined;
}

/** All settings, in the order of the schema. */
export function listSettings(): readonly Setting[] {
  const defaults = configSchema.parse({});
  const visit = (schema: z.ZodType, path: readonly string[], value: unknown): readonly Setting[] => {
    const inner = unwrap(schema);
    if (inner instanceof z.ZodObject && metaOf(schema) === undefined)
      return Object.entries(inner.shape).flatMap(([key, child]) =>
        visit(child as z.ZodType, [...path, key], valueAt(value, [key])),
      );
    if (inner instanceof z.ZodRecord && metaOf(schema) === undefined)
      return visit(inner.valueType as z.ZodType, [...path, "*"], undefined);
    const { description = "", later } = metaOf(schema) ?? {};
    const defaultJson = JSON.stringify(value) as string | undefined;
    return [{ path: path.join("."), meaning: description, isLater: later === true, defaultJson }];
  };
  return visit(configSchema, [], defaults);
}

/** The schema of the setting, or group of settings, at a path; undefined when there is none. */
export function schemaAt(path: readonly string[]): z.ZodType | undefined {
  return path.reduce<z.ZodType | undefined>((schema, key) => {
    const inner = schema === undefined ? undefined : unwrap(schema);
    if (inner instanceof z.ZodObject)
      return Object.hasOwn(inner.shape, key) ? (inner.shape[key] as z.ZodType) : undefined;
    return inner instanceof z.ZodRecord ? (inner.valueType as z.ZodType) : undefined;
  }, configSchema);
}

/** Dotted names of everything under a path. */
export function namesUnder(path: readonly string[]): readonly string[] {
  const schema = schemaAt(path);
  const inner = schema === undefined ? undefined : unwrap(schema);
  if (!(inner instanceof z.ZodObject)) return [];
  const children = Object.keys(inner.shape).map((key) => path.concat(key));
  return children.flatMap((child) => [child.join(".")].concat(namesUnder(child)));
}

/** Settings that a configuration has, but that have no effect in this version. */
export function idleSettings(raw: unknown): readonly string[] {
  const visit = (value: unknown, path: readonly string[]): readonly string[] => {
    const schema = schemaAt(path);
    if (schema === undefined) return [];
    if (metaOf(schema)?.["later"] === true) return [path.join(".")];
    if (!isRecord(value)) return [];
    return Object.entries(value).flatMap(([key, inner]) => visit(inner, [...path, key]));
  };
  return visit(raw, []);
}

export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined,
    value,
  );
}

function metaOf(schema: z.ZodType): z.core.GlobalMeta | undefined {
  return schema.meta();
}

function unwrap(schema: z.ZodType): z.ZodType {
  const isWrapped =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault;
  if (isWrapped) return unwrap(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodPipe ? unwrap(schema.in as z.ZodType) : schema;
}
