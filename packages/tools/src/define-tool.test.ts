import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { defineTool, isTool } from "./define-tool.ts";
import { ToolsError } from "./tools-error.ts";

const plain = { description: "Does it", approval: "auto", args: z.object({}), run: () => null } as const;

test("[T1] a tool is written as design 000 shows it, and `run` is typed by its schemas", () => {
  const close = defineTool({
    description: "Close a GitHub issue",
    approval: "required",
    args: z.object({
      owner: z.string(),
      repo: z.string(),
      issueNumber: z.number(),
      note: z.string().default(""),
    }),
    returns: z.object({ number: z.number(), title: z.string(), state: z.string() }),
    run: async (input, context) => {
      expectTypeOf(input).toEqualTypeOf<{ owner: string; repo: string; issueNumber: number; note: string }>();
      expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
      return { number: input.issueNumber, title: input.repo, state: "closed" };
    },
    formatApproval: (input) => ({ title: `Close ${input.owner}/${input.repo}#${input.issueNumber}` }),
    critical: ["owner", "repo"],
  });
  expect(isTool(close)).toBe(true);
  expect(Object.isFrozen(close)).toBe(true);
});

test("[T1] wrong types do not compile", () => {
  // @ts-expect-error the result does not fit `returns`
  defineTool({ ...plain, returns: z.object({ n: z.number() }), run: () => ({ n: "1" }) });
  // @ts-expect-error there is no such argument
  defineTool({ ...plain, args: z.object({ a: z.string() }), critical: ["b"] });
  expect(() => {
    // @ts-expect-error there is no such approval
    defineTool({ ...plain, approval: "maybe" });
  }).toThrow(ToolsError);
});

test("[T16] refuses senseless limits and examples", () => {
  const define = (definition: object) => () => defineTool({ ...plain, ...definition });
  expect(define({ limits: { timeoutMs: 0 } })).toThrow("limits must hold");
  expect(define({ limits: { seconds: 1 } })).toThrow("limits must hold");
  expect(define({ examples: [{ note: "no input" }] })).toThrow("examples must be");
  expect(define({ limits: { timeoutMs: 5 }, examples: [{ input: {}, note: "as it is" }] })).not.toThrow();
});

test("[T31] trust is all, nothing, or the paths of some fields", () => {
  const define = (trust: unknown) => () => defineTool({ ...plain, ...({ trust } as object) });
  for (const trust of ["trusted", "untrusted", { values: [] }, { values: ["*", "*.id", "a.b c.*"] }])
    expect(define(trust)).not.toThrow();
  for (const trust of [
    "yes",
    null,
    1,
    [],
    {},
    { values: "id" },
    { values: [1] },
    { values: [""] },
    { values: ["a..b"] },
    { values: [".a"] },
    { values: ["id"], more: 1 },
  ])
    expect(define(trust)).toThrow('trust must be "trusted", "untrusted" or { values: [paths] }');
});

test("[T2] refuses a senseless definition and lists everything wrong with it", () => {
  const define = (definition: unknown) => () => defineTool(definition as Parameters<typeof defineTool>[0]);
  expect(define({})).toThrow(
    'A tool is not valid: description must say what it does; approval must be "auto" or "required"; args must be a zod schema; run must be a function',
  );
  expect(
    define({ ...plain, effect: "magic", idempotent: 1, critical: [1], returns: {}, formatApproval: "x" }),
  ).toThrow(
    /effect must be .*; idempotent must be .*; critical must be .*; returns must be .*; formatApproval must be/,
  );
  expect(define({ ...plain, formatAproval: () => {} })).toThrow("it has no setting formatAproval");
  expect(define(null)).toThrow("its definition is not an object");
  expect(define({})).toThrow(expect.objectContaining({ code: "invalid_tool" }));
});

test("[T2] only tools are tools", () => {
  for (const value of [
    null,
    1,
    "deputy.tool",
    {},
    { kind: "deputy.tool" },
    { definition: plain },
    [],
    () => {},
  ]) {
    expect(isTool(value)).toBe(false);
  }
});
