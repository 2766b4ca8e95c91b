import type { SessionBrowser } from "../../session-browser.ts";
import { readSite, siteNotAllowed, siteOf } from "../../site.ts";
import { pageNotOpened, refusalOf } from "../page-errors.ts";
import type { OnPage } from "./page-calls.ts";
import type { PageParts } from "./page-parts.ts";
import { stateOf } from "./page-state.ts";
import { rethrowAbort, settle } from "./settle.ts";

/** The tools that bring another page up. */
export function openPages(parts: PageParts): Pick<SessionBrowser, "navigate" | "back"> {
  const { calls, rights, notes, limits } = parts;
  return {
    navigate: (url, call) =>
      calls.run(call, limits.navigateMs + limits.loadMs + limits.actionMs, async (on) => {
        const { session, page, signal } = on;
        const site = readSite(url);
        if (!rights.current([]).sites.has(site)) throw siteNotAllowed(site);
        call.progress(`Opening ${url.slice(0, 200)}`);
        using _ = rights.letOpen(on.tab, url);
        const answer = await page
          .goto(url, { waitUntil: "commit", timeout: limits.navigateMs, signal })
          .catch(async (error: unknown) => {
            if (signal.aborted) throw error;
            const refusal = refusalOf(session.takeRefused(on.tab), { site });
            if (refusal !== undefined) throw refusal;
            // The browser's page about the failure would come in the way of the next one.
            session.leave(page);
            throw pageNotOpened(site, error);
          });
        calls.renew();
        rights.renew(on.tab);
        const status = answer?.status() ?? 200;
        if (status >= 400) notes.add(`The server answered with status ${status}.`);
        await page.waitForLoadState("load", { timeout: limits.loadMs, signal }).catch((error: unknown) => {
          rethrowAbort(error);
          notes.add("The page is still loading.");
        });
        return await stateOf(page, notes);
      }),

    back: (call) =>
      calls.run(call, limits.navigateMs + limits.actionMs, async (on) => {
        call.progress("Going back");
        const { page, signal } = on;
        const before = await addressBefore(on);
        using _ = before === undefined ? undefined : rights.letOpen(on.tab, before);
        const went = await page.goBack({ waitUntil: "commit", timeout: limits.navigateMs, signal });
        if (went === null) notes.add("There is no page before this one, or it is the same document.");
        await settle(on, parts);
        return await stateOf(page, notes);
      }),
  };
}

/** The address that the tab showed before, if it was of a site. */
async function addressBefore({ session, page }: OnPage): Promise<string | undefined> {
  const cdp = await session.context.newCDPSession(page);
  try {
    const { currentIndex, entries } = await cdp.send("Page.getNavigationHistory");
    const url = entries[currentIndex - 1]?.url ?? "";
    return siteOf(url) === undefined ? undefined : url;
  } finally {
    cdp.detach().catch(() => undefined);
  }
}
