import { hostKind, judgeUrl } from "@deputy/net/judge-url";
import { ToolsError } from "@deputy/tools";

/** A site is an origin: scheme, host and port, such as `https://example.org`. Throws `request_invalid`. */
export function readSite(text: string): string {
  const url = URL.parse(text);
  if (url === null || !isWeb(url) || url.username !== "" || url.password !== "")
    throw new ToolsError("request_invalid", `${text.slice(0, 200)} is no site, such as https://example.org`);
  return url.origin;
}

/** The site of an address that a tab may show; undefined for one without a site, such as `about:blank` or `file:`. */
export function siteOf(address: string): string | undefined {
  const url = URL.parse(address);
  return url !== null && isWeb(url) ? url.origin : undefined;
}

/** Does the site look like one in the user's own network? */
export function isPrivateSite(site: string): boolean {
  const host = hostKind(new URL(site).hostname);
  return host.kind === "private-name" || (host.kind === "address" && host.leadsTo !== "public");
}

/** Why no yes of the user's could open it, such as an address where clouds keep credentials; else nothing. */
export function whyNeverOpened(site: string): string | undefined {
  try {
    judgeUrl(new URL(site), "own");
    return undefined;
  } catch (error) {
    if (error instanceof ToolsError) return error.message;
    throw error;
  }
}

export function siteNotAllowed(site: string): ToolsError {
  return new ToolsError("site_not_allowed", `${site} is a site that this session may not open yet`, {
    hint: `Call browser.allowSite({ site: ${JSON.stringify(site)} }): the user is asked.`,
    quotes: [site],
  });
}

function isWeb({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}
