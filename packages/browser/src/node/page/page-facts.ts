import { ToolsError } from "@deputy/tools";
import type { BrowserLimits } from "../browser-limits.ts";
import { type PageFacts, readPageFacts } from "../unseen-text.ts";
import type { OnPage } from "./page-calls.ts";

export async function factsOf({ session, page }: OnPage): Promise<PageFacts> {
  const cdp = await session.context.newCDPSession(page);
  try {
    return await readPageFacts(cdp);
  } finally {
    cdp.detach().catch(() => undefined);
  }
}

/** Rejects with `page_too_large` for a page that is not read as a whole. */
export async function factsOfReadable(on: OnPage, limits: BrowserLimits): Promise<PageFacts> {
  const facts = await factsOf(on);
  if (facts.elements > limits.pageElements || facts.chars > limits.pageChars)
    throw new ToolsError(
      "page_too_large",
      `The page has ${facts.elements} elements and ${facts.chars} characters`,
      { hint: "Take a screenshot, or extract one element of it." },
    );
  return facts;
}
