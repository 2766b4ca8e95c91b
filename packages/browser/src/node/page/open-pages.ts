import type { SessionBrowser } from "../../session-browser.ts";
import { readSite, siteNotAllowed } from "../../site.ts";
import { pageNotOpened, refusalOf } from "../page-errors.ts";
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
        const answer = await page
          .goto(url, { waitUntil: "commit", timeout: limits.navigateMs, signal })
          .catch(async (error: unknown) => {
            if (signal.aborted) throw error;
            const refusal = refusalOf(session.takeRefused(), { site });
            if (refusal !== undefined) throw refusal;
            // The browser's page about the failure would come in the way of the next one.
            session.leave(page);
            throw pageNotOpened(site, error);
          });
        calls.renew();
        // Nothing that was clicked or typed is left, unless it is in another tab.
        if (session.context.pages().length === 1) rights.renew();
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
        const went = await page.goBack({ waitUntil: "commit", timeout: limits.navigateMs, signal });
        if (went === null) notes.add("There is no page before this one, or it is the same document.");
        await settle(on, parts);
        return await stateOf(page, notes);
      }),
  };
}
