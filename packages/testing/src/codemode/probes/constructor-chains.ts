import { denied } from "../sandbox-harness.ts";
import type { Probe, ProbeFamily } from "./probe.ts";

/** Values from which a cell may try to reach a constructor that turns text into code. */
const ROUTES: Readonly<Record<string, string>> = {
  "a function": "(() => {}).constructor",
  "an async function": "(async () => {}).constructor",
  "a generator function": "(function* () {}).constructor",
  "an async generator function": "(async function* () {}).constructor",
  "a generator's prototype":
    "Object.getPrototypeOf(Object.getPrototypeOf((function* () {})())).constructor.constructor.constructor",
  "a bound function": "(() => {}).bind(null).constructor",
  "a class": "(class { static m() {} }).m.constructor",
  "a getter": 'Object.getOwnPropertyDescriptor(RegExp.prototype, "flags").get.constructor',
  "a proxy": "new Proxy(function () {}, {}).constructor",
  "a promise": "Promise.resolve().constructor.constructor",
  "a promise's resolver": "await new Promise((done) => done([done])).then(([done]) => done.constructor)",
  "a thenable's resolver": "(await { then(done) { done([done]) } })[0].constructor",
  "an iterator": "[][Symbol.iterator]().next.constructor",
  "an iterator helper": "Iterator.from([]).map.constructor",
  "a species getter": "Object.getOwnPropertyDescriptor(Array, Symbol.species).get.constructor",
  "a regular expression": "/x/.exec.constructor",
  "a bigint": "1n.constructor.constructor",
  "a symbol": 'Symbol("x").constructor.constructor',
  "an engine's error": "(() => { try { null.x } catch (e) { return e } })().constructor.constructor",
  "a tool": "tools.a.constructor",
  "a nested tool": "tools.b.c.bind().constructor",
  "a tool's getter": 'Object.getOwnPropertyDescriptor(tools, "a").get.constructor',
  "the console": "console.log.constructor",
  "Math.random": "Math.random.constructor",
};

const refused = (title: string, code: string): Probe => ({
  title: `[C49] ${title}`,
  code,
  ends: [{ returns: "refused" }],
});

/** The route must lead to a function, so that a wrong route does not pass for a refusal. */
const along = (route: string): string => `const reached = ${route};
  if (typeof reached !== "function") return "nothing reached";
  let made = [];
  for (const make of [() => reached("return 1"), () => new reached("return 1"), () => reached.call(null, "a", "return a")]) {
    try { made.push(typeof make()) } catch {}
  }
  return made.length === 0 ? "refused" : made`;

/** Other ways to have text run. */
const TEXTS: Readonly<Record<string, string>> = {
  "a direct eval": 'eval("1")',
  "an indirect eval": '(0, eval)("1")',
  "eval through Reflect": 'Reflect.apply(eval, globalThis, ["1"])',
  "eval as a callback": '["1"].map(eval)',
  "Function by Reflect": 'Reflect.construct(Function, ["return 1"])',
  "Function with another new.target": 'Reflect.construct(Function, ["return 1"], class {})',
  "a subclass of Function": 'new (class extends Function { constructor() { super("return 1") } })()',
  "Function as a replacer": '"return 1".replace(/.*/, Function)',
  "a dynamic import": 'await import("node:fs")',
  "an import of the cell itself": 'await import("./cell.ts")',
  "an import of the engine's own modules": "await import(`qjs:os`)",
  "an import of text": 'await import(`data:text/javascript,1`, { with: { type: "json" } })',
  "an import of a hostile specifier": 'await import({ toString: () => "node:fs" })',
};

const fromCalls: readonly Probe[] = [
  {
    ...refused(
      "no constructor reached from a result runs text",
      along("(await tools.a({})).constructor.constructor"),
    ),
    calls: ["a {}"],
  },
  {
    ...refused(
      "no constructor reached from a failed call's error runs text",
      along("(await tools.a().catch((e) => e)).constructor.constructor"),
    ),
    answer: () => denied,
    calls: ["a null"],
  },
];

export const constructorChains: ProbeFamily = {
  name: "constructor chains",
  probes: [
    ...Object.entries(ROUTES).map(([from, route]) =>
      refused(`no constructor reached from ${from} runs text`, along(route)),
    ),
    ...fromCalls,
    ...Object.entries(TEXTS).map(([way, attempt]) =>
      refused(`${way} runs nothing`, `try { ${attempt}; return "ran" } catch { return "refused" }`),
    ),
  ],
};
