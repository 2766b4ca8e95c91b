import type { Clock } from "@deputy/kit";
import type { BrowserLimits } from "../browser-limits.ts";
import type { PageNotes } from "../page-notes.ts";
import type { SessionRights } from "../session-rights.ts";
import type { PageCalls } from "./page-calls.ts";
import type { PageElements } from "./page-elements.ts";
import type { PageTree } from "./page-tree.ts";

/** The parts that the tools of a session's page share. */
export interface PageParts {
  readonly calls: PageCalls;
  readonly elements: PageElements;
  readonly tree: PageTree;
  /** True while the browser runs. */
  readonly isOpen: () => boolean;
  readonly rights: SessionRights;
  readonly notes: PageNotes;
  readonly limits: BrowserLimits;
  readonly clock: Pick<Clock, "sleep">;
}
