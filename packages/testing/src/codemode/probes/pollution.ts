import { ok, STARTED_AT_MS } from "../sandbox-harness.ts";
import type { ProbeFamily } from "./probe.ts";

/** Names that the bridge uses for its own records on either side. */
const BRIDGE_NAMES = `
  id path inputJson json kind atMs code message name stack line resolve reject error value get
  set writable configurable enumerable calls usedMs logs end failure resultJson limits length
  toolPaths
`
  .trim()
  .split(/\s+/);

const json = (text: string) => () => ({ kind: "ok", json: text, atMs: STARTED_AT_MS }) as const;

/** Prototypes polluted by the cell, or by what comes from outside. */
export const pollution: ProbeFamily = {
  name: "prototype pollution",
  probes: [
    {
      title: "[C52] __proto__ in a result is a property like any other",
      code: `const r = await tools.a();
        return [Object.getPrototypeOf(r) === Object.prototype, Object.keys(r), r.__proto__, r.admin, ({}).admin, r]`,
      answer: json('{"__proto__":{"admin":true}}'),
      calls: ["a null"],
      ends: [
        {
          returns: [
            true,
            ["__proto__"],
            { admin: true },
            null,
            null,
            JSON.parse('{"__proto__":{"admin":true}}'),
          ],
        },
      ],
    },
    {
      title: "[C52] constructor.prototype in a result reaches no constructor",
      code: "const r = await tools.a(); return [r.constructor === Object, ({}).admin, r.constructor.prototype.admin]",
      answer: json('{"constructor":{"prototype":{"admin":true}}}'),
      calls: ["a null"],
      ends: [{ returns: [false, null, true] }],
    },
    {
      title: "[C52] repeated and nested __proto__ keys in a result pollute nothing",
      code: "const r = await tools.a(); return [[].admin, ({}).admin, Object.keys(r.x)]",
      answer: json('{"x":{"__proto__":{"admin":1},"__proto__":{"__proto__":{"admin":2}}},"__proto__":null}'),
      calls: ["a null"],
      ends: [{ returns: [null, null, ["__proto__"]] }],
    },
    {
      title: "[C52] __proto__ in an argument reaches the host as text",
      code: `return (await tools.a(JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}'))).echo`,
      calls: ['a {"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}'],
      ends: [
        { returns: JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}') },
      ],
    },
    {
      title: "[C52] inherited properties of an argument are not sent",
      code: "class Base { secret = 1 } const o = Object.create(new Base()); o.own = 2; return (await tools.a(o)).echo",
      calls: ['a {"own":2}'],
      ends: [{ returns: { own: 2 } }],
    },
    {
      title: "[C52] accessors on Object.prototype see nothing of the bridge",
      code: `let seen = "";
        for (const name of ${JSON.stringify(BRIDGE_NAMES)}) {
          Object.defineProperty(Object.prototype, name, { __proto__: null, configurable: true,
            get() { seen += "get " + name + " " }, set() { seen += "set " + name + " " } });
        }
        seen = ""; const r = await tools.a(1); console.log(1); const during = seen;
        return [r.echo, during]`,
      calls: ["a 1"],
      logs: ["1"],
      ends: [{ returns: [1, ""] }],
    },
    {
      title: "[C52] accessors for array indexes see no arguments",
      code: `let seen = "";
        for (const owner of [Object.prototype, Array.prototype]) for (let i = 0; i < 4; i++) {
          Object.defineProperty(owner, i, { __proto__: null, configurable: true, get() { seen += "get" }, set() { seen += "set" } });
        }
        const r = await tools.a(); console.log("x", 1); return seen + r`,
      answer: () => ok("real"),
      calls: ["a null"],
      logs: ["x 1"],
      ends: [{ returns: "real" }],
    },
    {
      title: "[C53] a toJSON on Object.prototype affects only the cell's own values",
      code: `Object.prototype.toJSON = () => "mine"; return (await tools.a({ n: 1 }))`,
      answer: json('{"theirs":1}'),
      calls: ['a "mine"'],
      ends: [{ returns: "mine" }],
    },
    {
      title: "[C53] a then on Object.prototype gets only what the cell itself was given",
      code: `Object.prototype.then = function (done) { const own = this.echo; delete Object.prototype.then; done({ own }) }; return await tools.a(7)`,
      calls: ["a 7"],
      ends: [{ returns: { own: 7 } }],
    },
    {
      title: "[C52] Object.prototype cannot be given a prototype",
      code: `try { Object.setPrototypeOf(Object.prototype, { admin: 1 }); return "changed" } catch { return "refused" }`,
      ends: [{ returns: "refused" }],
    },
    {
      title: "[C52] a new prototype of the global object sees no lookup of the bridge",
      code: `let seen = ""; const spy = { get: (t, k) => void (seen += String(k)), has: (t, k) => { seen += String(k); return false } };
        Object.setPrototypeOf(globalThis, new Proxy({ __proto__: null }, spy));
        seen = ""; const r = await tools.a(1); return [r.echo, seen]`,
      calls: ["a 1"],
      ends: [{ returns: [1, ""] }],
    },
    {
      title: "[C52] changes to prototypes end with the cell",
      code: `for (const owner of [Object, Array, String, Number, Function, RegExp, Map, Set, Date, BigInt, Symbol]) {
          owner.prototype.stray = 1; owner.stray = 1;
        }
        globalThis.stray = 1; return [].stray`,
      ends: [{ returns: 1 }],
    },
    {
      title: "[C53] results are values of the cell's own realm",
      code: "const r = await tools.a(); return [r instanceof Object, r.list instanceof Array, Array.isArray(r.list), typeof r.list.map]",
      answer: () => ok({ list: [] }),
      calls: ["a null"],
      ends: [{ returns: [true, true, true, "function"] }],
    },
  ],
};
