import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "@deputy/kit";

/** Codes of links that open the page signed in. Each works once, for two minutes; they are gone with the process. */
export interface SignInCodes {
  issue(): { readonly code: string; readonly expiresAt: string };
  /** True once for each code, in time. */
  redeem(code: string): boolean;
}

const LIFE_MS = 120_000;
/** The oldest gives way. */
const MOST_OPEN = 20;

export function createSignInCodes({ clock }: { readonly clock: Pick<Clock, "now"> }): SignInCodes {
  let open: { readonly digest: Buffer; readonly untilMs: number }[] = [];
  return {
    issue() {
      const code = randomBytes(24).toString("base64url");
      const untilMs = clock.now() + LIFE_MS;
      open = [...open, { digest: digest(code), untilMs }].slice(-MOST_OPEN);
      return { code, expiresAt: new Date(untilMs).toISOString() };
    },
    redeem(code) {
      const presented = digest(code);
      open = open.filter(({ untilMs }) => untilMs > clock.now());
      const found = open.find((one) => timingSafeEqual(one.digest, presented));
      open = open.filter((one) => one !== found);
      return found !== undefined;
    },
  };
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
