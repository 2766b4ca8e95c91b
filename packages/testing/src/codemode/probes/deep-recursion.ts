import { STARTED_AT_MS } from "../sandbox-harness.ts";
import type { Probe, ProbeFamily } from "./probe.ts";

/** Deep values need memory, so that the stack ends first. */
const ROOMY = { memoryBytes: 64 * 1024 * 1024, cpuMs: 20_000 };

const deep = ([title, code]: readonly [string, string]): Probe => ({
  title: `[C41] ${title} ends at the stack's limit`,
  code,
  limits: ROOMY,
  ends: ["stack_limit"],
});

const nested = "let o = []; for (let i = 0; i < 2e4; i++) o = [o];";
const proxies = (of: string): string => `let p = ${of}; for (let i = 0; i < 2e4; i++) p = new Proxy(p, {});`;
/** A bound function's name grows with each binding, and memory with it. */
const bound = (of: string): string =>
  `let f = ${of}; for (let i = 0; i < 2e4; i++) f = Object.defineProperty(f.bind(null), "name", { value: "f" });`;

const DEEP: Readonly<Record<string, string>> = {
  "a function that calls itself": "const f = () => f() + 1; f()",
  "a getter of itself": "const o = { get x() { return o.x } }; o.x",
  "a constructor of itself": "class A { constructor() { new A() } } new A()",
  "a generator of itself": "const g = function* () { yield* g() }; [...g()]",
  "an async function that awaits itself": "const f = async () => { await f() }; await f()",
  "an async generator of itself": "const g = async function* () { yield* g() }; for await (const x of g());",
  "a comparator that sorts": "[1, 2].sort(function f() { return [1, 2].sort(f) })",
  "a replacement that replaces": "'a'.replace(/a/, function f() { return 'a'.replace(/a/, f) })",
  "a toString of itself": "const o = { toString() { return `${o}` } }; `${o}`",
  "a valueOf of itself": "const o = { valueOf() { return +o } }; +o",
  "a primitive of itself": "const o = { [Symbol.toPrimitive]() { return o + 1 } }; o + 1",
  "a toJSON of itself": "const o = { toJSON() { return JSON.stringify(o) } }; JSON.stringify(o)",
  "an instance of itself":
    "class A { static [Symbol.hasInstance](x) { return x instanceof A } } ({}) instanceof A",
  "JSON of a deep value": `${nested} JSON.stringify(o)`,
  "text of a deep value": `${nested} String(o)`,
  "a deep value made flat": `${nested} o.flat(Infinity)`,
  "a deep value parsed": "JSON.parse('['.repeat(1e5) + ']'.repeat(1e5))",
  "a deep value returned": `${nested} return o`,
  "a chain of proxies": `${proxies("{}")} p.x`,
  "a chain of proxies, asked for its prototype,": `${proxies("{}")} Object.getPrototypeOf(p)`,
  "a chain of proxies, called,": `${proxies("() => 1")} p()`,
  "a chain of proxies, made new,": `${proxies("class {}")} new p()`,
  "a chain of proxies, thrown,": `${proxies("{ x: 1 }")} Object.keys(p)`,
  "a chain of bound functions": `${bound("() => 1")} f()`,
  "a chain of bound classes": `${bound("class {}")} new f()`,
  "a deep pattern": "new RegExp('(?:'.repeat(1e5) + ')'.repeat(1e5))",
  "deep code": `return ${"(".repeat(1e5)}1${")".repeat(1e5)}`,
  "deep blocks": `${"{".repeat(1e5)}${"}".repeat(1e5)}`,
  "a deep expression": `return ${"!".repeat(1e5)}1`,
};

export const deepRecursion: ProbeFamily = {
  name: "deep recursion",
  probes: [
    ...Object.entries(DEEP).map(deep),
    {
      title: "[C41] a deep argument is an error that the code can catch, and not a call",
      code: `${nested} try { await tools.a(o) } catch (e) { return e.name }`,
      limits: ROOMY,
      ends: [{ returns: "RangeError" }],
    },
    {
      title: "[C41] a deep result is an error that the code can catch",
      code: "try { await tools.a() } catch (e) { return e.name }",
      limits: ROOMY,
      answer: () => ({ kind: "ok", json: "[".repeat(1e5) + "]".repeat(1e5), atMs: STARTED_AT_MS }),
      calls: ["a null"],
      ends: [{ returns: "RangeError" }],
    },
    {
      title: "[C37] logs a deep value as something",
      code: `${nested} console.log(o); return 1`,
      limits: ROOMY,
      logs: ["[object]"],
      ends: [{ returns: 1 }],
    },
    {
      title: "[C53] a thrown deep value is only a value",
      code: `${nested} throw o`,
      limits: ROOMY,
      ends: ["threw"],
    },
    {
      title: "[C53] a thrown deep chain of causes is only a value",
      code: "let e = new Error('first'); for (let i = 0; i < 1e4; i++) e = new Error('next', { cause: e }); throw e",
      limits: ROOMY,
      ends: ["threw"],
    },
    {
      title: "[C48] deep values are freed without recursion",
      code: `${nested} ${proxies("{}")} ${bound("() => 1")} o = p = f = null; return "done"`,
      limits: ROOMY,
      ends: [{ returns: "done" }],
    },
    {
      title: "[C41] recursion that is caught and restarted ends in time",
      code: "const f = () => { try { f() } finally { f() } }; f()",
      limits: { cpuMs: 100 },
      ends: ["time_limit", "stack_limit"],
    },
    {
      title: "[C40] an async recursion that waits ends at the memory limit",
      code: "const f = async () => { await null; await f() }; await f()",
      limits: { memoryBytes: 4 * 1024 * 1024, cpuMs: 20_000 },
      ends: ["memory_limit"],
    },
  ],
};
