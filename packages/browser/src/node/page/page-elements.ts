import type { Locator, Page } from "playwright-core";
import type { BrowserLimits } from "../browser-limits.ts";
import { elementNotFound, elementUnusable } from "../page-errors.ts";
import type { SessionRights } from "../session-rights.ts";
import type { OnPage } from "./page-calls.ts";
import { rethrowAbort } from "./settle.ts";

/** Elements of the page by their refs. */
export interface PageElements {
  /** How long one may take to be fit for use. */
  readonly patience: { readonly timeout: number };
  /** Rejects with `element_not_found`. */
  find(page: Page, ref: string): Promise<Locator>;
  /** Does something to an element; rejects with `element_unusable` where it is not fit for it. */
  use(ref: string, on: OnPage, work: () => Promise<unknown>): Promise<void>;
  click(locator: Locator, ref: string, on: OnPage): Promise<void>;
}

export function createPageElements(deps: {
  readonly rights: SessionRights;
  readonly limits: BrowserLimits;
}): PageElements {
  const { rights, limits } = deps;
  const patience = { timeout: limits.elementMs };

  const use: PageElements["use"] = async (ref, { signal, tab }, work) => {
    rights.touch(tab);
    try {
      await work();
    } catch (error) {
      if (signal.aborted) throw error;
      throw elementUnusable(ref, error);
    }
  };

  return {
    patience,
    use,
    async find(page, ref) {
      const locator = page.getByRef(ref);
      const count = await locator.count().catch((error: unknown) => {
        rethrowAbort(error);
        return 0;
      });
      if (count !== 1) throw elementNotFound(ref);
      return locator;
    },
    // In two steps: a page may take its time over a click, an element may not.
    async click(locator, ref, on) {
      const { signal } = on;
      await use(ref, on, () => locator.click({ ...patience, trial: true, signal }));
      await locator.click({ timeout: limits.actionMs, signal });
    },
  };
}
