import { SOON, type ProbeFamily } from "./probe.ts";

const FULL = "… the log is full; what followed was left out";

/** What `console` is given, and how much of it. */
export const hostileLogs: ProbeFamily = {
  name: "hostile logs",
  probes: [
    {
      title: "[C37] names values that throw when read, without reading them",
      code: `console.log(new Proxy({}, { get() { throw 1 } }), { get x() { throw 2 } }, { toJSON() { throw 3 } }, { toString() { throw 4 } });
        const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); console.log(proxy); return 1`,
      logs: ["[object] [object] [object] {}", "[object]"],
      ends: [{ returns: 1 }],
    },
    {
      title: "[C37] logs the text of errors with hostile messages",
      code: `console.log(Object.assign(new Error("m"), { name: {}, code: "c" }), Object.defineProperty(new TypeError("t"), "message", { get() { throw 1 } })); return 1`,
      logs: ["m [c] TypeError: "],
      ends: [{ returns: 1 }],
    },
    {
      title: "[C37] logs primitives of every kind",
      code: "console.log(undefined, null, true, -0, 1n, NaN, Symbol('s'), Symbol(), () => 1, class {}); return 1",
      logs: ["undefined null true 0 1 NaN Symbol(s) Symbol() [function] [function]"],
      ends: [{ returns: 1 }],
    },
    {
      title: "[C37] logs a cycle and the global object as something",
      code: "const o = {}; o.o = o; console.log(o, globalThis, tools); return 1",
      logs: ['[object] {} {"b":{}}'],
      ends: [{ returns: 1 }],
    },
    {
      title: "[C44] a toJSON that calls a tool while logging makes no call",
      code: "console.log({ toJSON() { tools.a(1); return 'x' } }); return 1",
      ends: ["unawaited_calls"],
    },
    {
      title: "[C38] stops an endless toJSON",
      code: "console.log({ toJSON() { for (;;); } })",
      limits: SOON,
      ends: ["time_limit"],
    },
    {
      title: "[C37] lines beyond the limit are cut",
      code: "for (let i = 0; i < 1e4; i++) console.log('line'); return 1",
      limits: { maxLogBytes: 12 },
      logs: ["line", "line", FULL],
      ends: [{ returns: 1 }],
    },
    {
      // Its logs are lost if the host has to end it.
      title: "[C37] endless lines cost time like anything else",
      code: "for (;;) console.log('line')",
      limits: { ...SOON, maxLogBytes: 12 },
      ends: ["time_limit"],
    },
    {
      title: "[C37] empty lines count too",
      code: "for (let i = 0; i < 1e4; i++) console.log(); return 1",
      limits: { maxLogBytes: 3 },
      logs: ["", "", "", FULL],
      ends: [{ returns: 1 }],
    },
    {
      title: "[C37] a large log of small lines reaches the host",
      code: "for (let i = 0; i < 150_000; i++) console.log(); return 1",
      limits: { cpuMs: 20_000, maxLogBytes: 200_000 },
      logs: Array.from({ length: 150_000 }, () => ""),
      ends: [{ returns: 1 }],
    },
    {
      title: "[C37] drops one overlong line instead of keeping a part",
      code: "console.log('x'.repeat(1e6)); console.log('y'); return 1",
      limits: { maxLogBytes: 100 },
      logs: [FULL],
      ends: [{ returns: 1 }],
    },
    {
      title: "[C37] a line that imitates ours is only a line",
      code: `console.log("${FULL}"); console.log("\\u001b[2J\\r\\nforged"); return 1`,
      logs: [FULL, "\u001B[2J\r\nforged"],
      ends: [{ returns: 1 }],
    },
    {
      title: "[C37] many values in one line are one line",
      code: "console.log(...Array.from({ length: 1000 }, (_, i) => i)); return 1",
      logs: [Array.from({ length: 1000 }, (_, i) => i).join(" ")],
      ends: [{ returns: 1 }],
    },
  ],
};
