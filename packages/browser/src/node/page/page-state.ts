import type { Page } from "playwright-core";
import type { PageState } from "../../session-browser.ts";
import { siteOf } from "../../site.ts";
import type { PageNotes } from "../page-notes.ts";

export const MOST_URL_CHARS = 2_000;
const MOST_TITLE_CHARS = 300;

/** The page's current address and title, with the notes that were not reported yet. */
export async function stateOf(page: Page, notes: PageNotes): Promise<PageState> {
  const title = page.isClosed() ? "" : (await titleOf(page)).slice(0, MOST_TITLE_CHARS);
  const url = page.url();
  const site = page.isClosed() ? undefined : siteOf(url);
  return { site: site ?? "", url: url.slice(0, MOST_URL_CHARS), title, notes: notes.take() };
}

/** A page that goes on to another one in this very moment has no title for it; the other one has. */
async function titleOf(page: Page): Promise<string> {
  try {
    return await page.title();
  } catch (error) {
    if (page.isClosed()) return "";
    if (!(error instanceof Error) || !error.message.includes("Execution context was destroyed")) throw error;
    await page.waitForLoadState("domcontentloaded");
    return await page.title();
  }
}
