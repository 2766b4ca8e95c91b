import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEFAULT_CELL_LIMITS } from "../sandbox.ts";
import { createNodeTypeChecker } from "./type-checker.ts";
import { loadTypeScript } from "./typescript-process.ts";
import { createWorkerSandbox } from "./worker-sandbox.ts";

const signal = new AbortController().signal;
const checker = createNodeTypeChecker();
const sandbox = createWorkerSandbox();
afterAll(() => Promise.all([checker[Symbol.asyncDispose](), sandbox[Symbol.asyncDispose]()]));

const check = (code: string) => checker.check({ code, declarations: "declare const tools: {};" }, signal);

async function runCell(code: string): Promise<unknown> {
  const spec = {
    code,
    toolPaths: [],
    limits: DEFAULT_CELL_LIMITS,
    startedAtMs: 0,
    seed: 1,
    onCall: () => {},
  };
  const outcome = await sandbox.start(spec, signal).outcome;
  if (outcome.kind === "failed") throw new Error(outcome.failure.message);
  return JSON.parse(outcome.resultJson ?? "null");
}

/** Exists at run time, but does not work, or is useless to a program. */
const UNDECLARED = new Set(["Function", "InternalError", "SharedArrayBuffer", "eval", "queueMicrotask"]);
/** Globals of other environments; the names of TypeScript's own libraries are added. */
const ELSEWHERE =
  "fetch setTimeout setInterval setImmediate structuredClone URL TextEncoder crypto performance process Buffer require module window document navigator atob btoa Deno Bun WebAssembly Temporal";

let present: readonly string[];
beforeAll(async () => {
  present = (await runCell("return Object.getOwnPropertyNames(globalThis);")) as string[];
});

test("[C70] the checker accepts exactly the globals that exist in a cell", async () => {
  const names = new Set([...(await libraryNames()), ...ELSEWHERE.split(" "), ...present]);
  expect(names.size).toBeGreaterThan(80);
  const accepted: string[] = [];
  for (const name of names) if ((await check(`void ${name};`)).length === 0) accepted.push(name);
  expect(accepted.filter((name) => !present.includes(name))).toEqual([]);
  const refused = present.filter((name) => !accepted.includes(name));
  expect(refused.filter((name) => !UNDECLARED.has(name))).toEqual([]);
});

/** One of everything that a program can get. */
const VALUES = [
  ..."Object Error AggregateError SuppressedError Iterator Array Number Boolean String Math Reflect Symbol".split(
    " ",
  ),
  ..."DisposableStack AsyncDisposableStack BigInt Date RegExp JSON Proxy Map Set WeakMap WeakSet".split(" "),
  ..."ArrayBuffer Uint8Array Float16Array BigInt64Array DataView Promise console".split(" "),
  "({})",
  "[1]",
  "(() => 1)",
  "'text'",
  "1.5",
  "1n",
  "true",
  "Symbol('a')",
  "/a/g",
  "/a/d.exec('a')",
  "new Date(0)",
  "new Error('a', { cause: 1 })",
  "new AggregateError([], 'a', { cause: 1 })",
  "new SuppressedError(1, 2, 'a')",
  "new Map()",
  "new Set()",
  "new WeakMap()",
  "new WeakSet()",
  "new ArrayBuffer(1)",
  "new DataView(new ArrayBuffer(1))",
  "new Uint8Array(1)",
  "new Float16Array(1)",
  "new BigInt64Array(1)",
  "Promise.resolve(1)",
  "Promise.withResolvers()",
  "[1].values()",
  "new Map().entries()",
  "'a'.matchAll(/a/g)",
  "(function* () { yield 1; })()",
  "(async function* () { yield 1; })()",
  "new DisposableStack()",
  "new AsyncDisposableStack()",
];

test("[C70] the same for every member that a program can reach", async () => {
  const members = (await runCell(`return [${VALUES.join(", ")}].map((value) => {
    const names = new Set();
    for (let at = Object(value); at !== null; at = Object.getPrototypeOf(at)) {
      for (const name of Object.getOwnPropertyNames(at)) names.add(name);
    }
    return [...names];
  });`)) as string[][];
  const union = (names: readonly string[] = []) => names.map((name) => JSON.stringify(name)).join(" | ");
  const lines = VALUES.map(
    (value, index) => `const v${index} = ${value};
      const none${index}: Absent<NonNullable<typeof v${index}>, ${union(members[index])}> = true;`,
  );
  // An optional one is not guaranteed.
  const absent = `type Promised<T, K> = K extends keyof T & string ? ({} extends Pick<T, K> ? never : K) : never;
    type Absent<T, Known> = [Exclude<Promised<T, keyof T>, Known>] extends [never] ? true : Promised<T, keyof T>;`;
  expect((await check(`${absent}\n${lines.join("\n")}`)).map(({ message }) => message)).toEqual([]);
  const [found] = await check(`${absent}\nconst v = /a/; const none: Absent<typeof v, "source"> = true;`);
  expect(found?.code, "the comparison itself").toBe("TS2322");
});

test("[C70] the accepted ones work", async () => {
  const code = `const log = [];
    { using a = { [Symbol.dispose]: () => log.push("disposed") }; }
    log.push(new Map([["a", 1]]).getOrInsert("a", 2), new Uint8Array([1]).toBase64(), Error.isError(new Error()));
    log.push(await Array.fromAsync([Promise.resolve(1)]), [1, 2].values().map((n) => n * 2).toArray());
    log.push(new Set([1]).union(new Set([2])).size, Object.groupBy([1], () => "a").a, RegExp.escape("."));
    return log;`;
  expect(await check(code.replace("const log = [];", "const log: unknown[] = [];"))).toEqual([]);
  expect(await runCell(code)).toEqual(["disposed", 1, "AQ==", true, [1], [2, 4], 2, [1], "\\."]);
});

/** Everything that TypeScript's libraries for the language declare as a value. */
async function libraryNames(): Promise<readonly string[]> {
  const { libraryDirectory } = await loadTypeScript();
  const files = readdirSync(libraryDirectory).filter((file) =>
    /^lib\.(?:es|decorators)[\w.]*d\.ts$/.test(file),
  );
  const text = files.map((file) => readFileSync(join(libraryDirectory, file), "utf8")).join("\n");
  return [
    ...text.matchAll(/^(?:declare| {4})(?: abstract)? (?:var|let|const|function|class|namespace) (\w+)/gm),
  ].map(([, name]) => name ?? "");
}
