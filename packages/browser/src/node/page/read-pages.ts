import { readableText } from "@deputy/net/readable-text";
import { ToolsError } from "@deputy/tools";
import type { SessionBrowser } from "../../session-browser.ts";
import { shownText } from "../../shown-text.ts";
import { contentOf } from "../in-page.ts";
import type { PageParts } from "./page-parts.ts";
import { stateOf } from "./page-state.ts";
import type { BrowserLimits } from "../browser-limits.ts";
import { type PageFacts, readPageFacts } from "../unseen-text.ts";
import type { OnPage } from "./page-calls.ts";

/** The tools that look at the page. */
export function readPages(parts: PageParts): Pick<SessionBrowser, "snapshot" | "extract" | "screenshot"> {
  const { calls, elements, tree, notes, limits } = parts;
  return {
    snapshot: (site, call) =>
      calls.onSite(site, call, limits.actionMs, async (on) => {
        call.progress("Looking at the page");
        const { unseen } = await factsOfReadable(on, limits);
        const plain = (await tree.take(on)).replaceAll(/ \[(?:cursor=pointer|active)\]/g, "");
        const text = shownText(plain, unseen, limits.snapshotChars, asInTree);
        return { ...(await stateOf(on.page, notes)), ...text };
      }),

    extract: (site, ref, format, call) =>
      calls.onSite(site, call, limits.actionMs, async (on) => {
        call.progress("Reading the page");
        const { page, signal } = on;
        const facts = await (ref === undefined ? factsOfReadable(on, limits) : factsOf(on));
        const { html, words } =
          ref === undefined
            ? { html: await page.content(), words: undefined }
            : await (await elements.find(page, ref)).evaluate(contentOf, undefined, elements.patience);
        // The page may lie about its texts, so pieces are only counted by them.
        const unseen = facts.unseen.map(({ text: piece, times }) => ({
          text: piece,
          times: words?.includes(piece) === false ? 0 : times,
        }));
        const base = new URL(page.url());
        const options = { base, format, maxChars: limits.extractChars };
        const read = await readableText(html.slice(0, limits.pageChars), options, signal);
        const text = shownText(read.text, unseen, limits.extractChars);
        return { ...(await stateOf(page, notes)), ...text, truncated: text.truncated || read.truncated };
      }),

    screenshot: (site, part, call) =>
      calls.onSite(site, call, limits.actionMs, async (on) => {
        call.progress("Taking a picture of the page");
        const { page, signal } = on;
        const options = { type: "png", animations: "disabled", timeout: limits.actionMs, signal } as const;
        if (part === "view") return await page.screenshot(options);
        const { height } = await factsOf(on);
        if (height <= limits.screenshotHeight) return await page.screenshot({ ...options, fullPage: true });
        const width = page.viewportSize()?.width ?? 1_280;
        const clip = { x: 0, y: 0, width, height: limits.screenshotHeight };
        return await page.screenshot({ ...options, fullPage: true, clip });
      }),
  };
}

/** A snapshot writes quotes in its own ways. */
function asInTree(piece: string): readonly string[] {
  return [...new Set([piece, JSON.stringify(piece).slice(1, -1), piece.replaceAll("'", "''")])];
}

async function factsOf({ session, page }: OnPage): Promise<PageFacts> {
  const cdp = await session.context.newCDPSession(page);
  try {
    return await readPageFacts(cdp);
  } finally {
    cdp.detach().catch(() => undefined);
  }
}

/** Rejects with `page_too_large` for a page that is not read as a whole. */
async function factsOfReadable(on: OnPage, limits: BrowserLimits): Promise<PageFacts> {
  const facts = await factsOf(on);
  if (facts.elements > limits.pageElements || facts.chars > limits.pageChars)
    throw new ToolsError(
      "page_too_large",
      `The page has ${facts.elements} elements and ${facts.chars} characters`,
      { hint: "Take a screenshot, or extract one element of it." },
    );
  return facts;
}
