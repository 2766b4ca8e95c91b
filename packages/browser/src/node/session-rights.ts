import type { BrowserRights } from "../judge-request.ts";
import { ToolsError } from "@deputy/tools";

/** The rights of a session's browser, while Deputy runs. */
export interface SessionRights {
  /** Throws `site_not_allowed` when there are too many. */
  allow(site: string): void;
  /** Something was clicked or typed. */
  touch(): void;
  /** Forgets all clicks and typing. */
  renew(): void;
  /** Lets a submit send to these origins until it is disposed. */
  letSubmit(sites: readonly string[]): Disposable;
  current(shown: readonly string[]): BrowserRights;
}

const MOST_SITES = 200;

export function createSessionRights(own: ReadonlySet<string>): SessionRights {
  const sites = new Set(own);
  let isTouched = false;
  let submitsTo: ReadonlySet<string> | undefined;
  return {
    allow(site) {
      if (sites.size >= MOST_SITES && !sites.has(site))
        throw new ToolsError("site_not_allowed", `This session may open ${MOST_SITES} sites already`);
      sites.add(site);
    },
    touch() {
      isTouched = true;
    },
    renew() {
      isTouched = false;
    },
    letSubmit(targets) {
      submitsTo = new Set(targets);
      return { [Symbol.dispose]: () => void (submitsTo = undefined) };
    },
    current: (shown) => ({ sites, own, isTouched, submitsTo, shown }),
  };
}
