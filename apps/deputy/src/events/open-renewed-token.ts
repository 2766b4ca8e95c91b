import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock } from "@deputy/kit";
import { createRenewedToken } from "@deputy/tasks/node/sources";
import type { EventSettings } from "../config/events-schema.ts";

type OAuth = NonNullable<(EventSettings & { readonly type: "imap" })["oauth"]>;

/**
 * A mailbox's access token. A refresh token that the provider replaces is kept in `events/NAME.token.json` of the home;
 * it holds for the one in the settings, so that another one there counts at once.
 */
export function openRenewedToken(
  name: string,
  settings: OAuth,
  deps: {
    readonly home: string;
    readonly clock: Clock;
    readonly learnSecret: (value: string) => void;
    /** A secret by its reference. */
    readonly lookUp: (reference: string) => string;
  },
): (signal: AbortSignal) => Promise<string> {
  const { tokenUrl, clientId, clientSecret, scope } = settings;
  const file = join(deps.home, "events", `${name}.token.json`);
  const given = (): string => deps.lookUp(settings.refreshToken);
  let renewed: ReturnType<typeof createRenewedToken> | undefined;
  return async (signal) => {
    if (renewed === undefined) {
      const { createGuardedFetch } = await import("@deputy/net/node");
      renewed = createRenewedToken({
        tokenUrl,
        clientId,
        scope,
        clientSecret: clientSecret === undefined ? undefined : () => deps.lookUp(clientSecret),
        refreshToken: () => readKept(file, given(), deps.learnSecret),
        keep(refreshToken) {
          mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
          writeFileSync(file, JSON.stringify({ for: fingerprint(given()), refreshToken }), { mode: 0o600 });
        },
        learnSecret: deps.learnSecret,
        fetch: createGuardedFetch({
          audit: () => undefined,
          // The user named it, so it may be the user's own server.
          allowPrivate: [new URL(tokenUrl).origin],
          limits: { bodyBytes: 64 * 1024, redirects: 0 },
        }),
        clock: deps.clock,
      });
    }
    return await renewed(signal);
  };
}

function readKept(file: string, given: string, learnSecret: (value: string) => void): string {
  try {
    const kept = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    const { refreshToken } = kept;
    if (kept["for"] !== fingerprint(given) || typeof refreshToken !== "string") return given;
    learnSecret(refreshToken);
    return refreshToken;
  } catch {
    // None was kept yet.
    return given;
  }
}

const fingerprint = (text: string): string => createHash("sha256").update(text).digest("hex");
