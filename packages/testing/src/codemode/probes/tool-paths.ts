import { ok } from "../sandbox-harness.ts";
import { CRAMPED, type ProbeFamily } from "./probe.ts";

const LONG = "n".repeat(5_000);
const echoPath = { answer: (call: { readonly path: string }) => ok(call.path) };

/** Names that are awkward, absent, or look like others. */
export const toolPaths: ProbeFamily = {
  name: "tool paths",
  probes: [
    {
      title: "[C32] a dotted name is not a path",
      code: `return [tools["b.c"], tools["b"]["c.d"], tools["a."], tools[".a"]].map((tool) => typeof tool)`,
      ends: [{ returns: ["undefined", "undefined", "undefined", "undefined"] }],
    },
    {
      title: "[C32] inherited names are not tools",
      code: `return ["__proto__", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON", "prototype", "__defineGetter__"]
        .filter((name) => name in tools || tools[name] !== undefined)`,
      ends: [{ returns: [] }],
    },
    {
      title: "[C32] symbols find nothing",
      code: `return [Symbol.iterator, Symbol.toPrimitive, Symbol.toStringTag, Symbol.for("a"), Symbol("a")].filter((key) => key in tools || key in tools.b).length`,
      ends: [{ returns: 0 }],
    },
    {
      title: "[C32] converts a key to a name once",
      code: `let asked = 0; const r = await tools[{ toString() { asked++; return "a" } }](1); return [r, asked]`,
      ...echoPath,
      calls: ["a 1"],
      ends: [{ returns: ["a", 1] }],
    },
    {
      title: "[C32] an absent tool is a TypeError of the cell",
      code: `try { await tools.nothing.there({}) } catch (e) { return e.name }`,
      ends: [{ returns: "TypeError" }],
    },
    {
      title: "[C32] names of functions' own properties may be tools",
      code: `return [await tools.x.name(1), await tools.x.length(2), await tools.x.call(3), await tools.x.prototype(4), await tools.x(5)]`,
      toolPaths: ["x", "x.name", "x.length", "x.call", "x.prototype", "x.caller", "x.arguments"],
      ...echoPath,
      calls: ["x.name 1", "x.length 2", "x.call 3", "x.prototype 4", "x 5"],
      ends: [{ returns: ["x.name", "x.length", "x.call", "x.prototype", "x"] }],
    },
    {
      title: "[C32] __proto__ and similar names may be tools, and change no prototype",
      code: `return [await tools.__proto__(1), await tools.constructor(2), await tools.b.__proto__(3), Object.getPrototypeOf(tools), Object.getPrototypeOf(tools.b)]`,
      toolPaths: ["__proto__", "constructor", "b.__proto__"],
      ...echoPath,
      calls: ["__proto__ 1", "constructor 2", "b.__proto__ 3"],
      ends: [{ returns: ["__proto__", "constructor", "b.__proto__", null, null] }],
    },
    {
      title: "[C32] distinguishes empty names, NUL, lone surrogates and lookalikes",
      code: `return [await tools[""](1), await tools["x\\0y"](2), await tools["\\ud800"](3), await tools["e\\u0301"](4), await tools["\\u00e9"](5),
        await tools.q[""](6), await tools[" "](7), typeof tools["x"], typeof tools["\\ud801"]]`,
      toolPaths: ["", "x\0y", "\uD800", "e\u0301", "\u00E9", "q.", " "],
      answer: (call) => ok(call.id),
      calls: [" 1", "x\0y 2", "\uD800 3", "e\u0301 4", "\u00E9 5", "q. 6", "  7"],
      ends: [{ returns: [1, 2, 3, 4, 5, 6, 7, "undefined", "undefined"] }],
    },
    {
      title: "[C32] accepts a very long name",
      code: `return await tools[${JSON.stringify(LONG)}](1) === ${JSON.stringify(LONG)}`,
      toolPaths: [LONG],
      ...echoPath,
      calls: [`${LONG} 1`],
      ends: [{ returns: true }],
    },
    {
      title: "[C32] [C40] without memory for a name, reports no other name",
      code: `const call = tools[Object.keys(tools)[0]]; const hoard = []; globalThis.keep = hoard;
        try { for (;;) hoard.push(new Uint8Array(20000)) } catch {}
        await call(1); return "called"`,
      toolPaths: ["\u00E9".repeat(300_000)],
      limits: { ...CRAMPED, memoryBytes: 8 * 1024 * 1024 },
      ends: ["memory_limit"],
    },
    {
      title: "[C32] a tool may be named `then`",
      code: "return await tools.then(2)",
      toolPaths: ["then"],
      ...echoPath,
      calls: ["then 2"],
      ends: [{ returns: "then" }],
    },
    {
      title: "[C32] awaiting the tools waits for nothing if one is named `then`, and does not call it",
      code: "return await tools",
      toolPaths: ["then"],
      ...echoPath,
      calls: [],
      ends: ["stalled"],
    },
    {
      title: "[C44] returning `tools` with a tool named toJSON makes no call",
      code: "return tools",
      toolPaths: ["toJSON", "x.toJSON"],
      ends: ["unawaited_calls"],
    },
    {
      title: "[C51] the tools can be listed, but nothing can be added",
      code: `"use strict"; const tried = [() => { tools.evil = 1 }, () => { tools.b.evil = 1 }, () => { tools.a.evil = 1 }, () => { delete tools.b.c },
          () => Object.defineProperty(tools, "a", { value: 1 }), () => Object.setPrototypeOf(tools.b, {}), () => { tools.__proto__ = {}; if (Object.getPrototypeOf(tools) === null) throw 1 }];
        const done = tried.filter((attempt) => { try { attempt(); return true } catch { return false } }).length;
        return [done, Object.keys(tools), Reflect.ownKeys(tools.b), Object.isFrozen(tools), Object.isFrozen(tools.b)]`,
      ends: [{ returns: [0, ["a", "b"], ["c"], true, true] }],
    },
    {
      title: "[C51] a proxy or an heir of the tools affects only the cell",
      code: `const own = new Proxy({}, { get: (t, name) => tools[name] }), heir = Object.create(tools);
        return [await own.a(1), await heir.b.c(2), Object.keys(heir)]`,
      ...echoPath,
      calls: ["a 1", "b.c 2"],
      ends: [{ returns: ["a", "b.c", []] }],
    },
  ],
};
