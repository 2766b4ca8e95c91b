import type { Probe, ProbeFamily } from "./probe.ts";

const probe = (title: string, code: string, ...ends: Probe["ends"]): Probe => ({
  title: `[C53] ${title}`,
  code,
  ends,
});

/** Code that tries to be more than the body of the function it becomes. */
export const wrapperEscapes: ProbeFamily = {
  name: "wrapper escapes",
  probes: [
    probe(
      "code that ends the function and begins another is that other",
      "return 1 }); (async () => { return 2",
      { returns: 2 },
    ),
    probe("so it is by a comma", "}), (async () => { return 3", { returns: 3 }),
    probe("an end without a beginning is a syntax error", "return 1 })", "syntax"),
    probe("so is one with a comment over the wrapper's own end", "return 1 }) //", "syntax"),
    probe("a comment that stays open is a syntax error", "return 1 /*", "syntax"),
    probe("so is a template that stays open", "return `1", "syntax"),
    probe("so is a string that stays open", "return '1", "syntax"),
    probe("so is a regular expression that stays open", "return /1", "syntax"),
    probe("a line comment does not reach the wrapper", "return 1 //", { returns: 1 }),
    probe("nor does an HTML-like one", "return 1 <!-- })", { returns: 1 }),
    probe("nor one that begins a line", "let x = 1\n--> }) (\nreturn x", { returns: 1 }),
    probe("a hashbang is none", "#!/usr/bin/env node\nreturn 1", "syntax"),
    probe("a value that is no function is refused", "}); (5) //\n; ({ x() { }", "syntax"),
    probe("a value between functions counts for nothing", "}); 5; (() => { return 6", { returns: 6 }),
    probe("a generator is only a value", "}); (function* () { tools.a(1)", { returns: {} }),
    probe("a class is not called", "}); (class { static { globalThis.ran = 1 } constructor() {", "syntax"),
    probe("what stands outside the function may not await", "}); await 1; (async () => {", "syntax"),
    probe("nor return", "}); return 1; (async () => {", "syntax"),
    probe("nor import", "}); import x from 'node:fs'; (async () => {", "syntax"),
    probe("nor export", "}); export const x = 1; (async () => {", "syntax"),
    probe(
      "thrown outside, an error fails the cell",
      "}); throw new Error('outside'); (async () => {",
      "threw",
    ),
    probe(
      "so does one with megabytes of words",
      "}); throw new Error('x'.repeat(3e6)); (async () => {",
      "threw",
    ),
    probe("so does a proxy", "}); throw new Proxy({}, { get() { throw 1 } }); (async () => {", "threw"),
    probe("so does null", "}); throw null; (async () => {", "threw"),
    probe(
      "a call outside that nobody waits for does not happen",
      "}); tools.a('outside'); (async () => {",
      "unawaited_calls",
    ),
    probe(
      "nor does one while a thrown value is read",
      "}); throw { get message() { tools.a(1); return 'm' } }; (async () => {",
      "threw",
      "unawaited_calls",
    ),
    {
      ...probe(
        "a thrown value without end is stopped",
        "}); throw { get message() { for (;;); } }; (async () => {",
        "time_limit",
      ),
      limits: { cpuMs: 60 },
    },
    probe("tools cannot be declared over", "}); let tools = { a: () => 1 }; (async () => {", "threw"),
    probe("nor assigned", "}); tools = {}; (async () => {", "threw"),
    {
      ...probe(
        "a function named like a built-in is nobody's",
        "}); function Promise() {} function JSON() {} (async () => { return (await tools.a(1)).echo",
        { returns: 1 },
      ),
      calls: ["a 1"],
    },
    probe(
      "strict mode cannot be left",
      "'use sloppy'; try { undeclared = 1; return 'sloppy' } catch { return 'strict' }",
      { returns: "strict" },
    ),
    probe("there is no with", "with ({}) {}", "syntax"),
    probe("there is no import.meta", "return import.meta", "syntax"),
    probe("there is no new.target", "return new.target", "syntax"),
    probe("there is no super", "return super.x", "syntax"),
    probe("there are no arguments", "return arguments", "threw", "syntax"),
    probe("await is no name", "var await = 1", "syntax"),
    probe("nor is an escaped one", "var aw\\u0061it = 1", "syntax"),
    probe("a label may have any name but await", "done: for (;;) { break done } return 1", { returns: 1 }),
    probe("a break cannot leave the function", "break", "syntax"),
    probe("an early return skips the rest", "return 1; tools.a('never')", { returns: 1 }),
    probe("finally has the last word, once", "try { return 1 } finally { return 2 }", { returns: 2 }),
    probe("a NUL in the code is no end", "return '\0'.length", { returns: 1 }),
    probe("a byte order mark is a blank", "\uFEFFreturn 1", { returns: 1 }),
    probe("a lone surrogate in the code stays one", "return '\uD800'.length", { returns: 1 }),
    probe("a line separator ends a comment", "// \u2028return 1", { returns: 1 }),
    probe(
      "a thousand brackets are no way out",
      `return ${"[".repeat(1000)}1${"]".repeat(1000)}.flat(Infinity)`,
      { returns: [1] },
    ),
  ],
};
