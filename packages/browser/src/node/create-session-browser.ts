import type { Clock } from "@deputy/kit";
import type { BrowserCall, SessionBrowser, WaitFor } from "../session-browser.ts";
import type { BrowserLimits } from "./browser-limits.ts";
import type { OpenSession } from "./open-session.ts";
import type { PageNotes } from "./page-notes.ts";
import { downloadFiles } from "./page/download-files.ts";
import { openPages } from "./page/open-pages.ts";
import { createPageCalls, type OnPage } from "./page/page-calls.ts";
import { createPageElements } from "./page/page-elements.ts";
import type { PageParts } from "./page/page-parts.ts";
import { createPageTree } from "./page/page-tree.ts";
import { readPages } from "./page/read-pages.ts";
import { submitForms } from "./page/submit-forms.ts";
import { usePages } from "./page/use-pages.ts";
import { useTabs } from "./page/use-tabs.ts";
import type { SessionRights } from "./session-rights.ts";
import { ToolsError } from "@deputy/tools";
import { stateOf } from "./page/page-state.ts";

export interface SessionBrowserDeps {
  /** The running browser, started if need be; rejects with a `ToolsError`. */
  readonly open: (call: BrowserCall) => Promise<OpenSession>;
  /** True while the browser runs. */
  readonly isOpen: () => boolean;
  readonly rights: SessionRights;
  readonly notes: PageNotes;
  readonly limits: BrowserLimits;
  readonly clock: Pick<Clock, "sleep">;
}

export function createSessionBrowser(deps: SessionBrowserDeps): SessionBrowser {
  const { rights, notes, limits, clock } = deps;
  const parts: PageParts = {
    calls: createPageCalls({ open: deps.open, rights }),
    elements: createPageElements({ rights, limits }),
    tree: createPageTree(limits),
    isOpen: deps.isOpen,
    rights,
    notes,
    limits,
    clock,
  };
  return {
    allowSite: (site, isGranted) => rights.allow(site, isGranted),
    ...openPages(parts),
    ...readPages(parts),
    ...usePages(parts),
    ...submitForms(parts),
    ...waitOnPages(parts),
    ...downloadFiles(parts),
    ...useTabs(parts),
  };
}

/** The tool that waits for a time, or for a text to come or go. */
function waitOnPages(parts: PageParts): Pick<SessionBrowser, "wait"> {
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
