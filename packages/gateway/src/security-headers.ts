const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const everywhere = {
  "content-security-policy": contentSecurityPolicy,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const;

/** On every response, refusals included. There are no CORS headers: no other site may read anything. */
export function securityHeaders(kind: "page" | "api"): Readonly<Record<string, string>> {
  return { ...everywhere, "cache-control": kind === "page" ? "no-cache" : "no-store" };
}
