import { denied, ok } from "../sandbox-harness.ts";
import type { Probe, ProbeFamily } from "./probe.ts";

/** Each replaces something the bridge might use; `spy` counts how often it is. */
const PATCHES: Readonly<Record<string, string>> = {
  "Promise.prototype.then": "Promise.prototype.then = spy",
  "Promise.prototype.then by definition": 'Object.defineProperty(Promise.prototype, "then", { value: spy })',
  "Promise.prototype.constructor": 'Object.defineProperty(Promise.prototype, "constructor", { get: spy })',
  "Promise.resolve and its kin":
    "for (const k of ['resolve', 'reject', 'all', 'withResolvers', 'try']) Promise[k] = spy",
  "the species of Promise": "Object.defineProperty(Promise, Symbol.species, { get: spy })",
  "the global Promise": "globalThis.Promise = class { constructor() { spy() } }",
  "JSON's functions": "JSON.parse = JSON.stringify = spy",
  "the global JSON": "globalThis.JSON = { parse: spy, stringify: spy }",
  "the iterator of arrays": "Array.prototype[Symbol.iterator] = spy",
  "the step of array iterators": "Object.getPrototypeOf([][Symbol.iterator]()).next = spy",
  "the iterator of strings": "String.prototype[Symbol.iterator] = spy",
  "the methods of arrays":
    "for (const k of ['push', 'pop', 'slice', 'map', 'join', 'concat', 'at', 'shift']) Array.prototype[k] = spy",
  "the species of Array": "Object.defineProperty(Array, Symbol.species, { get: spy })",
  "the methods of Object":
    "for (const k of ['defineProperty', 'freeze', 'create', 'getPrototypeOf', 'keys', 'assign', 'entries']) Object[k] = spy",
  "the methods of Reflect":
    "for (const k of Reflect.ownKeys(Reflect)) if (typeof k === 'string') Reflect[k] = spy",
  "the methods of maps and sets":
    "for (const o of [Map, Set, WeakMap, WeakSet]) for (const k of ['get', 'set', 'has', 'add', 'delete', 'keys', 'values']) o.prototype[k] = spy",
  "call, apply and bind":
    "for (const k of ['call', 'apply', 'bind', 'toString']) Function.prototype[k] = spy",
  "the methods of strings":
    "for (const k of ['slice', 'concat', 'replace', 'toString', 'valueOf', 'at', 'charCodeAt']) String.prototype[k] = spy",
  "conversion to primitives":
    "for (const o of [Object, String, Number, Symbol, Date]) Object.defineProperty(o.prototype, Symbol.toPrimitive, { value: spy, configurable: true })",
  "toString and valueOf of everything":
    "for (const o of [Object, Number, Boolean, BigInt, Symbol]) o.prototype.toString = o.prototype.valueOf = spy",
  instanceof:
    "for (const o of [Object, Array, Promise, Error]) Object.defineProperty(o, Symbol.hasInstance, { value: spy })",
  "the tag and unscopables of objects":
    "Object.defineProperty(Object.prototype, Symbol.toStringTag, { get: spy, configurable: true })",
  "Error.prepareStackTrace": "Error.prepareStackTrace = spy",
  "an inherited prepareStackTrace":
    "Function.prototype.prepareStackTrace = Object.prototype.prepareStackTrace = spy",
  "an inherited stackTraceLimit":
    "Object.defineProperty(Function.prototype, 'stackTraceLimit', { get: spy, set: spy, configurable: true })",
  "Error.captureStackTrace": "Error.captureStackTrace = spy",
  "the properties of errors":
    "for (const k of ['name', 'message', 'stack', 'code', 'cause']) Object.defineProperty(Error.prototype, k, { get: spy, set: spy, configurable: true })",
  "the global errors":
    "for (const k of ['Error', 'TypeError', 'RangeError', 'InternalError', 'SyntaxError']) globalThis[k] = class { constructor() { spy() } }",
  "the arithmetic of Math": "Math.imul = Math.random = Math.trunc = spy",
  "the clock": "Date.now = spy; Date.prototype.getTime = spy; globalThis.Date = spy",
  "the prototype of async functions":
    "Object.setPrototypeOf(Object.getPrototypeOf(async () => {}), new Proxy({}, { get: spy }))",
  "every global":
    "for (const k of Object.getOwnPropertyNames(globalThis)) if (k !== 'undefined') try { globalThis[k] = spy } catch {}",
  "every global, deleted":
    "for (const k of Object.getOwnPropertyNames(globalThis)) try { delete globalThis[k] } catch {}",
};

const watched = ([what, patch]: readonly [string, string]): Probe => ({
  title: `[C52] ${what}, replaced, neither sees nor changes a call`,
  code: `const { tools: given, console: log } = globalThis; let seen = 0; const spy = function () { seen++; return undefined };
    try { ${patch} } catch {}
    seen = 0;
    const echo = await given.b.c({ n: 1 });
    log.log("x", 1, { y: 2 });
    let code = "none"; try { await given.a() } catch (e) { code = e.code }
    return { echo, code, seen }`,
  answer: (call) => (call.path === "a" ? denied : ok(call.inputJson)),
  calls: ['b.c {"n":1}', "a null"],
  logs: ['x 1 {"y":2}'],
  ends: [{ returns: { echo: '{"n":1}', code: "denied", seen: 0 } }],
});

export const patchedBuiltIns: ProbeFamily = {
  name: "patched built-ins",
  probes: Object.entries(PATCHES).map(watched),
};
