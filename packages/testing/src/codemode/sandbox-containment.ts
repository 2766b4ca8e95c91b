import type { Sandbox } from "@deputy/codemode";
import { expect, test } from "vitest";
import { ok, resultOf, runCell } from "./sandbox-harness.ts";

/** Attempts to get out, to fool the bridge, or to break the host. */
export function describeContainment(sandbox: () => Sandbox): void {
  test("[C49] text never becomes code", async () => {
    const code = `const tried = [
        () => eval("1"), () => (0, eval)("1"), () => Function("return 1")(), () => new Function("return 1")(),
        () => (() => {}).constructor("return 1")(), () => (async () => {}).constructor("return 1")(),
        () => (function* () {}).constructor("return 1")().next(), () => (async function* () {}).constructor("return 1")(),
        () => tools.a.constructor("return 1")(), () => [].constructor.constructor("return 1")(),
        () => console.log.constructor("return 1")(), () => Reflect.construct(Function, ["return 1"])(),
        () => Object.getPrototypeOf(async () => {}).constructor("return 1")(), () => import("node:fs"),
        () => import("./cell.ts"), () => new (class extends Function { constructor() { super("return 1") } })(),
      ];
      const outcomes = [];
      for (const attempt of tried) {
        try { await attempt(); outcomes.push("RAN " + attempt) } catch (e) { outcomes.push("refused") }
      }
      return outcomes.filter((outcome) => outcome !== "refused")`;
    expect(await resultOf(sandbox(), code)).toEqual([]);
  });

  test("[C50] nothing of the host can be found", async () => {
    const names = [
      "process",
      "require",
      "module",
      "Buffer",
      "global",
      "fetch",
      "setTimeout",
      "setInterval",
      "XMLHttpRequest",
      "WebAssembly",
      "Worker",
      "performance",
      "WeakRef",
      "FinalizationRegistry",
      "navigator",
      "std",
      "os",
      "bjson",
      "print",
      "scriptArgs",
      "Atomics",
      "postMessage",
      "self",
      "window",
      "document",
      "Deno",
      "Bun",
      "__dirname",
      "call",
      "log",
      "done",
    ];
    const code = `return ${JSON.stringify(names)}.filter((name) => name in globalThis)`;
    expect(await resultOf(sandbox(), code)).toEqual([]);
  });

  test("[C50] neither stack traces nor sources show the host", async () => {
    const code = `const seen = [new Error().stack, tools.a.toString(), console.log.toString(), String(Object.getOwnPropertyNames(tools.a))];
      try { null.x } catch (e) { seen.push(e.stack) }
      try { tools.a(() => 1).catch((e) => seen.push(e.stack)); await null; await null } catch {}
      const f = () => f(); try { f() } catch (e) { seen.push(e.stack.slice(0, 2000)) }
      return seen.join("\\n")`;
    const seen = String(await resultOf(sandbox(), code));
    expect(seen).not.toMatch(/node_modules|file:|packages\/|\.wasm|hostCall|node:/);
  });

  test("[C51] `tools`, `console` and their functions cannot be changed or replaced", async () => {
    const code = `"use strict"; const attempts = [
        () => { tools.a = 1 }, () => { tools.extra = 1 }, () => { delete tools.a }, () => { tools.b.c = 1 },
        () => { tools.a.x = 1 }, () => { globalThis.tools = {} }, () => { delete globalThis.tools },
        () => { console.log = 1 }, () => { globalThis.console = {} }, () => Object.defineProperty(tools, "z", { value: 1 }),
        () => Object.setPrototypeOf(tools, {}), () => Object.setPrototypeOf(tools.a, null),
        () => Object.defineProperty(globalThis, "tools", { value: 1 }),
      ];
      return attempts.filter((attempt) => { try { attempt(); return true } catch { return false } }).map(String)`;
    expect(await resultOf(sandbox(), code)).toEqual([]);
  });

  test("[C52] replaced built-ins cannot watch, forge or break settlements", async () => {
    const code = `let seen = ""; const apply = Reflect.apply;
      const spy = (owner, name) => {
        const old = owner[name];
        try { owner[name] = function (...args) { seen += name + " "; return apply(old, this, args) } } catch {}
      };
      for (const name of ["get", "set", "delete", "has"]) spy(Map.prototype, name);
      for (const name of ["push", "slice", "map", "join"]) spy(Array.prototype, name);
      for (const name of ["call", "apply", "bind"]) spy(Function.prototype, name);
      for (const name of ["parse", "stringify"]) spy(JSON, name);
      for (const name of ["then", "catch", "finally"]) spy(Promise.prototype, name);
      for (const name of ["defineProperty", "freeze", "create", "getPrototypeOf"]) spy(Object, name);
      for (const name of ["apply", "construct"]) spy(Reflect, name);
      spy(String.prototype, "slice");
      globalThis.JSON = { parse: () => "forged", stringify: () => '"forged"' };
      globalThis.Promise = class { constructor() { seen += "Promise " } };
      globalThis.Error = class { constructor() { seen += "Error " } };
      Object.prototype.resolve = Object.prototype.reject = () => { seen += "resolve " };
      Object.prototype.get = () => { seen += "get "; return 1 };
      Object.defineProperty(Object.prototype, "1", { __proto__: null, set() { seen += "set " }, configurable: true });
      Array.prototype[Symbol.iterator] = function* () { seen += "iterator " };
      seen = "";
      const result = await tools.b.c({ n: 1 });
      console.log("x", 1);
      let failed; try { await tools.a() } catch (e) { failed = e.code }
      return { result, failed, seen }`;
    const answer = (call: { readonly path: string; readonly inputJson: string }) =>
      call.path === "a"
        ? ({ kind: "error", code: "denied", message: "no", atMs: 0 } as const)
        : ok(call.inputJson);
    const { outcome, calls } = await runCell(sandbox(), { code, answer });
    expect(calls.map((call) => call.inputJson)).toEqual(['{"n":1}', "null"]);
    expect(
      JSON.parse(outcome.kind === "completed" ? (outcome.resultJson ?? "") : JSON.stringify(outcome)),
    ).toMatchObject({
      result: '{"n":1}',
      failed: "denied",
      seen: "",
    });
    expect(outcome.logs).toEqual(["x 1"]);
  });

  test("[C52] a polluted prototype reaches only the cell itself", async () => {
    const code = `Object.prototype.polluted = "yes"; Object.prototype.then = undefined; Object.prototype.toJSON = undefined;
      Object.prototype.kind = "ok"; Array.prototype.at = 1; return await tools.a({ own: 1 })`;
    const { outcome, calls } = await runCell(sandbox(), { code });
    expect(calls).toEqual([{ id: 1, path: "a", inputJson: '{"own":1}' }]);
    expect(outcome).toMatchObject({ kind: "completed" });
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  test("[C52] an Error hook cannot run code inside a call", async () => {
    const code = `let ran = 0; try { Error.prepareStackTrace = () => { ran++; tools.b.c("inner"); return "" } } catch {}
      try { Error.stackTraceLimit = 0 } catch {}
      try { Object.defineProperty(Error.prototype, "stack", { get() { ran++; return "" }, set() { ran++ } }) } catch {}
      const r = await tools.a(1); return [ran, r.echo]`;
    const { outcome, calls } = await runCell(sandbox(), { code });
    expect(outcome).toMatchObject({ resultJson: "[0,1]" });
    expect(calls).toHaveLength(1);
  });

  test("[C53] thenables, proxies and hostile getters as results or errors stay values", async () => {
    const cases: readonly (readonly [string, unknown])[] = [
      ["return { then(resolve) { resolve('thenable') } }", { resultJson: '"thenable"' }],
      [
        "return { then(r, reject) { reject(new Error('no')) } }",
        { failure: { code: "threw", message: "no" } },
      ],
      ["return { then(resolve) { resolve(1); resolve(2); throw 3 } }", { resultJson: "1" }],
      ["return new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 } })", { failure: { code: "threw" } }],
      [
        "throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })",
        { failure: { code: "threw" } },
      ],
      [
        "throw { get message() { throw 1 }, get stack() { throw 2 }, toString() { throw 3 } }",
        { failure: { code: "threw" } },
      ],
      ["throw { name: {}, message: 7, stack: 'cell.ts:999999:1' }", { failure: { code: "threw", line: 1 } }],
      [
        "throw Object.assign(new Error('m'), { stack: 'cell.ts:-5' })",
        { failure: { code: "threw", message: "m" } },
      ],
      ["throw null", { failure: { code: "threw", message: "null" } }],
      ["throw undefined", { failure: { code: "threw", message: "undefined" } }],
      ["return { toJSON: () => ({ toJSON: 1 }) }", { resultJson: '{"toJSON":1}' }],
      [
        "return [new Date(0), /x/, new Map([[1, 2]]), NaN]",
        { resultJson: '["1970-01-01T00:00:00.000Z",{},{},null]' },
      ],
      ["return '\\ud800\\u0000<\\u2028'", { kind: "completed" }],
      ["return { ['__proto__']: 1, constructor: 2 }", { resultJson: '{"__proto__":1,"constructor":2}' }],
    ];
    for (const [code, expected] of cases) {
      expect((await runCell(sandbox(), { code })).outcome, code).toMatchObject(expected as object);
    }
  });

  test("[C53] a hostile argument becomes what JSON makes of it at the time of the call", async () => {
    const code = `const o = { n: 1, get g() { o.n++; return "g" }, toString() { throw 1 } };
      const p = tools.a(o); o.n = 99; const r = [(await p).echo];
      r.push((await tools.a(new Proxy([1], {}))).echo, (await tools.a(JSON.parse('{"__proto__":{"x":1}}'))).echo);
      return r`;
    expect(await resultOf(sandbox(), code)).toEqual([
      { n: 1, g: "g" },
      [1],
      JSON.parse('{"__proto__":{"x":1}}'),
    ]);
  });

  test("[C53] code that closes the function around it gains nothing", async () => {
    const { outcome, calls } = await runCell(sandbox(), {
      code: "}); tools.a('outside'); throw new Error('outside'); (async () => {",
    });
    expect(outcome).toMatchObject({ kind: "failed", failure: { code: "threw" } });
    expect(calls).toEqual([]);
    expect((await runCell(sandbox(), { code: "}); 5; (() => 1" })).outcome.kind).toBe("failed");
    expect((await runCell(sandbox(), { code: "}); ({ x: 1 })['x']; ({" })).outcome).toMatchObject({
      failure: { code: "syntax" },
    });
  });

  test("[C53] running out of memory inside calls neither mixes up results nor shows the host", async () => {
    const code = `const hoard = []; const seen = [];
      try { for (;;) hoard.push(new Uint8Array(4096).fill(1)) } catch {}
      for (let i = 0; i < 300; i++) {
        try { const r = await tools.a(i); if (r.echo !== i) seen.push("mixed up " + i) }
        catch (e) { seen.push(e === null ? "" : String(e.stack)) }
        if (i % 3 === 0) hoard.pop();
        else try { hoard.push({ i }) } catch {}
      }
      hoard.length = 0;
      return seen.filter((text) => /mixed|node_modules|file:|packages/.test(text))`;
    const { outcome } = await runCell(sandbox(), { code, limits: { cpuMs: 20_000 } });
    expect(outcome).toSatisfy(
      () =>
        outcome.kind === "completed" ? outcome.resultJson === "[]" : outcome.failure.code === "memory_limit",
      JSON.stringify(outcome),
    );
  });

  test("[C53] many small cells in a row leave nothing behind", async () => {
    for (let i = 0; i < 60; i++) expect(await resultOf(sandbox(), `return ${i}`)).toBe(i);
  });
}
