/** The one policy by which an address becomes code: a file of this page's own, and nothing else. */
const policy = (
  globalThis as { trustedTypes?: { createPolicy(name: string, rules: object): Policy } }
).trustedTypes?.createPolicy("deputy", {
  createScriptURL(address: string): string {
    const { origin, pathname, href } = new URL(address, location.href);
    if (origin === location.origin && /^\/(?:assets\/[\w-]+\.js|service-worker\.js)$/.test(pathname))
      return href;
    throw new TypeError("That is no script of this page");
  },
});

interface Policy {
  createScriptURL(address: string): string;
}

/** The address of a script of our own, for a worker. Throws for any other. */
export function ownScript(address: string): string {
  return policy === undefined ? address : policy.createScriptURL(address);
}
