import { DEFAULT_CELL_LIMITS, type Sandbox } from "@deputy/codemode";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeContainment } from "./sandbox-containment.ts";
import { denied, failureOf, ok, resultOf, runCell, STARTED_AT_MS } from "./sandbox-harness.ts";
import { describeImages } from "./sandbox-images.ts";
import { describeSandboxLimits } from "./sandbox-limits.ts";

/** What every sandbox must do; `create` is called once, and its result is disposed at the end. */
export function describeSandbox(name: string, create: () => Sandbox): void {
  describe(name, () => {
    let sandbox: Sandbox;
    beforeAll(() => {
      sandbox = create();
    });
    afterAll(() => sandbox[Symbol.asyncDispose]());
    describeResults(() => sandbox);
    describeCalls(() => sandbox);
    describeDeterminism(() => sandbox);
    describeSandboxLimits(() => sandbox, create);
    describeContainment(() => sandbox);
    describeImages(() => sandbox, create);
  });
}

function describeResults(sandbox: () => Sandbox): void {
  test("[C30] returns the code's result as JSON, and nothing as undefined", async () => {
    expect(await resultOf(sandbox(), "return { a: [1, 'ü', null] }")).toEqual({ a: [1, "ü", null] });
    expect(await resultOf(sandbox(), "return await Promise.resolve(7)")).toBe(7);
    expect(await resultOf(sandbox(), "")).toBeUndefined();
    expect(await resultOf(sandbox(), "return undefined // with a comment")).toBeUndefined();
  });

  test("[C30] a result without a JSON form fails the cell", async () => {
    for (const value of ["10n", "() => 1", "Symbol('x')", "(() => { const o = {}; o.o = o; return o })()"]) {
      expect(await failureOf(sandbox(), `return ${value}`)).toMatchObject({ code: "result_not_json" });
    }
  });

  test("[C31] an uncaught error fails the cell with its message and the line of its creation", async () => {
    expect(await failureOf(sandbox(), "\nconst o = {};\n  o.x.y;")).toMatchObject({ code: "threw", line: 3 });
    const thrown = await failureOf(sandbox(), "const f = () => {\n throw new RangeError('far');\n};\nf();");
    expect(thrown).toEqual({ code: "threw", message: "RangeError: far", line: 2 });
    expect(await failureOf(sandbox(), "throw 'plain'")).toMatchObject({ code: "threw", message: "plain" });
  });

  test("[C31] code that does not parse fails as syntax, with its line", async () => {
    expect(await failureOf(sandbox(), "const a = 1;\nconst b = ;")).toMatchObject({
      code: "syntax",
      line: 2,
    });
    expect(await failureOf(sandbox(), "import x from 'y'")).toMatchObject({ code: "syntax", line: 1 });
    expect(await failureOf(sandbox(), "return {")).toMatchObject({ code: "syntax", line: 1 });
  });

  test("[C37] console lines are the cell's log, for any values", async () => {
    const code = `console.log("a", 1, [2], { b: null }); console.error(new TypeError("t")); console.warn(undefined, 1n);
      console.info(Symbol("s"), () => 1); console.debug({ toJSON() { throw 1 } });`;
    const { outcome } = await runCell(sandbox(), { code });
    expect(outcome.logs).toEqual([
      'a 1 [2] {"b":null}',
      "TypeError: t",
      "undefined 1",
      "Symbol(s) [function]",
      "[object]",
    ]);
  });
}

function describeCalls(sandbox: () => Sandbox): void {
  test("[C32] each call comes once, numbered from 1, with its input as JSON", async () => {
    const code = "return [await tools.a({ x: 'ü' }), await tools.b.c(), await tools.a(undefined)]";
    const { outcome, calls } = await runCell(sandbox(), { code });
    expect(calls).toEqual([
      { id: 1, path: "a", inputJson: '{"x":"ü"}' },
      { id: 2, path: "b.c", inputJson: "null" },
      { id: 3, path: "a", inputJson: "null" },
    ]);
    expect(outcome).toMatchObject({
      kind: "completed",
      resultJson: '[{"echo":{"x":"ü"}},{"echo":null},{"echo":null}]',
    });
  });

  test("[C32] calls run concurrently, and settle in the host's order", async () => {
    const code = `const order = [];
      await Promise.all([1, 2, 3].map((n) => tools.a(n).then((r) => order.push(r))));
      return order`;
    const held: (() => void)[] = [];
    const running = sandbox().start(
      {
        code,
        toolPaths: ["a"],
        limits: DEFAULT_CELL_LIMITS,
        startedAtMs: 0,
        seed: 1,
        onCall: (call) => {
          held.push(() => running.settle(call.id, ok(Number(call.inputJson))));
          if (held.length === 3) for (const settle of held.toReversed()) settle();
        },
      },
      new AbortController().signal,
    );
    expect(await running.outcome).toMatchObject({ resultJson: "[3,2,1]" });
  });

  test("[C32] a tool can also be a namespace, and names may be awkward", async () => {
    const toolPaths = ["x", "x.y", "x.name", "foo-bar.class", "constructor", "__proto__.toString"];
    const code = `return [await tools.x(1), await tools.x.y(2), await tools.x.name(3), await tools["foo-bar"].class(4),
      await tools.constructor(5), await tools.__proto__.toString(6), tools.nothing, Object.keys(tools)]`;
    const result = await resultOf(sandbox(), { code, toolPaths });
    const echoes = [1, 2, 3, 4, 5, 6].map((echo) => ({ echo }));
    expect(result).toEqual([...echoes, null, ["x", "foo-bar", "constructor", "__proto__"]]);
  });

  test("[C32] an argument without a JSON form, or a second one, rejects without a call", async () => {
    const code = `const failed = [];
      for (const call of [() => tools.a(() => 1), () => tools.a(1n), () => tools.a({}, {})]) {
        try { await call() } catch (e) { failed.push(e.name) }
      }
      return failed`;
    const { outcome, calls } = await runCell(sandbox(), { code });
    expect(outcome).toMatchObject({ resultJson: '["TypeError","TypeError","TypeError"]' });
    expect(calls).toEqual([]);
  });

  test("[C33] a failed call can be caught, with its code, message and place", async () => {
    const code = `try {\n  await tools.a({});\n} catch (e) {\n  return [e instanceof Error, e.name, e.code, e.message, e.stack.includes(":2:")];\n}`;
    expect(await resultOf(sandbox(), { code, answer: () => denied })).toEqual([
      true,
      "ToolError",
      "denied",
      "You said no",
      true,
    ]);
  });

  test("[C33] it comes with the server's own answer as data", async () => {
    const code = `const seen = [];
      for (const n of [1, 2, 3]) try { await tools.a(n) } catch (e) {
        seen.push([e.status, e.body, "status" in e, "body" in e]); if (n === 1) e.body.why.push("mine") }
      return seen`;
    const error = { kind: "error", code: "http_conflict", message: "no", atMs: STARTED_AT_MS } as const;
    const refused = { ...error, status: 409, bodyJson: '{"why":["sold"]}' };
    const tooMuch = { ...error, status: 500, bodyJson: JSON.stringify("x".repeat(2_000)) };
    const answer = ({ id }: { readonly id: number }) => [refused, error, tooMuch][id - 1];
    expect(await resultOf(sandbox(), { code, limits: { maxResultBytes: 1_000 }, answer })).toEqual([
      [409, { why: ["sold", "mine"] }, true, true],
      [null, null, false, false],
      [500, null, true, false],
    ]);
  });

  test("[C33] an uncaught one fails the cell at the line of the call", async () => {
    const code = "const f = async () => {\n  const x = await tools.a({});\n  return x;\n};\nreturn f();";
    const failure = await failureOf(sandbox(), { code, answer: () => denied });
    expect(failure).toEqual({ code: "threw", message: "You said no [denied]", line: 2 });
  });

  test("[C34] a second settlement, an unknown id, and one after the end are ignored", async () => {
    const running = sandbox().start(
      {
        code: "const first = await tools.a(1); return [first, await tools.a(2)]",
        toolPaths: ["a"],
        limits: DEFAULT_CELL_LIMITS,
        startedAtMs: 0,
        seed: 1,
        onCall: (call) => {
          running.settle(99, ok("forged"));
          running.settle(call.id + 1, ok("early"));
          running.settle(call.id, ok("right"));
          running.settle(call.id, ok("twice"));
        },
      },
      new AbortController().signal,
    );
    const outcome = await running.outcome;
    running.settle(1, ok("late"));
    expect(outcome).toMatchObject({ resultJson: '["right","right"]' });
  });
}

function describeDeterminism(sandbox: () => Sandbox): void {
  test("[C35] the clock stands still between settlements, and never goes back", async () => {
    const code = `const t = [Date.now()]; for (let i = 0; i < 2e5; i++); t.push(Date.now());
      await tools.a(); t.push(Date.now()); await tools.b.c(); t.push(Date.now(), new Date().getTimezoneOffset());
      return t`;
    const answer = (call: { readonly path: string }) =>
      ok(null, STARTED_AT_MS + (call.path === "a" ? 5_000 : -5_000));
    const late = STARTED_AT_MS + 5_000;
    expect(await resultOf(sandbox(), { code, answer })).toEqual([
      STARTED_AT_MS,
      STARTED_AT_MS,
      late,
      late,
      0,
    ]);
  });

  test("[C36] the same seed gives the same numbers, another seed others", async () => {
    const code = "return Array.from({ length: 50 }, () => Math.random())";
    const first = await resultOf(sandbox(), { code, seed: 7 });
    expect(await resultOf(sandbox(), { code, seed: 7 })).toEqual(first);
    expect(await resultOf(sandbox(), { code, seed: 8 })).not.toEqual(first);
    expect(first).toSatisfy((all: number[]) => new Set(all).size === 50 && all.every((n) => n >= 0 && n < 1));
  });
}
