import type { Page } from "playwright-core";
import type { PageState } from "../../session-browser.ts";
import { siteOf } from "../../site.ts";
import type { PageNotes } from "../page-notes.ts";

export const MOST_URL_CHARS = 2_000;
const MOST_TITLE_CHARS = 300;

/** The page's current address and title, with the notes that were not reported yet. */
export async function stateOf(page: Page, notes: PageNotes): Promise<PageState> {
  const url = page.url();
  const title = page.isClosed() ? "" : (await page.title()).slice(0, MOST_TITLE_CHARS);
  const site = page.isClosed() ? undefined : siteOf(url);
  return { site: site ?? "", url: url.slice(0, MOST_URL_CHARS), title, notes: notes.take() };
}
