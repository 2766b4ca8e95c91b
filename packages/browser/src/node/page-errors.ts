import { makeVisible } from "@deputy/kit";
import { siteNotAllowed, siteOf } from "../site.ts";
import { ToolsError } from "@deputy/tools";
import type { Refused } from "./open-session.ts";

const MOST_CHARS = 200;

/** The error for an element that cannot be used. */
export function elementNotFound(ref: string): ToolsError {
  return new ToolsError("element_not_found", `${ref} is not on the page any more`, {
    hint: "Take a new snapshot and use its refs.",
  });
}

/** Playwright gave up waiting for it, or says that it is nothing of the kind. */
export function elementUnusable(ref: string, cause: unknown): ToolsError {
  return new ToolsError("element_unusable", `${ref} cannot be used so: ${reasonOf(cause)}`, {
    cause,
    hint: "It may be covered, disabled or moving. Take a new snapshot.",
  });
}

export function pageFailed(what: string, cause: unknown): ToolsError {
  return new ToolsError("page_failed", `${what}: ${reasonOf(cause)}`, { cause });
}

/** Why a site's page did not come up. */
export function pageNotOpened(site: string, cause: unknown): ToolsError {
  const what = `${site} could not be opened`;
  const problem = certificateProblem(cause);
  if (problem === undefined) return pageFailed(what, cause);
  return new ToolsError("page_failed", `${what}: its certificate cannot be trusted (${problem})`, {
    cause,
    hint: "Nothing was loaded, and no setting lets it pass. For a server of your own, have this machine trust who signed it.",
  });
}

/** The browser's reason for rejecting a certificate. Playwright's message contains the browser's name for it. */
function certificateProblem(cause: unknown): string | undefined {
  const text = cause instanceof Error ? cause.message : "";
  return /\bnet::(?<problem>ERR_CERT_[A-Z_]+)/.exec(text)?.groups?.["problem"];
}

export function submitNeeded(
  what: string,
  order: { readonly site: string; readonly ref?: string },
): ToolsError {
  const { site, ref = "e…" } = order;
  return new ToolsError("approval_needed", what, {
    hint: `Call browser.submit({ site: "${site}", ref: "${ref}", element: … }): the user is asked.`,
  });
}

/** The page is not what the user was asked about. */
export function formChanged(what: string): ToolsError {
  const advice =
    "Take a new snapshot and call browser.submit again: the user is asked about what is there now";
  return new ToolsError(
    "page_changed",
    `It is not what was approved, so nothing was sent: ${what}. ${advice}`,
  );
}

/** The page was about to send something else than the form that the user saw. */
export function otherwiseSent(what: string): ToolsError {
  const advice =
    'If its own script is to send it, call browser.submit with by: "script": the user is told so';
  return new ToolsError("page_changed", `The page did not send the form as it was shown. ${what}. ${advice}`);
}

/** The refused request that ended the call; undefined when it did not matter. */
export function refusalOf(
  refused: readonly Refused[],
  order: { readonly site: string; readonly ref?: string },
): ToolsError | undefined {
  const page = refused.find(({ kind }) => kind === "page");
  if (page?.why === "site") return siteNotAllowed(siteOf(page.url) ?? page.url);
  if (page !== undefined && page.why !== "change") return new ToolsError("address_refused", page.words);
  const changes = refused
    .filter(({ why, matters }) => why === "change" && matters === "page")
    .map(({ words }) => words);
  if (changes.length === 0) return undefined;
  return submitNeeded(`It was to send ${changes.slice(0, 3).join(", ")}, which was held back`, order);
}

/** The first line of what Playwright says, in plain characters. */
function reasonOf(cause: unknown): string {
  const [first = ""] = (cause instanceof Error ? cause.message : "it failed").split("\n");
  // oxlint-disable-next-line no-control-regex -- colours of a terminal
  const plain = first.replaceAll(/\u001B\[[\d;]*m/g, "").replace(/^[a-zA-Z]+\.[a-zA-Z]+: /, "");
  return makeVisible(plain).slice(0, MOST_CHARS);
}
