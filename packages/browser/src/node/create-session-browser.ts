import type { Clock } from "@deputy/kit";
import type { BrowserCall, SessionBrowser } from "../session-browser.ts";
import type { BrowserLimits } from "./browser-limits.ts";
import type { OpenSession } from "./open-session.ts";
import type { PageNotes } from "./page-notes.ts";
import { downloadFiles } from "./page/download-files.ts";
import { openPages } from "./page/open-pages.ts";
import { createPageCalls } from "./page/page-calls.ts";
import { createPageElements } from "./page/page-elements.ts";
import type { PageParts } from "./page/page-parts.ts";
import { createPageTree } from "./page/page-tree.ts";
import { readPages } from "./page/read-pages.ts";
import { submitForms } from "./page/submit-forms.ts";
import { usePages } from "./page/use-pages.ts";
import { useTabs } from "./page/use-tabs.ts";
import { waitOnPages } from "./page/wait-on-pages.ts";
import type { SessionRights } from "./session-rights.ts";

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
