import { globSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { cutAt, detect, outcomeOf, outcomesOf, rebuild } from "./detector.fixture.ts";
import { createScriptDetector } from "./script-detector.ts";
import { MAX_TAG_CHARS } from "./tag-reader.ts";

/** Everything that has a meaning for some part of the detector, whole and in pieces. */
const SIGNS = [
  "<>/`~'\"\\ \t\n\r${}[]()*=-1.a\uFEFF\uD83D\uDE00".split(""),
  ["<script>", "</script>", "<scr", "ipt", "<SCRIPT ", "</script ", "<script a='", "</", "\r\n", "\n\n"],
  ["```", "~~~", "````", "> ", "- ", "1. ", "//", "/*", "*/", "${", "return ", "f()", "\uD83D\uDE00"],
].flat();
const text = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(fc.constantFrom(...SIGNS), { maxLength: 60 }).map((list) => list.join("")),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
);
const script = text.map((code) => `<script>${code}`);
const input = fc.oneof(
  text,
  fc.tuple(text, script, text).map((parts) => parts.join("")),
);
const places = fc.array(fc.nat(400), { maxLength: 20 });

test("[D1] [D2] any chunking gives the same events, which add up to the text", () => {
  fc.assert(
    fc.property(input, places, fc.nat(40), (whole, cuts, maxCodeChars) => {
      const events = detect(whole, maxCodeChars);
      expect(rebuild(events)).toBe(whole);
      expect(detect(cutAt(whole, cuts), maxCodeChars)).toEqual(events);
      expect(detect(whole.split(""), maxCodeChars)).toEqual(events);
    }),
    { numRuns: 5_000 },
  );
});

test("[D1] [D2] empty chunks and split surrogate pairs change nothing", () => {
  const chunks = [
    "",
    "a\uD83D",
    "",
    "\uDE00\uD83D",
    "<scr",
    "",
    "ipt>'\uD83D",
    "\uDE00'",
    "</script>\uDE00\uD83D",
  ];
  const events = detect(chunks);
  expect(rebuild(events)).toBe(chunks.join(""));
  expect(outcomesOf(events)).toEqual([{ kind: "complete", code: "'\uD83D\uDE00'" }]);
});

const TAG_BEGUN = /^<s?c?r?i?p?t?$|^<script[\s/][^\r\n<`\\]*$|^<\/?s?c?r?i?p?t?$|^<\/script[ \t\r\n]*$/i;

test("[D3] holds back only a possible tag and half a surrogate pair", () => {
  fc.assert(
    fc.property(input, places, (whole, cuts) => {
      const detector = createScriptDetector();
      let pushed = "";
      let shown = 0;
      for (const chunk of cutAt(whole, cuts)) {
        pushed += chunk;
        for (const event of detector.push(chunk)) {
          shown += rebuild([event]).length;
          expect(whole.slice(shown - 1, shown + 1)).not.toMatch(/^[\uD800-\uDBFF][\uDC00-\uDFFF]$/);
        }
        const held = pushed.slice(shown).replace(/[\uD800-\uDBFF]$/, "");
        expect(held.length).toBeLessThanOrEqual(MAX_TAG_CHARS);
        if (held !== "") expect(held).toMatch(TAG_BEGUN);
      }
    }),
    { numRuns: 5_000 },
  );
});

test.each(["<script ", "<script>x</script"])("[D3] %j is held back only up to a limit", (begun) => {
  const detector = createScriptDetector();
  const pushed = begun + " ".repeat(2 * MAX_TAG_CHARS);
  const shown = pushed.split("").flatMap((unit) => detector.push(unit));
  expect(rebuild(shown).length).toBeGreaterThan(pushed.length - MAX_TAG_CHARS);
});

/** Units read and copied. */
function workOf(chunks: readonly string[]): number {
  let work = 0;
  const { charAt, slice } = String.prototype;
  const spies = [
    vi.spyOn(String.prototype, "charAt").mockImplementation(function (this: string, at) {
      work += 1;
      return charAt.call(this, at);
    }),
    vi.spyOn(String.prototype, "slice").mockImplementation(function (this: string, from, to) {
      const copied = slice.call(this, from, to);
      work += copied.length;
      return copied;
    }),
  ];
  const detector = createScriptDetector();
  for (const chunk of chunks) detector.push(chunk);
  detector.end();
  for (const spy of spies) spy.mockRestore();
  return work;
}

test.each([
  "<",
  "<script ",
  "<script a='",
  "<scr",
  "<script></script>",
  "`",
  "` ",
  "```\n",
  "> ",
  "\n> ```\n",
  "\\",
  "\uD83D",
  "word ",
])("[D4] the work for many of %j grows linearly", (piece) => {
  for (const before of ["", "<script>", "<script>`", "<script>'</script>"]) {
    for (const size of [3_000, 24_000]) {
      const whole = before + piece.repeat(size / piece.length);
      const limit = 4 * whole.length;
      expect(workOf([whole])).toBeLessThan(limit);
      expect(workOf(whole.split(""))).toBeLessThan(limit);
    }
  }
});

test("[D9] passes programs through whole, with closing tags in their literals", () => {
  const raw = fc.array(fc.constantFrom("</script>", "<script>", "a", " ", "//", "/*", "\\\\", "${"), {
    maxLength: 5,
  });
  const inner = raw.map((list) => list.join(""));
  const plain = inner.map((chars) => chars.replaceAll("${", ""));
  const literal = fc.oneof(
    inner.map((chars) => `"${chars}'\`"`),
    inner.map((chars) => `'${chars}"\`'`),
    plain.map((chars) => `\`${chars}'"\n\${f(\`${chars}\`, { a: "}" })}\``),
    plain.map((chars) => `/* ${chars.replaceAll("/*", "")} '"\` */ 0`),
    plain.map((chars) => `/[${chars}'"\`]/g`),
  );
  const statement = fc.oneof(
    literal.map((code) => `f(${code});`),
    literal.map((code) => `return ${code};`),
    literal.map((code) => `const x = a / 2 + ${code} + b / 3;`),
    fc.constant("// it's `a\n"),
    fc.constant("if (a < b) { f(); }"),
  );
  fc.assert(
    fc.property(fc.array(statement), (statements) => {
      const code = statements.join("\n");
      expect(outcomeOf(`<script>${code}\n</script>`)).toEqual({ kind: "complete", code: `${code}\n` });
    }),
    { numRuns: 2_000 },
  );
});

test("[D9] the same for every source of this repository that contains no tag", () => {
  const root = new URL("../../../../", import.meta.url);
  const files = globSync("{packages,apps}/*/src/**/*.ts", { cwd: root });
  const sources = files.map((file) => readFileSync(new URL(file, root), "utf8"));
  const codes = sources.filter((code) => !/<\/?script/i.test(code));
  expect(codes.length).toBeGreaterThan(200);
  for (const code of codes) {
    const outcome = outcomeOf(`<script>${code}</script>`);
    expect(outcome?.kind, code.slice(0, 200)).toBe("complete");
    expect(outcome).toEqual({ kind: "complete", code });
  }
});
