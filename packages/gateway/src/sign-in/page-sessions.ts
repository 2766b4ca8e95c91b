import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "@deputy/kit";

/**
 * What a browser keeps instead of the token: it names its age, and the token has signed it. It needs no store, so it
 * outlives a restart of the daemon; it ends with the token, or by age. Whoever sees it cannot derive the token from it.
 */
export interface PageSessions {
  /** A new one, good until `expiresAt`. */
  issue(): { readonly session: string; readonly expiresAt: string };
  /** Undefined if this cannot be one; else whether it was signed with that token and is not too old. */
  check(presented: string, token: string): boolean | undefined;
}

const PREFIX = "dps";
const LIFE_MS = 30 * 86_400_000;
const FORM = /^dps\.([\w-]{16})\.([0-9a-z]{1,11})\.([\w-]{43})$/;

export function createPageSessions(deps: {
  readonly clock: Pick<Clock, "now">;
  readonly token: () => string;
}): PageSessions {
  return {
    issue() {
      const untilMs = deps.clock.now() + LIFE_MS;
      const named = `${PREFIX}.${randomBytes(12).toString("base64url")}.${untilMs.toString(36)}`;
      const session = `${named}.${sign(named, deps.token()).toString("base64url")}`;
      return { session, expiresAt: new Date(untilMs).toISOString() };
    },
    check(presented, token) {
      const [, id, until, signature] = FORM.exec(presented) ?? [];
      if (id === undefined || until === undefined || signature === undefined) return undefined;
      // An empty token would sign for everybody.
      if (token === "" || Number.parseInt(until, 36) <= deps.clock.now()) return false;
      const expected = sign(`${PREFIX}.${id}.${until}`, token);
      const given = Buffer.from(signature, "base64url");
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

function sign(text: string, token: string): Buffer {
  return createHmac("sha256", token).update(`deputy page session\n${text}`).digest();
}
