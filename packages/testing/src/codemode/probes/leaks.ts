import { denied, STARTED_AT_MS } from "../sandbox-harness.ts";
import type { ProbeFamily } from "./probe.ts";

/** All globals of a cell. If a new version of the engine has more, review them first. */
const GLOBALS = `
  AggregateError Array ArrayBuffer AsyncDisposableStack BigInt BigInt64Array BigUint64Array
  Boolean DataView Date DisposableStack Error EvalError Float16Array Float32Array Float64Array
  Function Infinity Int16Array Int32Array Int8Array InternalError Iterator JSON Map Math NaN
  Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer
  String SuppressedError Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array
  Uint8ClampedArray WeakMap WeakSet console decodeURI decodeURIComponent encodeURI
  encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt tools undefined
  unescape
`
  .trim()
  .split(/\s+/);

/** What can be seen of the host, the bridge, the machine or the time. */
export const leaks: ProbeFamily = {
  name: "leaks",
  probes: [
    {
      title: "[C50] has exactly these globals",
      code: "return Object.getOwnPropertyNames(globalThis).sort()",
      ends: [{ returns: GLOBALS }],
    },
    {
      title: "[C50] no symbol of the global object hides anything",
      code: "return Object.getOwnPropertySymbols(globalThis).map(String)",
      ends: [{ returns: ["Symbol(Symbol.toStringTag)"] }, { returns: [] }],
    },
    {
      title: "[C50] `this` is the cell's own global object, or nothing",
      code: "const f = function () { return this }; return [this === undefined || this === globalThis, f() === undefined]",
      ends: [{ returns: [true, true] }],
    },
    {
      title: "[C50] a function of the bridge has no source, no caller and no properties",
      code: `const parts = [tools.a, console.log, Math.random, Object.getOwnPropertyDescriptor(tools, "a").get];
        const caller = (f) => { try { return f.caller === undefined || f.caller === null } catch { return true } };
        return parts.map((f) => [/^function \\w+\\(\\) \\{\\s+\\[native code\\]\\s+\\}$/.test(String(f)), caller(f), Object.getOwnPropertyNames(f).join()])`,
      ends: [{ returns: Array.from({ length: 4 }, () => [true, true, "length,name"]) }],
    },
    {
      title: "[C50] stack traces name the cell and the prelude, and nothing of the host",
      code: `const stacks = []; const note = () => void stacks.push(new Error().stack); note();
        await tools.a({ toJSON() { note(); return 1 } });
        console.log({ toJSON() { note(); return 2 } });
        try { await tools.a(() => 1) } catch (e) { stacks.push(e.stack) }
        try { null.x } catch (e) { stacks.push(e.stack) }
        try { JSON.parse("{") } catch (e) { stacks.push(e.stack) }
        const f = () => f(); try { f() } catch (e) { stacks.push(e.stack) }
        const files = stacks.join("").match(/\\([^()]*\\)/g).map((place) => place.replace(/[\\d:()]+/g, ""));
        return [...new Set(files)].sort()`,
      calls: ["a 1"],
      logs: ["2"],
      ends: [{ returns: ["cell.ts", "deputyprelude", "native"] }],
    },
    {
      title: "[C50] a failed call's error contains its message and no more",
      code: "try { await tools.a() } catch (e) { return [Reflect.ownKeys(e).sort(), e.cause, Object.getPrototypeOf(e) === Error.prototype] }",
      answer: () => denied,
      calls: ["a null"],
      ends: [{ returns: [["code", "message", "name", "stack"], null, true] }],
    },
    {
      title: "[C50] a result that is not JSON fails with a message of the cell's own engine",
      code: "try { await tools.a() } catch (e) { return [e.name, e instanceof SyntaxError, /prelude|host|worker/.test(e.message)] }",
      answer: () => ({ kind: "ok", json: "{not json", atMs: STARTED_AT_MS }),
      calls: ["a null"],
      ends: [{ returns: ["SyntaxError", true, false] }],
    },
    {
      title: "[C50] the code cannot reach the arguments and callee of the functions around it",
      code: `const tried = [() => (function () { return arguments.callee.caller })(), () => run.caller, () => open, () => hostCall, () => lastId];
        return tried.filter((attempt) => { try { return attempt() != null } catch { return false } }).length`,
      ends: [{ returns: 0 }],
    },
    {
      title: "[C35] no clock moves while the cell computes",
      code: `const start = Date.now(); let x = 0; for (let i = 0; i < 1e6; i++) x += i;
        return [Date.now() - start, new Date().getTime() - start, typeof performance, typeof Atomics]`,
      ends: [{ returns: [0, 0, "undefined", "undefined"] }],
    },
    {
      title: "[C35] hides the host's zone and locale",
      code: "const d = new Date(0); return [d.getTimezoneOffset(), d.getHours(), String(d).includes('GMT+0000'), typeof Intl, (1234.5).toLocaleString()]",
      ends: [{ returns: [0, 0, true, "undefined", "1234.5"] }],
    },
    {
      title: "[C50] garbage collection cannot be observed",
      code: "return ['WeakRef', 'FinalizationRegistry', 'gc', 'performance'].filter((name) => name in globalThis)",
      ends: [{ returns: [] }],
    },
    {
      title: "[C36] a fresh buffer contains nothing of another cell",
      code: "const all = new Uint8Array(1 << 20); return all.some((byte) => byte !== 0)",
      ends: [{ returns: false }],
    },
    {
      title: "[C48] symbols of the global registry are not shared",
      code: `const seen = globalThis[Symbol.for("shared")]; globalThis[Symbol.for("shared")] = 1; return seen ?? "none"`,
      ends: [{ returns: "none" }],
    },
  ],
};
