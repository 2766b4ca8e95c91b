import type { z } from "zod";

export type SchemaPart = "args" | "returns";

type Definition = z.core.$ZodType["_zod"]["def"];
type Kind = Definition["type"];

/** What to write instead, for each kind of schema that has no JSON form. */
const INSTEAD: Readonly<Partial<Record<Kind, string>>> = {
  date: "a Date has no JSON form; use z.iso.datetime() and make the Date in `run`",
  bigint: "a bigint has no JSON form; use z.int(), or z.string() where numbers get too large",
  symbol: "a symbol has no JSON form; use z.string() or z.enum([…])",
  undefined: "undefined has no JSON form; use .optional() for what may be absent, or z.null()",
  void: "a result without a value needs no schema; leave `returns` out, or use z.null()",
  nan: "NaN has no JSON form; use z.number().nullable()",
  map: "a Map has no JSON form; use z.record(z.string(), …)",
  set: "a Set has no JSON form; use z.array(…)",
  function: "a function has no JSON form; pass data",
  custom: "a custom type says nothing about its JSON form; use z.object({…}) or z.json() with .refine(…)",
  file: "a File has no JSON form; use z.base64(), or the file's path as z.string()",
  promise: "a promise has no JSON form; use the schema of its value",
  catch: "a computed fallback has no JSON form; use .default(…)",
};

/** Why a schema that zod itself cannot represent is refused; `message` is zod's own reason. */
export function unrepresentableProblem(kind: Kind, part: SchemaPart, message: string): string {
  if (kind === "transform") {
    return part === "returns"
      ? "what a transform gives has no JSON Schema; do it in `run`, or say what comes out with .pipe(…)"
      : "a transform alone does not say what goes in; use the schema of the input with .transform(…)";
  }
  return INSTEAD[kind] ?? `${message.charAt(0).toLowerCase()}${message.slice(1)}; use plain JSON data`;
}

/** The problem of a schema that zod would accept; undefined when there is none. */
export function problemOf(
  schema: z.core.$ZodType,
  part: SchemaPart,
  path: readonly (string | number)[],
): string | undefined {
  const { def } = schema._zod;
  if (def.type === "file" || def.type === "promise") return INSTEAD[def.type];
  if (part === "args") return hasAsyncCode(def) ? ASYNC_CODE : undefined;
  const isElement = path.length === 0 || path.at(-1) === "items";
  return def.type === "optional" && isElement ? ABSENT : undefined;
}

export const ASYNC_CODE =
  "its code is asynchronous, but input is checked before anything runs; check it in `run` instead";
const ABSENT = "JSON has null where a value is absent here; use .nullable() and return null";

/**
 * Detects it in the code: an async function as check or transform. One that returns a promise is found when
 * it runs.
 */
function hasAsyncCode(def: Definition): boolean {
  const checks = def.checks ?? [];
  if (
    checks.some(({ _zod }) => isAsyncFunction(_zod.check) || isAsyncFunction(Reflect.get(_zod.def, "fn")))
  ) {
    return true;
  }
  if (def.type !== "pipe") return false;
  return [def, definitionAt(def, "in"), definitionAt(def, "out")].some((one) =>
    isAsyncFunction(Reflect.get(one, "transform")),
  );
}

function definitionAt(def: Definition, side: string): object {
  const schema: unknown = Reflect.get(def, side);
  return typeof schema === "object" && schema !== null && "_zod" in schema
    ? (schema as z.core.$ZodType)._zod.def
    : {};
}

function isAsyncFunction(value: unknown): boolean {
  return Object.prototype.toString.call(value) === "[object AsyncFunction]";
}
