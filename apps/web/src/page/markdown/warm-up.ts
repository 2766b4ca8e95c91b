import { render } from "lit";
import { createGrowingMarkdown } from "./growing-markdown.ts";
import { renderBlock } from "./render.ts";

/** A little of each kind, and a paragraph that is long: whatever an answer has in it, it is not the first of its kind. */
const SAMPLES = [
  "Words, **bold**, *slanted*, _both_, ~~gone~~, `code`, \\* and [a link](https://example.org), https://example.org\nor a@example.org, ![a picture](a.png), [a name] <b>x</b>\n\n",
  "## Title\n\nTitle\n===\n\n---\n\n> quoted **words**\n>\n> and more\n\n<div>x</div>\n\n[a name]: https://example.org\n\n",
  "- one **bold**\n- two\n  - three\n- four\n-\n\n1. first\n2. second\n\n- [ ] open **task**\n- [x] done\n- [ ] not yet\n- [ ",
  "| a | b |\n| - | :-: |\n| 1 | `2` |\n| **x** | y |\n\n",
  "```ts\nconst x = 1;\n",
  "“Typeset” — 日本語, **é** and `ü`\n\n- ö **ä**\n\n| “a” | b |\n| - | - |\n| – | 👍 |\n\n",
  "Many **words** in one line. ".repeat(40),
  "日本語の文章は長いです。".repeat(80),
];
/** An engine compiles a rule when it is used for the second time. */
const ROUNDS = 3;

/**
 * Reads and draws samples while the browser has nothing to do. The first use of everything takes longer than a frame
 * has, and would come with the first words of an answer.
 */
export async function warmUpMarkdown(life: AbortSignal): Promise<void> {
  const place = document.createElement("div");
  for (let round = 0; round < ROUNDS; round += 1)
    for (const sample of SAMPLES) {
      await idle();
      if (life.aborted) return;
      const growing = createGrowingMarkdown();
      for (const text of [sample.slice(0, -6), sample])
        render(
          growing.read(text, true).map(({ token }) => renderBlock(token)),
          place,
        );
    }
}

function idle(): Promise<void> {
  return new Promise((done) => {
    // Safari has none.
    if (typeof requestIdleCallback === "undefined") setTimeout(done, 50);
    else requestIdleCallback(() => done());
  });
}
