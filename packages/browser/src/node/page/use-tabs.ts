import type { Page } from "playwright-core";
import type { SessionBrowser, Tab } from "../../session-browser.ts";
import { ToolsError } from "@deputy/tools";
import type { OpenSession } from "../open-session.ts";
import type { PageParts } from "./page-parts.ts";
import { MOST_URL_CHARS, stateOf } from "./page-state.ts";

/** The tools for pages that pages have opened. */
export function useTabs(parts: PageParts): Pick<SessionBrowser, "tabs" | "showTab" | "closeTab"> {
  const { calls, notes, limits } = parts;
  return {
    tabs: (call) =>
      calls.run(call, limits.actionMs, ({ session, page }) => Promise.resolve(tabsOf(session, page))),

    showTab: (tab, call) =>
      calls.run(call, limits.actionMs, async ({ session }) => {
        const page = tabAt(session, tab);
        session.show(page);
        calls.renew();
        return await stateOf(page, notes);
      }),

    closeTab: (tab, call) =>
      calls.run(call, limits.actionMs, async ({ session }) => {
        await tabAt(session, tab).close();
        return tabsOf(session, await session.page());
      }),
  };
}

function tabsOf(session: OpenSession, active: Page): readonly Tab[] {
  return session.tabs().map((page, at) => ({
    tab: at + 1,
    url: page.url().slice(0, MOST_URL_CHARS),
    isActive: page === active,
  }));
}

function tabAt(session: OpenSession, tab: number): Page {
  const page = session.tabs()[tab - 1];
  if (page === undefined) throw new ToolsError("page_elsewhere", `There is no tab ${tab}`);
  return page;
}
