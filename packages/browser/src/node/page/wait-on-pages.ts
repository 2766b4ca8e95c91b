import type { SessionBrowser, WaitFor } from "../../session-browser.ts";
import { ToolsError } from "@deputy/tools";
import type { OnPage } from "./page-calls.ts";
import type { PageParts } from "./page-parts.ts";
import { stateOf } from "./page-state.ts";

/** The tool that waits for a time, or for a text to come or go. */
export function waitOnPages(parts: PageParts): Pick<SessionBrowser, "wait"> {
  const { calls, notes, limits, clock } = parts;

  const waitFor = async ({ page, signal }: OnPage, what: WaitFor): Promise<void> => {
    if (what.kind === "ms") return await clock.sleep(what.ms, signal);
    const state = what.kind === "text" ? "visible" : "hidden";
    try {
      await page.getByText(what.text).first().waitFor({ state, timeout: limits.waitMs, signal });
    } catch (error) {
      if (signal.aborted) throw error;
      const still = what.kind === "text" ? "is not on the page" : "is still on the page";
      throw new ToolsError("page_failed", `After ${limits.waitMs} ms, “${what.text}” ${still}`, {
        cause: error,
      });
    }
  };

  return {
    wait: (site, what, call) =>
      calls.onSite(site, call, limits.waitMs + limits.actionMs, async (on) => {
        call.progress(describeWait(what));
        await waitFor(on, what);
        return await stateOf(on.page, notes);
      }),
  };
}

function describeWait(what: WaitFor): string {
  if (what.kind === "ms") return `Waiting for ${what.ms} ms`;
  return `Waiting until “${what.text.slice(0, 100)}” is ${what.kind === "text" ? "there" : "gone"}`;
}
