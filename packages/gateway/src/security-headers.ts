const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  // Pictures of attachments are read with the session and shown from memory.
  "img-src 'self' data: blob:",
  "manifest-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  // Only lit's own templates may become markup, and only files of the page's own code; a string never does.
  "require-trusted-types-for 'script'",
  "trusted-types lit-html deputy",
].join("; ");

const everywhere = {
  "content-security-policy": contentSecurityPolicy,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const;

const caching = {
  page: "no-cache",
  /** Its name has the hash of what is in it. */
  hashed: "public, max-age=31536000, immutable",
  api: "no-store",
} as const;

/** On every response, refusals included. CORS headers are added only for pages that the settings name: no other site may read anything. */
export function securityHeaders(kind: keyof typeof caching): Readonly<Record<string, string>> {
  return { ...everywhere, "cache-control": caching[kind] };
}
