import { SOON, type Probe, type ProbeFamily } from "./probe.ts";

const stopped = (rule: string, title: string, code: string): Probe => ({
  title: `[${rule}] ${title} is stopped`,
  code,
  limits: SOON,
  ends: ["time_limit"],
});

/** Inside native code that ignores interrupts: the worker itself is stopped. */
const native = ([title, code]: readonly [string, string]): Probe => stopped("C39", title, code);

/** In code of the cell, which the engine interrupts. */
const guest = ([title, code]: readonly [string, string]): Probe => stopped("C38", title, code);

const NATIVE: Readonly<Record<string, string>> = {
  "a search for a needle that nearly fits everywhere": "'a'.repeat(4e6).indexOf('a'.repeat(2e6) + 'b')",
  "a pattern that backtracks": "/^(a+)+$/.test('a'.repeat(50) + 'b')",
  "a pattern of alternatives that overlap": "/^(?:(a|a)+)+$/.test('a'.repeat(50) + '!')",
  "a pattern of many wildcards": "/(.*)(.*)(.*)(.*)(.*)(.*)x/.test('a'.repeat(1000))",
  "a replacement with a lazy pattern": "'a'.repeat(3e6).replace(/a*?b/g, '')",
  "a replacement of everything by much": "'a'.repeat(1e6).replaceAll('a', 'b'.repeat(1e6))",
  "a join of an array of every length": "Array(2 ** 32 - 1).join()",
  "a search in an array of every length": "Array(2 ** 32 - 1).lastIndexOf(1)",
  "a sort of an array of every length": "Array(2 ** 32 - 1).sort()",
  "a reversal of an array of every length": "Array(2 ** 32 - 1).reverse()",
  "a move within an object of every length": "Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 0, 1)",
  "an unshift of an object of every length": "Array.prototype.unshift.call({ length: 2 ** 53 - 3 }, 1)",
  "a concatenation of an object of every length":
    "[].concat({ length: 2 ** 53 - 1, [Symbol.isConcatSpreadable]: true })",
  "a bigint in words": "(10n ** 200000n).toString()",
  "a bigint's power": "let x = 1n; for (let i = 0; i < 1e9; i++) x = (7n ** 300000n) % 11n",
  "a normalisation of many marks":
    "const marks = '\\u0301\\u0316'.repeat(1e5); for (;;) marks.normalize('NFC')",
  "a template of a raw array of every length": "String.raw({ raw: { length: 2 ** 40 } })",
  "a fill of typed arrays": "const all = new Uint8Array(8e6); for (;;) all.fill(1)",
  "a sort of many numbers": "const all = Array.from({ length: 2e5 }, Math.random); for (;;) all.sort()",
};

/** Take memory as they go: which of the two limits comes first depends on the machine. */
const growing = (rule: string, title: string, code: string): Probe => ({
  ...stopped(rule, title, code),
  ends: ["time_limit", "memory_limit"],
});

/** Code that would swallow the engine's own interrupt and continue. */
const SWALLOWING: Readonly<Record<string, string>> = {
  "a promise's executor": "new Promise(() => { for (;;); }).catch(() => {})",
  "an async function": "(async () => { for (;;); })().catch(() => {})",
  "an async generator": "(async function* () { for (;;); })().next().catch(() => {})",
  "a try in a callback": "[1].forEach(() => { try { for (;;); } catch {} })",
  "a promise's reaction": "await Promise.resolve().then(() => { for (;;); }).catch(() => {})",
  "a thenable": "await Promise.resolve({ then() { for (;;); } }).catch(() => {})",
};

const swallowing = ([title, code]: readonly [string, string]): Probe => ({
  title: `[C38] ${title} does not outlive the time limit`,
  code: `for (let i = 0; i < 3; i++) { ${code}; console.log("went on") }`,
  limits: SOON,
  logs: [],
  ends: ["time_limit"],
});

const GUEST: Readonly<Record<string, string>> = {
  "a loop in a loop's finally": "for (;;) { try { for (;;); } catch {} finally { for (;;); } }",
  "a comparator without end": "[3, 2, 1].sort(() => { for (;;); })",
  "a reviver without end": "JSON.parse('[1]', () => { for (;;); })",
  "a replacer without end": "JSON.stringify([1], () => { for (;;); })",
  "an iterator without end":
    "new Set({ [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 1 }) }) })",
  "a generator without end": "for (const x of (function* () { for (;;) yield 1 })());",
  "an async generator without end": "for await (const x of (async function* () { for (;;) yield 1 })());",
  "an iterator helper without end": "Iterator.from({ next: () => ({ done: false }) }).drop(Infinity).next()",
  "a proxy's trap without end": "'x' in new Proxy({}, { has() { for (;;); } })",
  "a list of keys without end":
    "JSON.stringify({}, new Proxy([], { get: (t, k) => (k === 'length' ? 2 ** 32 : 'k') }))",
  "a getter without end": "({ get x() { for (;;); } }).x",
  "a setter without end": "({ set x(v) { for (;;); } }).x = 1",
  "a conversion without end": "`${{ toString() { for (;;); } }}`",
  "a species without end":
    "class A extends Array { static get [Symbol.species]() { for (;;); } } new A(1).map((x) => x)",
  "a class's static block without end": "class A { static { for (;;); } }",
  "a default without end": "((x = (() => { for (;;); })()) => x)()",
  "a promise that reschedules itself":
    "const again = () => void Promise.resolve().then(again); again(); await new Promise(() => {})",
  "a flood that outlives the cell":
    "const again = () => void Promise.resolve().then(again); again(); return 1",
  "an await without end": "for (;;) await null",
  "a thenable that never gets anywhere": "await { then(done) { done(this) } }",
  "a throw without end": "for (;;) try { throw new Error() } catch {}",
  "labels and continues": "outer: for (;;) { for (;;) continue outer }",
  "memory that is caught and asked for again":
    "const all = []; for (;;) try { all.push(new Uint8Array(1e6)) } catch {}",
};

export const nativeLoops: ProbeFamily = {
  name: "native loops",
  probes: [
    ...Object.entries(NATIVE).map(native),
    growing("C39", "JSON of an array of every length", "JSON.stringify(Array(2 ** 32 - 1))"),
  ],
};

export const guestLoops: ProbeFamily = {
  name: "loops of the cell",
  probes: [
    ...Object.entries(GUEST).map(guest),
    ...Object.entries(SWALLOWING).map(swallowing),
    growing(
      "C38",
      "a rejection without end",
      "const again = () => Promise.reject(1).catch(again); await again()",
    ),
  ],
};
