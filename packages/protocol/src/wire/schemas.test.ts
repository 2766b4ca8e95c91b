import { expect, test } from "vitest";
import { z } from "zod";
import * as root from "../index.ts";
import * as openai from "../openai/index.ts";
import * as schedule from "../schedule/index.ts";
import { openSampleStream } from "../test/sample-stream.ts";
import * as wire from "./index.ts";

const protocol = { ...root, ...schedule, ...wire };

const schemas: readonly (readonly [string, z.ZodType])[] = [
  ...Object.entries(protocol.eventDataSchemas),
  ...Object.entries({ ...protocol, ...openai }).flatMap(([name, value]) =>
    value instanceof z.ZodType ? [[name, value] as const] : [],
  ),
];

/** Kinds of schema under which what comes out may differ from what went in. */
const changing = new Set([
  "default",
  "prefault",
  "catch",
  "transform",
  "pipe",
  "readonly",
  "success",
  "custom",
  "lazy",
  "promise",
]);

/** Every schema inside a schema, itself included: definitions hold them by name, in arrays and in shapes. */
function inside(part: unknown): z.ZodType[] {
  if (part instanceof z.ZodType) return [part, ...Object.values(part.def).flatMap(inside)];
  if (typeof part !== "object" || part === null || part instanceof RegExp) return [];
  return Object.values(part).flatMap(inside);
}

test("[P5] all exported schemas are looked at", () => {
  expect(schemas.length).toBeGreaterThan(Object.keys(protocol.eventDataSchemas).length + 8);
});

test.each(schemas)("[P5] %s is representable as JSON Schema", (_, schema) => {
  expect(() => z.toJSONSchema(schema)).not.toThrow();
  expect(() => z.toJSONSchema(schema, { io: "input" })).not.toThrow();
});

test.each(schemas)("[P6] %s changes nothing", (_, schema) => {
  const parts = inside(schema);
  expect(parts.filter((part) => changing.has(part.def.type)).map((part) => part.def.type)).toEqual([]);
  expect(parts.filter((part) => "coerce" in part.def && part.def.coerce === true)).toEqual([]);
  expect(parts.flatMap((part) => checksOf(part).filter((check) => check === "overwrite"))).toEqual([]);
});

test("[P6] the walk finds what it looks for", () => {
  const nested = z.object({ a: z.array(z.union([z.string().default("x"), z.null()])).optional() });
  expect(inside(nested).map((part) => part.def.type)).toContain("default");
  expect(inside(z.record(z.string(), z.string().trim())).flatMap(checksOf)).toContain("overwrite");
});

test("[P8] request bodies refuse fields they do not know", () => {
  const { createTaskSchema, approvalAnswerSchema } = protocol;
  expect(createTaskSchema.safeParse({ prompt: "Tidy up", kind: "one-shot" }).success).toBe(true);
  expect(createTaskSchema.safeParse({ prompt: "Tidy up", admin: true }).success).toBe(false);
  expect(createTaskSchema.safeParse({ prompt: "Tidy up", budget: { euros: 1 } }).success).toBe(false);
  expect(createTaskSchema.safeParse({ prompt: "" }).success).toBe(false);
  const program = { code: "return 1;", language: "javascript" };
  expect(createTaskSchema.safeParse({ program }).success).toBe(true);
  expect(createTaskSchema.safeParse({ program: { ...program, env: {} } }).success).toBe(false);
  expect(approvalAnswerSchema.safeParse({ decision: "approved" }).success).toBe(true);
  expect(approvalAnswerSchema.safeParse({ decision: "approved", by: "root" }).success).toBe(false);
});

test("[P8] a program is bounded, and its plugins are absolute paths", () => {
  const fits = (change: object): boolean =>
    protocol.createTaskSchema.safeParse({ program: { code: "", language: "typescript", ...change } }).success;
  expect(fits({ code: "x".repeat(protocol.LARGEST_PROGRAM_CHARS) })).toBe(true);
  expect(fits({ code: "x".repeat(protocol.LARGEST_PROGRAM_CHARS + 1) })).toBe(false);
  expect(fits({ language: "python" })).toBe(false);
  for (const path of ["/home/ada/lamp.ts", "C:\\lamp.ts", "c:/lamp.ts"])
    expect(fits({ plugins: [path] }), path).toBe(true);
  for (const path of [
    "lamp.ts",
    "./lamp.ts",
    "../lamp.ts",
    "",
    "~/lamp.ts",
    "file:///lamp.ts",
    "data:text/javascript,1",
  ])
    expect(fits({ plugins: [path] }), path).toBe(false);
  expect(fits({ plugins: Array.from({ length: 21 }, (_, i) => `/${i}.ts`) })).toBe(false);
  expect(fits({ plugins: [`/${"x".repeat(5_000)}`] })).toBe(false);
});

test("[P8] an approval id is a call's or a plan's", () => {
  const { ids } = openSampleStream();
  for (const kind of ["call", "plan"] as const)
    expect(protocol.approvalIdSchema.safeParse(ids.next(kind)).success).toBe(true);
  for (const wrong of [ids.next("turn"), "cal_1", "", 7])
    expect(protocol.approvalIdSchema.safeParse(wrong).success).toBe(false);
  expect(protocol.streamIdSchema.safeParse("system").success).toBe(true);
  expect(protocol.streamIdSchema.safeParse(ids.next("turn")).success).toBe(false);
  expect(protocol.streamIdSchema.safeParse(`delivery:${"0f".repeat(32)}`).success).toBe(true);
  for (const wrong of [
    "delivery:",
    "delivery:x",
    `delivery:${"0F".repeat(32)}`,
    `delivery:${"0f".repeat(33)}`,
  ])
    expect(protocol.streamIdSchema.safeParse(wrong).success, wrong).toBe(false);
});

function checksOf(part: z.ZodType): readonly string[] {
  return (part.def.checks ?? []).map((check) => check._zod.def.check);
}
