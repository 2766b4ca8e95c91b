import {
  type BridgeCall,
  type CellImage,
  DEFAULT_CELL_LIMITS,
  type RunningCell,
  type Sandbox,
} from "@deputy/codemode";
import { expect, test } from "vitest";
import { denied, ok, resultOf, STARTED_AT_MS } from "./sandbox-harness.ts";

interface Opened {
  readonly cell: RunningCell;
  readonly calls: readonly BridgeCall[];
}

const never = new AbortController().signal;

function open(
  sandbox: Sandbox,
  code: string,
  from: { readonly image?: CellImage; readonly limits?: object; readonly signal?: AbortSignal } = {},
): Opened {
  const calls: BridgeCall[] = [];
  const limits = { ...DEFAULT_CELL_LIMITS, ...from.limits };
  const cell = sandbox.start(
    {
      code,
      toolPaths: ["a", "b.c"],
      limits,
      startedAtMs: STARTED_AT_MS,
      seed: 3,
      onCall: (call) => void calls.push(call),
      image: from.image,
    },
    from.signal ?? never,
  );
  return { cell, calls };
}

/** The image of a cell that waits for its first calls; the cell itself is stopped. */
async function imageOf(sandbox: Sandbox, code: string, limits?: object): Promise<CellImage> {
  const stop = new AbortController();
  const { cell } = open(sandbox, code, { signal: stop.signal, ...(limits === undefined ? {} : { limits }) });
  await cell.quiet();
  const image = await cell.hibernate();
  stop.abort();
  if (image === undefined) throw new Error("The cell does not wait");
  return image;
}

/** State of every kind that a program can be in the middle of. */
const HELD = {
  "private fields": ["class A { #n = 1; next() { return ++this.#n } } const a = new A();", "a.next()", 2],
  generators: [
    "function* g() { let n = 0; while (true) yield n++ } const it = g(); it.next();",
    "it.next().value",
    1,
  ],
  closures: ["let n = 1; const add = () => (n += 1);", "add() + n", 4],
  "maps, sets and weak maps": [
    "const k = {}; const m = new Map([[k, 1]]), w = new WeakMap([[k, 2]]), s = new Set([k]);",
    "[m.get(k), w.get(k), s.has(k)]",
    [1, 2, true],
  ],
  "regular expressions": [
    "const re = /a/g; re.test('aaa');",
    "[re.lastIndex, re.test('aaa'), re.lastIndex]",
    [1, true, 2],
  ],
  "typed arrays and big ints": [
    "const t = new Uint16Array([1, 2]); const b = 2n ** 70n;",
    "[[...t], String(b)]",
    [[1, 2], "1180591620717411303424"],
  ],
  "symbols and getters": [
    "const y = Symbol('y'); const o = { [y]: 1, get z() { return this[y] } };",
    "o.z",
    1,
  ],
  proxies: ["const p = new Proxy({}, { get: (_, key) => String(key) });", "p.hello", "hello"],
  randomness: ["const before = Math.random();", "before !== Math.random()", true],
  "async generators": [
    "async function* g() { yield 1; yield 2 } const it = g(); await it.next();",
    "(await it.next()).value",
    2,
  ],
} as const;

/** Rules for sleeping cells, and for images that continue elsewhere. */
export function describeImages(sandbox: () => Sandbox, create: () => Sandbox): void {
  test("[C56] a sleeping cell continues when its call is settled", async () => {
    const { cell, calls } = open(sandbox(), "const x = await tools.a(1); return [x, await tools.a(2)]");
    for (const n of [0, 1]) {
      await cell.quiet();
      expect(await cell.hibernate()).toBeInstanceOf(Uint8Array);
      expect(await cell.hibernate()).toBeInstanceOf(Uint8Array);
      expect(calls).toHaveLength(n + 1);
      cell.settle(n + 1, ok(n));
    }
    expect(await cell.outcome).toMatchObject({ resultJson: "[0,1]" });
    expect(await cell.hibernate()).toBeUndefined();
  });

  test.each(Object.entries(HELD))(
    "[C57] %s survive in another sandbox",
    async (_what, [setup, value, expected]) => {
      const image = await imageOf(sandbox(), `${setup}\nawait tools.a();\nreturn ${value}`);
      await using other = create();
      const { cell, calls } = open(other, "", { image });
      await cell.quiet();
      expect(calls).toEqual([{ id: 1, path: "a", inputJson: "null" }]);
      cell.settle(1, ok(null));
      const outcome = await cell.outcome;
      expect(outcome.kind === "completed" && JSON.parse(outcome.resultJson ?? "null")).toEqual(expected);
    },
  );

  test("[C57] so do concurrent calls, races, and a caught denial", async () => {
    const code = `const all = Promise.all([tools.a(1), tools.a(2)]), race = [tools.b.c(1), tools.b.c(2)];
      let caught; try { await tools.a(3) } catch (error) { caught = [error.code, error.message, error instanceof Error] }
      const first = await Promise.race(race); await race[0];
      return [await all, first, caught]`;
    const { cell, calls } = open(sandbox(), "", { image: await imageOf(sandbox(), code) });
    await cell.quiet();
    expect(calls.map((call) => [call.id, call.path, call.inputJson])).toEqual([
      [1, "a", "1"],
      [2, "a", "2"],
      [3, "b.c", "1"],
      [4, "b.c", "2"],
      [5, "a", "3"],
    ]);
    for (const id of [4, 2, 5, 1, 3]) cell.settle(id, id === 5 ? denied : ok(id));
    expect(await cell.outcome).toMatchObject({
      resultJson: JSON.stringify([[1, 2], 4, ["denied", "You said no", true]]),
    });
  });

  test("[C57] time, logs and limits continue where they stopped", async () => {
    const limits = { maxLogBytes: 12, maxCalls: 2, cpuMs: 2_000 };
    const logging = await imageOf(
      sandbox(),
      "console.log('12345'); await tools.a(); console.log('1234567'); return 1",
      limits,
    );
    const log = open(sandbox(), "", { image: logging, limits }).cell;
    await log.quiet();
    log.settle(1, ok(null));
    expect((await log.outcome).logs).toEqual(["12345", expect.stringContaining("full")]);

    const calling = await imageOf(sandbox(), "for (let i = 0; ; i++) await tools.a(i)", limits);
    const calls = open(sandbox(), "", { image: calling, limits }).cell;
    for (const id of [1, 2]) {
      await calls.quiet();
      calls.settle(id, ok(null, STARTED_AT_MS + 5));
    }
    expect(await calls.outcome).toMatchObject({ failure: { code: "call_limit" } });

    const busy = "for (const end = 3e6, o = { n: 0 }; o.n < end; o.n++);";
    const computing = await imageOf(sandbox(), `for (;;) { ${busy} await tools.a() }`, {
      ...limits,
      cpuMs: 400,
      maxCalls: 1_000,
    });
    let image: CellImage | undefined = computing;
    let rounds = 0;
    let outcome: unknown;
    while (image !== undefined && rounds < 200) {
      rounds += 1;
      const { cell } = open(sandbox(), "", { image, limits: { ...limits, cpuMs: 400, maxCalls: 1_000 } });
      await cell.quiet();
      cell.settle(rounds, ok(null));
      await cell.quiet();
      image = await cell.hibernate();
      if (image === undefined) outcome = await cell.outcome;
    }
    expect(outcome).toMatchObject({ failure: { code: "time_limit" } });
  });

  test("[C57] an unhandled rejection survives", async () => {
    const { cell } = open(sandbox(), "", {
      image: await imageOf(sandbox(), "Promise.reject(new Error('left')); await tools.a(); return 1"),
    });
    await cell.quiet();
    cell.settle(1, ok(null));
    expect(await cell.outcome).toMatchObject({
      failure: { code: "threw", message: expect.stringContaining("left") },
    });
  });

  test("[C58] an image can be resumed any number of times; the copies share nothing", async () => {
    const image = await imageOf(sandbox(), "const seen = []; seen.push(await tools.a()); return seen");
    const copies = [1, 2, 3].map(() => open(sandbox(), "", { image }));
    for (const [n, { cell }] of copies.entries()) {
      await cell.quiet();
      cell.settle(1, ok(n));
    }
    const outcomes = await Promise.all(copies.map(({ cell }) => cell.outcome));
    expect(outcomes.map((one) => one.kind === "completed" && one.resultJson)).toEqual(["[0]", "[1]", "[2]"]);
  });

  test("[C59] refuses what is not an image of this engine, and runs nothing", async () => {
    const image = await imageOf(sandbox(), "await tools.a()");
    const damaged = [
      new Uint8Array(),
      new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]),
      image.slice(0, image.length - 20),
      image.slice(20),
    ];
    for (const bytes of damaged) {
      const { cell, calls } = open(sandbox(), "await tools.a()", { image: bytes });
      expect(await cell.outcome).toMatchObject({ failure: { code: "image_unusable" } });
      expect(calls).toEqual([]);
    }
    expect(await resultOf(sandbox(), "return 1")).toBe(1);
  });

  test("[C63] far more cells than workers can wait, and each continues when its call is settled", async () => {
    const cells = Array.from({ length: 40 }, (_, n) => open(sandbox(), `return [${n}, await tools.a(${n})]`));
    await Promise.all(cells.map(({ cell }) => cell.quiet()));
    expect(cells.map(({ calls }) => calls.length)).toEqual(cells.map(() => 1));
    for (const { cell } of cells.toReversed()) cell.settle(1, ok("x"));
    const outcomes = await Promise.all(cells.map(({ cell }) => cell.outcome));
    expect(outcomes.map((one) => one.kind === "completed" && one.resultJson)).toEqual(
      cells.map((_, n) => `[${n},"x"]`),
    );
  });
}
