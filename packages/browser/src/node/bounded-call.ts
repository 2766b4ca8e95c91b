import { abortReason, CodedError, throwIfAborted } from "@deputy/kit";
import type { BrowserCall } from "../session-browser.ts";
import { siteOf } from "../site.ts";
import { ToolsError } from "@deputy/tools";
import type { OpenSession } from "./open-session.ts";
import { pageFailed } from "./page-errors.ts";

const CLOSE_MS = 3_000;
export const OPEN_AGAIN = "Open it again with browser.navigate, or another page.";

/**
 * Runs something on a page for so long at most. Rejects with a coded error or the call's reason. A page that does not
 * answer any more, such as one in an endless loop, is closed, with other tabs of its site, which may run in the same
 * process; with its browser, if need be. Then `onGivenUp` is called.
 */
export async function boundedCall<T>(
  session: OpenSession,
  call: BrowserCall,
  { limitMs, onGivenUp }: { readonly limitMs: number; readonly onGivenUp: () => void },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  throwIfAborted(call.signal);
  const limit = AbortSignal.timeout(limitMs);
  const signal = AbortSignal.any([call.signal, limit, session.ended]);
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(abortReason(signal));
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    const working = work(signal);
    working.catch(() => undefined); // It may fail long after it was given up.
    return await Promise.race([working, stopped]);
  } catch (error) {
    throwIfAborted(call.signal);
    if (session.ended.aborted)
      throw new ToolsError("browser_failed", "The browser has ended; the next call starts it again", {
        cause: error,
      });
    if (limit.aborted) {
      onGivenUp();
      await endPage(session);
      throw new ToolsError("page_failed", `The page did not answer within ${limitMs} ms and was closed`, {
        hint: OPEN_AGAIN,
      });
    }
    throw error instanceof CodedError ? error : pageFailed("The page did not do it", error);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function endPage(session: OpenSession): Promise<void> {
  const closed = session.page().then((page) => {
    const site = siteOf(page.url());
    const alike = session.context.pages().filter((one) => one === page || siteOf(one.url()) === site);
    return Promise.all(alike.map((one) => one.close()));
  });
  const late = new Promise<"late">((resolve) => setTimeout(() => resolve("late"), CLOSE_MS).unref());
  const outcome = await Promise.race([closed.then(() => "closed").catch(() => "late"), late]);
  if (outcome === "late") await session[Symbol.asyncDispose]();
}
