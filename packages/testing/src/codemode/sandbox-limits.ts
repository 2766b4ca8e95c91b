import { DEFAULT_CELL_LIMITS, type Sandbox } from "@deputy/codemode";
import { expect, test } from "vitest";
import { failureOf, ok, resultOf, runCell } from "./sandbox-harness.ts";

/** Native code that ignores interrupts: a search that takes hours. */
export const NATIVE_LOOP = "const s = 'a'.repeat(4e6); s.indexOf('a'.repeat(2e6) + 'b');";

export function describeSandboxLimits(sandbox: () => Sandbox, create: () => Sandbox): void {
  const soon = { cpuMs: 200 };

  test("[C38] computing beyond the time limit ends the cell, and no code can prevent that", async () => {
    for (const code of [
      "for (;;);",
      "for (;;) { try { for (;;); } catch {} finally { for (;;); } }",
      "for (;;) await null;",
      "const flood = () => { Promise.resolve().then(flood) }; flood(); await new Promise(() => {})",
      "function* g() { for (;;) yield; } for (const x of g());",
      "return { toJSON() { for (;;); } }",
      "throw { get message() { for (;;); } }",
      "console.log({ toJSON() { for (;;); } })",
      "await tools.a({ toJSON() { for (;;); } })",
      "/^(a+)+$/.test('a'.repeat(40) + 'b')",
    ]) {
      expect(await failureOf(sandbox(), { code, limits: soon }), code).toMatchObject({ code: "time_limit" });
    }
  });

  test("[C38] time adds up over slices; waiting does not count", async () => {
    const spin = "const until = 3e6; let x = 0; for (let i = 0; i < until; i++) x += i; await tools.a();";
    const code = `for (;;) { ${spin} }`;
    expect(await failureOf(sandbox(), { code, limits: { cpuMs: 400 } })).toMatchObject({
      code: "time_limit",
    });
    const waited = runCell(sandbox(), {
      code: "await tools.a(); return 1",
      limits: soon,
      answer: () => undefined,
    });
    const state = await Promise.race([
      waited,
      new Promise((resolve) => void setTimeout(resolve, 600, "waiting")),
    ]);
    expect(state).toBe("waiting");
  });

  test("[C39] ends native loops too, and keeps the logs before them", async () => {
    const native = await runCell(sandbox(), {
      code: `console.log("before"); await tools.a(); ${NATIVE_LOOP}`,
      limits: soon,
    });
    expect(native.outcome).toMatchObject({
      kind: "failed",
      failure: { code: "time_limit" },
      logs: ["before"],
    });
    expect(await resultOf(sandbox(), "return 'usable'")).toBe("usable");
  });

  test("[C40] memory beyond the limit ends the cell", async () => {
    for (const code of [
      "const a = []; for (;;) a.push({ x: 1 });",
      "const a = []; for (;;) a.push(new Uint8Array(1 << 20).fill(1));",
      "[...Array(1e9)]",
      "const a = []; for (;;) a.push('x'.repeat(1e6) + a.length);",
      "'x'.repeat(2 ** 29)",
      "new ArrayBuffer(2 ** 31 - 1)",
    ]) {
      const { code: failure } = await failureOf(sandbox(), { code, limits: { cpuMs: 10_000 } });
      expect(failure, code).toBe("memory_limit");
    }
  });

  test("[C40] a result too big for the cell's memory ends the cell", async () => {
    const answer = () => ok("x".repeat(6e6));
    const code = "const all = []; for (;;) all.push(await tools.a());";
    expect(await failureOf(sandbox(), { code, answer })).toMatchObject({ code: "memory_limit" });
  });

  test("[C41] recursion beyond the stack limit ends the cell, unless the code catches it", async () => {
    expect(await failureOf(sandbox(), "\nconst f = () => f() + 1; f()")).toMatchObject({
      code: "stack_limit",
      line: 2,
    });
    const nested = `${"[".repeat(1e5)}${"]".repeat(1e5)}`;
    expect(await failureOf(sandbox(), `return ${nested}`)).toMatchObject({ code: "stack_limit" });
    const caught = "const f = () => f() + 1; try { f() } catch (e) { return e.name }";
    expect(await resultOf(sandbox(), caught)).toBe("RangeError");
    const deep =
      "let o = 0; for (let i = 0; i < 1e5; i++) o = [o]; try { JSON.stringify(o) } catch (e) { return e.name }";
    expect(await resultOf(sandbox(), deep)).toBe("RangeError");
  });

  test("[C42] too many calls, in total or at once, end the cell even if caught", async () => {
    const many = "for (let i = 0; i < 10; i++) { try { await tools.a(i) } catch {} } return 'went on'";
    const inAll = await runCell(sandbox(), { code: many, limits: { maxCalls: 3 } });
    expect(inAll.outcome).toMatchObject({ failure: { code: "call_limit" } });
    expect(inAll.calls).toHaveLength(3);
    const atOnce = "return await Promise.allSettled([1, 2, 3, 4].map((n) => tools.a(n)))";
    const all = await runCell(sandbox(), { code: atOnce, limits: { maxInFlight: 3 } });
    expect(all.outcome).toMatchObject({ failure: { code: "call_limit" } });
    expect(all.calls).toEqual([]);
    expect(await failureOf(sandbox(), { code: atOnce, limits: { maxInFlight: 4 } })).toEqual({
      code: "completed",
    });
  });

  test("[C43] an input or a result that is too large ends the cell; sizes are in bytes", async () => {
    const input = "try { await tools.a('ü'.repeat(60)) } catch {} return 1";
    expect(await failureOf(sandbox(), { code: input, limits: { maxInputBytes: 100 } })).toMatchObject({
      code: "size_limit",
    });
    expect(await failureOf(sandbox(), { code: input, limits: { maxInputBytes: 122 } })).toEqual({
      code: "completed",
    });
    const result = "return 'x'.repeat(200)";
    expect(await failureOf(sandbox(), { code: result, limits: { maxResultBytes: 100 } })).toMatchObject({
      code: "size_limit",
    });
  });

  test("[C43] a call's result that is too large is an error that the code can catch", async () => {
    const code = "try { await tools.a() } catch (e) { return e.code }";
    const big = { code, limits: { maxResultBytes: 100 }, answer: () => ok("x".repeat(200)) };
    expect(await resultOf(sandbox(), big)).toBe("size_limit");
  });

  test("[C37] the log is cut at its limit and says so", async () => {
    const { outcome } = await runCell(sandbox(), {
      code: "for (let i = 0; i < 1000; i++) console.log('line ' + i); console.log('x'.repeat(1e6)); return 1",
      limits: { maxLogBytes: 100 },
    });
    expect(outcome.kind).toBe("completed");
    expect(outcome.logs.join("\n").length).toBeLessThan(200);
    expect(outcome.logs.at(-1)).toContain("left out");
  });

  test("[C44] code that ends while calls are open fails, and calls that nothing awaited never happen", async () => {
    const left = await runCell(sandbox(), { code: "\ntools.a(1); return 'done'" });
    expect(left).toMatchObject({ calls: [], outcome: { failure: { code: "unawaited_calls", line: 2 } } });
    const slow = await runCell(sandbox(), {
      code: "const p = tools.a(1); await tools.b.c(); return 'done'",
      answer: (call) => (call.path === "a" ? undefined : ok(null)),
    });
    expect(slow.outcome).toMatchObject({ failure: { code: "unawaited_calls" } });
  });

  test("[C81] code that ends while calls are open is told which of them did not run, and which may have", async () => {
    const both = await runCell(sandbox(), {
      code: "void tools.a(1); await tools.b.c(); void tools.b.c(); return 'done'",
      answer: (call) => (call.path === "a" ? undefined : ok(null)),
    });
    expect(both.outcome).toMatchObject({
      failure: {
        message:
          "The code ended before calls that it did not await. These did not run: b.c. These were stopped, and may have had effects: a. Await every call.",
      },
    });
  });

  test("[C45] an unhandled rejection fails the cell; one handled late does not", async () => {
    const refuse = {
      answer: (call: { readonly path: string }) => (call.path === "a" ? deniedNow : ok(null)),
    };
    const lost = { code: "tools.a();\nawait tools.b.c(); return 1", ...refuse };
    expect(await failureOf(sandbox(), lost)).toMatchObject({ code: "threw", line: 1 });
    const late = {
      code: "const p = tools.a(); await tools.b.c(); try { await p } catch {} return 1",
      ...refuse,
    };
    expect(await resultOf(sandbox(), late)).toBe(1);
    expect(await failureOf(sandbox(), "Promise.reject(new Error('x')); return 1")).toMatchObject({
      code: "threw",
    });
  });

  test("[C46] code that waits for something other than a call is stalled", async () => {
    expect(await failureOf(sandbox(), "await new Promise(() => {})")).toMatchObject({ code: "stalled" });
    expect(await failureOf(sandbox(), "await tools.a(); await { then() {} }")).toMatchObject({
      code: "stalled",
    });
  });

  test("[C47] an abort ends the cell at any point", async () => {
    const aborted = { code: "aborted" };
    expect(await failureOf(sandbox(), { code: "return 1", signal: AbortSignal.abort() })).toMatchObject(
      aborted,
    );
    for (const code of ["await tools.a()", "for (;;);", NATIVE_LOOP]) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 150);
      const cell = { code, signal: controller.signal, answer: () => undefined, limits: { cpuMs: 60_000 } };
      expect(await failureOf(sandbox(), cell), code).toMatchObject(aborted);
    }
  });

  test("[C48] cells run concurrently and share nothing; a failed one disturbs no other", async () => {
    const patient = runCell(sandbox(), {
      code: "const before = globalThis.mark; await tools.a(); return [before, globalThis.mark]",
      answer: () => undefined,
      limits: { cpuMs: 60_000 },
    });
    expect(
      await failureOf(sandbox(), { code: `globalThis.mark = 1; ${NATIVE_LOOP}`, limits: { cpuMs: 100 } }),
    ).toMatchObject({
      code: "time_limit",
    });
    expect(await resultOf(sandbox(), "globalThis.mark = 2; Array.prototype.x = 3; return 1")).toBe(1);
    expect(await resultOf(sandbox(), "return [globalThis.mark, [].x]")).toEqual([null, null]);
    expect(await Promise.race([patient, Promise.resolve("still waiting")])).toBe("still waiting");
    const many = await Promise.all(
      [1, 2, 3].map((n) => resultOf(sandbox(), `return (await tools.a(${n})).echo`)),
    );
    expect(many).toEqual([1, 2, 3]);
  });

  test("[C48] disposing ends running cells as aborted, and starts no more", async () => {
    const own = create();
    const running = own.start(
      {
        code: "await tools.a()",
        toolPaths: ["a"],
        limits: DEFAULT_CELL_LIMITS,
        startedAtMs: 0,
        seed: 1,
        onCall: () => {},
      },
      new AbortController().signal,
    );
    await own[Symbol.asyncDispose]();
    expect(await running.outcome).toMatchObject({ failure: { code: "aborted" } });
    expect(await failureOf(own, "return 1")).toMatchObject({ code: "aborted" });
  });
}

const deniedNow = { kind: "error", code: "denied", message: "no", atMs: 0 } as const;
