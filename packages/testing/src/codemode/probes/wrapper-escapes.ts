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
      "code that ends the function and begins another runs as the other",
      "return 1 }); (async () => { return 2",
      { returns: 2 },
    ),
    probe("the same with a comma", "}), (async () => { return 3", { returns: 3 }),
    probe("an end without a beginning is a syntax error", "return 1 })", "syntax"),
    probe("a comment over the wrapper's own end is a syntax error", "return 1 }) //", "syntax"),
    probe("an unclosed comment is a syntax error", "return 1 /*", "syntax"),
    probe("an unclosed template is a syntax error", "return `1", "syntax"),
    probe("an unclosed string is a syntax error", "return '1", "syntax"),
    probe("an unclosed regular expression is a syntax error", "return /1", "syntax"),
    probe("a line comment does not reach the wrapper", "return 1 //", { returns: 1 }),
    probe("an HTML-like comment does not reach the wrapper", "return 1 <!-- })", { returns: 1 }),
    probe(
      "an HTML-like comment at a line's start does not reach the wrapper",
      "let x = 1\n--> }) (\nreturn x",
      { returns: 1 },
    ),
    probe("a hashbang is a syntax error", "#!/usr/bin/env node\nreturn 1", "syntax"),
    probe("a value that is not a function is refused", "}); (5) //\n; ({ x() { }", "syntax"),
    probe("a value between functions is ignored", "}); 5; (() => { return 6", { returns: 6 }),
    probe("a generator is only a value", "}); (function* () { tools.a(1)", { returns: {} }),
    probe("a class is not called", "}); (class { static { globalThis.ran = 1 } constructor() {", "syntax"),
    probe("code outside the function cannot await", "}); await 1; (async () => {", "syntax"),
    probe("code outside the function cannot return", "}); return 1; (async () => {", "syntax"),
    probe("code outside the function cannot import", "}); import x from 'node:fs'; (async () => {", "syntax"),
    probe("code outside the function cannot export", "}); export const x = 1; (async () => {", "syntax"),
    probe(
      "an error thrown outside fails the cell",
      "}); throw new Error('outside'); (async () => {",
      "threw",
    ),
    probe(
      "an error with megabytes of text fails the cell",
      "}); throw new Error('x'.repeat(3e6)); (async () => {",
      "threw",
    ),
    probe(
      "a thrown proxy fails the cell",
      "}); throw new Proxy({}, { get() { throw 1 } }); (async () => {",
      "threw",
    ),
    probe("a thrown null fails the cell", "}); throw null; (async () => {", "threw"),
    probe(
      "an unawaited call outside does not happen",
      "}); tools.a('outside'); (async () => {",
      "unawaited_calls",
    ),
    probe(
      "a call while a thrown value is read does not happen",
      "}); throw { get message() { tools.a(1); return 'm' } }; (async () => {",
      "threw",
      "unawaited_calls",
    ),
    {
      ...probe(
        "an endless getter of a thrown value is stopped",
        "}); throw { get message() { for (;;); } }; (async () => {",
        "time_limit",
      ),
      limits: { cpuMs: 60 },
    },
    probe("tools cannot be redeclared", "}); let tools = { a: () => 1 }; (async () => {", "threw"),
    probe("tools cannot be assigned", "}); tools = {}; (async () => {", "threw"),
    {
      ...probe(
        "a function named like a built-in affects only the cell",
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
    probe("with is not available", "with ({}) {}", "syntax"),
    probe("import.meta is not available", "return import.meta", "syntax"),
    probe("new.target is not available", "return new.target", "syntax"),
    probe("super is not available", "return super.x", "syntax"),
    probe("arguments is not available", "return arguments", "threw", "syntax"),
    probe("await cannot be a name", "var await = 1", "syntax"),
    probe("an escaped await cannot be a name", "var aw\\u0061it = 1", "syntax"),
    probe("a label may have any name but await", "done: for (;;) { break done } return 1", { returns: 1 }),
    probe("a break cannot leave the function", "break", "syntax"),
    probe("an early return skips the rest", "return 1; tools.a('never')", { returns: 1 }),
    probe("finally decides the result, once", "try { return 1 } finally { return 2 }", { returns: 2 }),
    probe("a NUL does not end the code", "return '\0'.length", { returns: 1 }),
    probe("a byte order mark is a blank", "\uFEFFreturn 1", { returns: 1 }),
    probe("a lone surrogate in the code stays unchanged", "return '\uD800'.length", { returns: 1 }),
    probe("a line separator ends a comment", "// \u2028return 1", { returns: 1 }),
    probe(
      "a thousand brackets do not lead out",
      `return ${"[".repeat(1000)}1${"]".repeat(1000)}.flat(Infinity)`,
      { returns: [1] },
    ),
  ],
};
