import { createKeyedLane } from "@deputy/kit";
import type { Page } from "playwright-core";
import type { BrowserCall } from "../../session-browser.ts";
import { siteNotAllowed, siteOf } from "../../site.ts";
import { ToolsError } from "@deputy/tools";
import { boundedCall, OPEN_AGAIN } from "../bounded-call.ts";
import type { OpenSession } from "../open-session.ts";
import type { SessionRights } from "../session-rights.ts";

/** One call of a tool on the session's page. */
export interface OnPage {
  readonly session: OpenSession;
  readonly page: Page;
  /** The tab's id. */
  readonly tab: string;
  readonly signal: AbortSignal;
  readonly call: BrowserCall;
}

/** Runs the calls of a session on its page, one after the other, each for so long at most. */
export interface PageCalls {
  /** Rejects as `boundedCall` does. */
  run<T>(call: BrowserCall, limitMs: number, work: (on: OnPage) => Promise<T>): Promise<T>;
  /** The same for a call that names the page it means; rejects with `page_elsewhere`. */
  onSite<T>(site: string, call: BrowserCall, limitMs: number, work: (on: OnPage) => Promise<T>): Promise<T>;
  /** Calls use a new page from now on, whatever happened to the last one. */
  renew(): void;
}

const MOST_WAITING = 100;

export function createPageCalls({
  open,
  rights,
}: {
  readonly open: (call: BrowserCall) => Promise<OpenSession>;
  readonly rights: Pick<SessionRights, "current">;
}): PageCalls {
  const lane = createKeyedLane<"page">({ maxWaiting: MOST_WAITING });
  /** True after the page hung and was closed, until another one is used. */
  let isGivenUp = false;

  const run: PageCalls["run"] = (call, limitMs, work) =>
    lane.run("page", call.signal, async () => {
      const session = await open(call);
      const limit = { limitMs, onGivenUp: () => void (isGivenUp = true) };
      return await boundedCall(session, call, limit, async (signal) => {
        await session.refresh();
        const page = await session.page();
        const tab = await session.tabIdOf(page);
        session.takeRefused(tab);
        return await work({ session, page, tab, signal, call });
      });
    });

  return {
    run,
    onSite: (site, call, limitMs, work) =>
      run(call, limitMs, async (on) => {
        const here = siteOf(on.page.url());
        if (!rights.current([]).sites.has(site)) throw siteNotAllowed(site);
        if (here !== site && isGivenUp)
          throw new ToolsError("page_failed", "The page did not answer and was closed", { hint: OPEN_AGAIN });
        if (here !== site)
          throw new ToolsError("page_elsewhere", `The page is not of ${site}, but ${here ?? "of no site"}`, {
            hint: here === undefined ? "Open one with browser.navigate." : "Look at it before you go on.",
          });
        isGivenUp = false;
        return await work(on);
      }),
    renew() {
      isGivenUp = false;
    },
  };
}
