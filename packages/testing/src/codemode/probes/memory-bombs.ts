import { ok } from "../sandbox-harness.ts";
import { CRAMPED, type Probe, type ProbeFamily } from "./probe.ts";

const bomb = ([title, code]: readonly [string, string]): Probe => ({
  title: `[C40] ${title} end at the limit`,
  code,
  limits: CRAMPED,
  ends: ["memory_limit"],
});

/** `keep` holds on to everything it is given. */
const keep = (value: string): string => `const all = []; for (let i = 0; ; i++) all.push(${value})`;

const BOMBS: Readonly<Record<string, string>> = {
  objects: keep("{ i }"),
  arrays: keep("[i, i, i]"),
  "sparse arrays": "const all = []; all[2 ** 32 - 2] = 1; for (let i = 0; ; i += 7) all[i] = 1",
  "an array of every length, filled,": "Array(2 ** 32 - 1).fill(1)",
  "a spread without end": "[...(function* () { for (;;) yield 1 })()]",
  "an array from a length": "Array.from({ length: 2 ** 31 })",
  strings: keep("'x'.repeat(1000) + i"),
  "a string that doubles": "let s = 'x'; for (;;) s += s",
  "a string that grows": "let s = ''; for (let i = 0; ; i++) s += 'part ' + i",
  "ropes that share": "let s = 'x'; const all = []; for (;;) { s = s + 'y' + s.slice(0, 9); all.push(s) }",
  "a repetition": "'x'.repeat(2 ** 28)",
  "a padding": "''.padEnd(2 ** 29)",
  "a join of much": "Array(1000).fill('x'.repeat(1e5)).join('')",
  "a split of much": "'x'.repeat(2e6).split('')",
  "a template that doubles": "let t = 'tt'; for (;;) t = `${t}${t}`",
  escapes: "JSON.stringify('\\u0001'.repeat(2e6))",
  buffers: keep("new ArrayBuffer(1e5)"),
  "shared buffers": keep("new SharedArrayBuffer(1e5)"),
  "one great buffer": "new ArrayBuffer(2 ** 31 - 1)",
  "a resizable buffer": "new ArrayBuffer(8, { maxByteLength: 2 ** 30 }).resize(2 ** 29)",
  "buffers passed on": keep("new ArrayBuffer(1e4).transfer(1e5)"),
  "typed arrays": keep("new Float64Array(1000).fill(i)"),
  "a map": "const all = new Map(); for (let i = 0; ; i++) all.set(i, i)",
  "a set": "const all = new Set(); for (let i = 0; ; i++) all.add('k' + i)",
  "a weak map with keys that stay":
    "const all = new WeakMap(), keys = []; for (;;) { const k = {}; keys.push(k); all.set(k, {}) }",
  closures: keep("() => i"),
  classes: keep("class { static x = i; #y = 1 }"),
  "bound functions": keep("Array.bind(null, i, i, i)"),
  generators: "const all = []; for (;;) { const g = (function* () { yield 1 })(); g.next(); all.push(g) }",
  promises: keep("new Promise(() => {})"),
  "reactions to one promise": "const p = new Promise(() => {}); for (;;) p.then(() => {})",
  jobs: "for (;;) Promise.resolve().then(() => {})",
  "async functions that wait": keep("(async () => { await new Promise(() => {}) })()"),
  "promises of promises":
    "let p = Promise.resolve(); for (let i = 0; i < 1e5; i++) { const q = p; p = new Promise((done) => done(q)) } await p",
  bigints: keep("2n ** 20000n + BigInt(i)"),
  symbols: keep("Symbol('s' + i)"),
  patterns: keep("new RegExp('a' + i)"),
  "a pattern's memory": "/(?:(?:a*)*)*/.test('a'.repeat(1e6))",
  errors: keep("new Error('e' + i)"),
  "dates and proxies": keep("[new Date(i), new Proxy({}, {})]"),
  "names of properties": "const all = {}; for (let i = 0; ; i++) all['k' + i] = 1",
  globals: "for (let i = 0; ; i++) globalThis['k' + i] = 1",
  "levels of nesting": "let o = []; for (;;) o = [o]",
  "a result": "return Array.from({ length: 1e6 }, () => 'x'.repeat(20))",
};

export const memoryBombs: ProbeFamily = {
  name: "memory bombs",
  probes: [
    ...Object.entries(BOMBS).map(bomb),
    {
      title: "[C40] results that are kept end at the limit",
      code: "const r = await tools.a(), all = []; for (;;) all.push(JSON.parse(JSON.stringify(r)))",
      limits: CRAMPED,
      answer: () => ok(["x".repeat(1e5)]),
      calls: ["a null"],
      ends: ["memory_limit"],
    },
    {
      title: "[C40] a result too large for the cell ends it",
      code: "return (await tools.a()).length",
      limits: CRAMPED,
      answer: () => ok(Array.from({ length: 4e5 }, () => 1)),
      calls: ["a null"],
      ends: ["memory_limit"],
    },
    {
      title: "[C40] memory that is given back can be used again",
      code: "for (let i = 0; i < 200; i++) new Uint8Array(1e6).fill(i); return 'done'",
      limits: CRAMPED,
      ends: [{ returns: "done" }],
    },
    {
      title: "[C40] running out of memory can be caught, and the memory freed",
      code: "let all = []; try { for (;;) all.push(new Uint8Array(1000)) } catch (e) { all = null; return 'done' }",
      limits: CRAMPED,
      ends: [{ returns: "done" }, "memory_limit"],
    },
    {
      title: "[C43] a text result beyond its limit ends the cell",
      code: "return 'x'.repeat(5000)",
      limits: { maxResultBytes: 5000 },
      ends: ["size_limit"],
    },
    {
      title: "[C43] an input beyond its limit ends the cell, caught or not",
      code: "try { await tools.a('x'.repeat(5000)) } catch {} return 1",
      limits: { maxInputBytes: 5000 },
      ends: ["size_limit"],
    },
  ],
};
