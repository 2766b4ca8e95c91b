import type { DownloadOf, SessionBrowser } from "../../session-browser.ts";
import { readSite, siteOf } from "../../site.ts";
import { ToolsError } from "@deputy/tools";
import { downloadLink, isSubmitting, linkOf } from "../in-page.ts";
import { refusalOf, submitNeeded } from "../page-errors.ts";
import { takeDownload } from "../take-download.ts";
import type { OnPage } from "./page-calls.ts";
import type { PageParts } from "./page-parts.ts";

/** The tool that takes a file from the page. */
export function downloadFiles(parts: PageParts): Pick<SessionBrowser, "download"> {
  const { calls, elements, limits, clock } = parts;

  /** Makes the page begin it. */
  const begin = async (site: string, what: DownloadOf, on: OnPage): Promise<void> => {
    const { page } = on;
    if (what.kind === "url") {
      if (readSite(what.url) !== site)
        throw new ToolsError("request_invalid", `The address is not of ${site}`, {
          hint: "Open a page of its site first.",
        });
      await page.evaluate(downloadLink, what.url);
      return;
    }
    const locator = await elements.find(page, what.ref);
    const link = await locator.evaluate(linkOf, undefined, elements.patience);
    if (await locator.evaluate(isSubmitting, undefined, elements.patience))
      throw submitNeeded(`${what.ref} submits a form`, { site, ref: what.ref });
    const isHere = link !== undefined && siteOf(link) === site;
    if (isHere) await page.evaluate(downloadLink, link);
    else await elements.click(locator, what.ref, on);
  };

  return {
    download: (site, what, call) =>
      calls.onSite(site, call, limits.downloadMs, async (on) => {
        const { session, signal } = on;
        const waiting = new AbortController();
        const either = AbortSignal.any([signal, waiting.signal]);
        const expected = session.expectDownload(either);
        expected.catch(() => undefined);
        try {
          await begin(site, what, on);
          call.progress("Waiting for the file");
          const gaveUp = clock.sleep(limits.navigateMs, either).then(() => undefined);
          gaveUp.catch(() => undefined);
          const download = await Promise.race([expected, gaveUp]);
          if (download === undefined)
            throw (
              refusalOf(session.takeRefused(on.tab), { site }) ??
              new ToolsError("download_failed", "No download began")
            );
          const taken = { folder: session.downloads, maxBytes: limits.downloadBytes, clock };
          return await takeDownload(download, taken, signal);
        } finally {
          waiting.abort();
        }
      }),
  };
}
