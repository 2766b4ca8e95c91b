import { isAbort } from "@deputy/kit";
import { refusalOf } from "../page-errors.ts";
import type { OnPage } from "./page-calls.ts";
import type { PageParts } from "./page-parts.ts";

const LOOK_AGAIN_MS = 50;

/**
 * Until no request was seen for a moment, and what the tab is to show is there; with `isDone`, not before that holds. A
 * busy machine may take longer than that moment until it shows a request at all.
 */
export async function settle(
  { session, page, signal }: OnPage,
  { limits, clock }: Pick<PageParts, "limits" | "clock">,
  isDone: () => boolean = () => true,
): Promise<void> {
  const startedMs = performance.now();
  for (;;) {
    const now = performance.now();
    const quietMs = now - Math.max(startedMs, session.guard.lastRequestMs());
    if (now - startedMs > limits.settleMs) break;
    if (quietMs >= limits.quietMs && !session.isAwaiting(page) && isDone()) break;
    await clock.sleep(Math.max(limits.quietMs - quietMs, LOOK_AGAIN_MS), signal);
  }
  if (page.isClosed()) return;
  const timeout = limits.settleMs;
  await page.waitForLoadState("domcontentloaded", { timeout, signal }).catch(rethrowAbort);
}

/** Throws where something was refused that the call was for. */
export function assertNothingHeldBack(
  { session, tab }: OnPage,
  order: { readonly site: string; readonly ref?: string },
): void {
  const refusal = refusalOf(session.takeRefused(tab), order);
  if (refusal !== undefined) throw refusal;
}

/** Waiting is optional, but an abort must always get through. */
export function rethrowAbort(error: unknown): void {
  if (isAbort(error) && !(error instanceof Error && error.name === "TimeoutError")) throw error;
}
