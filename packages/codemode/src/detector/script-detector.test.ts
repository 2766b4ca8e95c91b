import { expect, test } from "vitest";
import { codesOf, detect, outcomeOf, rebuild } from "./detector.fixture.ts";

const RUN = "<script>run()</script>";

test("[D2] a script between two texts", () => {
  expect(detect("I'll look.\n<script>\nreturn 1;\n</script>\nDone.")).toEqual([
    { kind: "text", text: "I'll look.\n" },
    { kind: "script_started", tag: "<script>", attributes: new Map() },
    { kind: "script_delta", code: "\nreturn 1;\n" },
    { kind: "script_ended", tag: "</script>", outcome: { kind: "complete", code: "\nreturn 1;\n" } },
    { kind: "text", text: "\nDone." },
  ]);
});

test.each([
  ["<SCRIPT>x</ScRiPt>", []],
  ["<script type=module>x</script>", [["type", "module"]]],
  [
    `<script Lang='ts' data-a="b > c" async>x</script>`,
    [
      ["lang", "ts"],
      ["data-a", "b > c"],
      ["async", ""],
    ],
  ],
  ["<script lang = ts lang=js>x</script>", [["lang", "ts"]]],
  ["<script\ttype='a\"b'>x</script >", [["type", 'a"b']]],
  ["<script __proto__=1>x</script\r\n\t>", [["__proto__", "1"]]],
] as const)("[D5] %j is a script", (text, attributes) => {
  const events = detect(text);
  expect(events[0]).toMatchObject({ kind: "script_started", attributes: new Map(attributes) });
  expect(events.at(-1)).toMatchObject({ kind: "script_ended", outcome: { kind: "complete", code: "x" } });
});

test.each([
  "<scripts>x</scripts>",
  "<script-x>x</script-x>",
  "<scrip>x</scrip>",
  "< script>x</script>",
  "<script/>x",
  "<script src='a.js' />x</script>",
  "\\<script>x</script>",
  "a\\\n\\<script>x</script>",
  "<script\n>x</script>",
  "<script x='a\nb'>x</script>",
  "<script type='a>x</script>",
  "<script x<b>x</script>",
  "<script a=`b`>x</script>",
  "<script a=\\>x</script>",
  `<script ${"a".repeat(512)}>x</script>`,
  "a < b && c > d",
  "<",
  "</script>",
  "<script",
])("[D5] %j is text", (text) => {
  expect(detect(text)).toEqual([{ kind: "text", text }]);
});

test("[D5] a failed attempt does not hide the next tag", () => {
  for (const before of ["<", "<scr", "<script <b ", "<script x='", "\\\\", "<script/>"]) {
    expect(codesOf(before + RUN), before).toEqual(["run()"]);
  }
});

test.each([
  ["a string", `f("</script>", 'it\\'s </script>');`],
  ["a string over two lines", `f("a\\\n</script>", 'b\\\r\n</script>');`],
  ["a template", "f(`</script>\n${g(`</script>`, { a: '}' })} </script>`);"],
  ["an expression in a template", "f(`${g('</script>') /* </script> */}`);"],
  ["a block comment", "/* it's\n</script> **/ f();"],
  ["a regular expression", "f(/[</script>'\"`\\]]\\//u.test(s));"],
])("[D9] a closing tag in %s is code", (_where, code) => {
  expect(outcomeOf(`${RUN.slice(0, 8)}${code}</script> and text`)).toEqual({ kind: "complete", code });
});

test.each([
  "const half = a / 2; const s = '/';",
  "const s = (a + b) / 2 / list[0] / 3 + `${x / 2}`;",
  "const re = /'/; const other = [/\"/, /`/g]; if (!/[`/]/.test(a)) return /'/;",
  "// it's a `comment\nf();",
  "const url = 'http://a'; // 'x\nconst s = '\\\\';",
  "if (a < b && c</d/.length) f<string>();",
  "const ü = a; f(ü / 2, 'x/');",
  "if (a) { b }\n/'/.test(c);",
  'const s = String.raw`${/\'/.source}`, t = `${{ a: 1 }["`"]}`, u = `$\\n{`;',
  "const s = `\\${`; const t = `$`; const u = `${{ a: { b: `}` } }.a.b}`;",
  "f('<\\/script>', '</scr' + 'ipt>', '</scripts>');",
  "```ts\nf();\n```",
])("[D9] tracks the syntax correctly after %j", (before) => {
  const code = `${before} f('</script>', "</script>", a / 2);`;
  expect(outcomeOf(`<script>${code}</script>`)).toEqual({ kind: "complete", code });
});

test.each([
  ["in a line comment", "f(); // see </script>\ng();\n</script>", "tag_in_comment"],
  ["behind a comment on the only line", "f(); // done</script>", "tag_in_comment"],
  ["in a string that the line breaks off", 'f("it);</script>\n</script>', "tag_in_literal"],
  ["in a string that the tag breaks off", 'f("</script\n>"</script>', "tag_in_literal"],
  ["in a template that never ends", "f(`it);</script> That is all.", "tag_in_literal"],
  ["in a string in a template that never ends", "f(`${g('</script>')} That is all.", "tag_in_literal"],
  ["in a comment that never ends", "f(); /* </script> That is all.", "tag_in_literal"],
  ["in a template's expression", "f(`${a </script> b}`);</script>", "tag_in_literal"],
  ["in what ends a regular expression", "f(/</script>/);</script>", "tag_in_literal"],
  ["in templates too deep to follow", `${"`${".repeat(102)}0${"}`".repeat(102)}</script>`, "tag_in_literal"],
  ["after an opening tag in the code", "f();\n<script>\ng();\n</script>", "nested_tag"],
])("[D10] a closing tag %s is ambiguous", (_where, rest, reason) => {
  expect(outcomeOf(`<script>${rest}`)).toEqual({ kind: "ambiguous", reason });
});

test("[D10] an opening tag in a literal does not count", () => {
  const code = "f('<script>', `<script>`); // <script>\n";
  expect(outcomeOf(`<script>${code}</script>`)).toEqual({ kind: "complete", code });
});

test.each(["", "f();", "f();</scrip", "f('", "f();</script"])("[D11] <script>%s is unterminated", (code) => {
  const events = detect(`<script>${code}`);
  expect(rebuild(events)).toBe(`<script>${code}`);
  expect(events.at(-1)).toEqual({ kind: "script_ended", tag: "", outcome: { kind: "unterminated" } });
});

test("[D12] passes too much code through without keeping it", () => {
  const code = "x".repeat(11);
  expect(outcomeOf(`<script>${code}</script>`, 11)).toEqual({ kind: "complete", code });
  for (const text of [`<script>${code}x</script>${RUN}`, `<script>${code}x`, `<script>${code}//</script>`]) {
    const events = detect(text, 11);
    expect(events.find((event) => event.kind === "script_ended")).toMatchObject({
      outcome: { kind: "too_large", maxCodeChars: 11 },
    });
    expect(rebuild(events)).toBe(text);
  }
  const atLimit = "x".repeat(256 * 1024);
  expect(outcomeOf(`<script>${atLimit}</script>`)?.kind).toBe("complete");
  expect(outcomeOf(`<script>${atLimit}x</script>`)?.kind).toBe("too_large");
});

test("[D12] a script that is too large in small pieces, followed by a small one", () => {
  const chunks = ["<script>", ...Array.from({ length: 100 }, () => "x"), "</script>", RUN];
  expect(detect(chunks, 20).filter((event) => event.kind === "script_ended")).toMatchObject([
    { outcome: { kind: "too_large" } },
    { outcome: { kind: "complete", code: "run()" } },
  ]);
});

test("[D13] accepts several scripts, empty ones and stray ends", () => {
  expect(codesOf(`${RUN}${RUN}\n</script>\n<script></script> and <script>\n</script>`)).toEqual([
    "run()",
    "run()",
    "",
    "\n",
  ]);
  expect(rebuild(detect(`a</script>b</script>`))).toBe("a</script>b</script>");
  expect(codesOf(`a</script>b${RUN}`)).toEqual(["run()"]);
});

test.each(["\n", "\r\n", "\r"])("[D14] lines that end with %j", (end) => {
  const lines = ["\uFEFF```", RUN, "```", "a `b", "c` `d", "", RUN, "<script>", "//'", "f()", "</script>"];
  expect(codesOf(lines.join(end))).toEqual(["run()", `${end}//'${end}f()${end}`]);
});

test.each(["\n", "\r\n", "\r"])("[D14] a span over two lines that end with %j", (end) => {
  expect(codesOf(`a \`b${end}c ${RUN} d\``)).toEqual([]);
});

test("[D14] a byte order mark before a tag, a fence and code", () => {
  expect(codesOf(`\uFEFF${RUN}`)).toEqual(["run()"]);
  expect(codesOf(`\uFEFF~~~\n${RUN}`)).toEqual([]);
  expect(codesOf("<script>\uFEFF/'/.test(s)</script>")).toEqual(["\uFEFF/'/.test(s)"]);
});
