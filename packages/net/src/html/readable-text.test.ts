import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readableText, type ReadableOptions } from "./readable-text.ts";

const live = new AbortController().signal;
const base = new URL("https://example.org/a/b");

function read(html: string, options: Partial<ReadableOptions> = {}) {
  return readableText(html, { base, format: "markdown", maxChars: 100_000, ...options }, live);
}

const textOf = async (html: string, options: Partial<ReadableOptions> = {}): Promise<string> =>
  (await read(html, options)).text;

test("[TH1] a page becomes Markdown: headings, paragraphs, lists, links, tables, code, quotations", async () => {
  const html = `<!doctype html><html><head><title>Otters &amp; rivers
    </title><style>p { color: red }</style></head><body><h1>All about <em>otters</em></h1>
    <p>They swim.<br>They <a href="dive?deep=1&amp;far=2">dive</a>.<p>They are not <code>beavers &lt; 3</code>.
    <ul><li>One<li>Two<ul><li>Inner</ul></ul><ol start=4><li><p>Four</p></li><li>Five</ol>
    <table><tr><th>Name<th>Size</tr><tr><td>Otter<td><p>1</p><p>m | long</p></table>
    <pre><code>
if (a) {
  b();
}
</code></pre><blockquote>Said<p>twice</blockquote><hr><img src=o.png alt="An otter">End.`;
  expect(await read(html)).toEqual({
    title: "Otters & rivers",
    truncated: false,
    text: `# All about otters

They swim.
They [dive](https://example.org/a/dive?deep=1&far=2).

They are not \`beavers < 3\`.

- One
- Two
  - Inner

4. Four

5. Five

| Name | Size |
| --- | --- |
| Otter | 1 m \\| long |

\`\`\`
if (a) {
  b();
}
\`\`\`

> Said

> twice

---

(image: An otter)End.`,
  });
});

test("[TH1] as text, the same without marks and addresses", async () => {
  const html = `<h2>Otters</h2><p>They <a href="/dive">dive</a> <code>deep</code>.<ul><li>One</ul>`;
  expect(await textOf(html, { format: "text" })).toBe("Otters\n\nThey dive deep.\n\n- One");
});

test.each([
  ["<a href='x'>a</a>", "[a](https://example.org/a/x)"],
  ["<base href='/docs/'><a href='x'>a</a>", "[a](https://example.org/docs/x)"],
  ["<a href='//other.example/(x)'>a</a>", "[a](https://other.example/%28x%29)"],
  ["<a href='javascript:alert(1)'>a</a>", "a"],
  ["<a href=' data:text/html,x'>a</a>", "a"],
  ["<a href='#top'>a</a>", "a"],
  ["<a href='/x'></a>b", "b"],
  ["<a href='/x'>a<a href='/y'>b</a>", "[a](https://example.org/x)[b](https://example.org/y)"],
])("[TH1] %s becomes %s", async (html, text) => {
  expect(await textOf(html)).toBe(text);
});

describe("[TH1] leaves out what a reader does not see:", () => {
  test.each([
    "<script>X</script>",
    "<SCRIPT>X<!-- </script ></SCRIPT>",
    "<style>X</style>",
    "<noscript>X</noscript>",
    "<template>X</template>",
    "<nav>X</nav>",
    "<svg><text>X</text></svg>",
    "<select><option>X</select>",
    "<textarea>X</textarea>",
    "<iframe>X</iframe>",
    "<!-- X -->",
    "<!-- X --!>",
    "<!X>",
    "<?X?>",
    "<div hidden>X</div>",
    "<p hidden>X<p>",
    "<div aria-hidden='TRUE'><b>X</b></div>",
    "<dialog>X</dialog>",
    "<span style='display: none'>X</span>",
    "<span style='DISPLAY:/**/none!important'>X</span>",
    "<span style='color:red;visibility:hidden'>X</span>",
    "<span style='opacity:0.0'>X</span>",
    "<span style='font-size:0px'>X</span>",
    "<span style='height:0;overflow:hidden'>X</span>",
    "<span style='position:absolute;left:-9999px'>X</span>",
    "<span style='text-indent:-999em'>X</span>",
    "<span style='&#100;isplay:none'>X</span>",
    "<div hidden><div><b>X</div>X</div>",
    "<input type=hidden value=X>",
    "<div title='X' data-x='X'></div>",
  ])("%s", async (html) => expect(await textOf(`before ${html} after`)).toMatch(/^before\s+after$/));

  test.each([
    "<span style='opacity:0.5'>X</span>",
    "<span style='font-size:0.8em'>X</span>",
    "<span style='width:0.5em'>X</span>",
    "<dialog open>X</dialog>",
    "<span aria-hidden=false>X</span>",
    "<svg/>X",
    "<div hidden></div>X",
    "<p hidden><p>X",
    "a < b X",
    "<3 X",
    "&#88;",
    "&#x58;",
  ])("but not %s", async (html) => expect(await textOf(html)).toContain("X"));
});

test("[TH2] cuts text that is too long, says so, and never splits a character", async () => {
  expect(await read("<p>abcdef", { maxChars: 3 })).toMatchObject({ text: "abc", truncated: true });
  expect(await read("<p>abc", { maxChars: 3 })).toMatchObject({ text: "abc", truncated: false });
  expect(await textOf("<p>ab😀", { maxChars: 3 })).toBe("ab");
});

test("[TH2] returns text within the limit for any input", async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "<",
      ">",
      "</",
      "<!--",
      "-->",
      "<a href=",
      "'",
      '"',
      "&",
      "&#",
      "=",
      " ",
      "<p",
      "<table><tr>",
    ),
    fc.constantFrom(
      "<td>",
      "</table>",
      "<li>",
      "<ul>",
      "</ul>",
      "<pre>",
      "</pre>",
      "<script>",
      "</script>",
      "<b/>",
    ),
    fc.string({ maxLength: 5, unit: "binary" }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
      const { text } = await read(pieces.join(""), { maxChars: 50 });
      expect(text.length).toBeLessThanOrEqual(50);
    }),
    { numRuns: 300 },
  );
});

/** Inputs that make a careless parser take quadratic time, or overflow the stack. */
const HOSTILE: Readonly<Record<string, string>> = {
  "elements 100,000 deep": "<div>".repeat(100_000),
  "lists 20,000 deep": "<ul><li>x".repeat(20_000),
  "tables 20,000 deep": "<table><tr><td>".repeat(20_000),
  "quotations 20,000 deep": "<blockquote>x".repeat(20_000),
  "closing tags of nothing": `${"<b>".repeat(50_000)}${"</i>".repeat(50_000)}`,
  "paragraphs that end each other": "<p>x".repeat(50_000),
  "links in links": "<a href=/x>".repeat(50_000),
  "comments without an end": "<!--".repeat(200_000),
  "quotes without an end": `<a x="`.repeat(100_000),
  "one tag without an end": `<a${" b='c".repeat(100_000)}`,
  "white space without an end": `<a${" ".repeat(500_000)}`,
  "scripts without an end": "<script>".repeat(100_000),
  "a style of comments": `<p style="${"/*".repeat(200_000)}">`,
  "a style of fonts": `<p style="${"font:".repeat(100_000)}">`,
  "signs that begin nothing": "<".repeat(200_000),
  ampersands: "&".repeat(500_000),
  "nothing but space": " ".repeat(1_000_000),
};

test.each(Object.entries(HOSTILE))("[TH2] reads %s in linear time", async (_, html) => {
  const { text } = await read(`<title>t</title><p>seen</p>${html}`);
  expect(text.startsWith("seen")).toBe(true);
});
