import type { Clock } from "@deputy/kit";
import type { GuardedFetch } from "@deputy/net";
import { TasksError } from "../../tasks-error.ts";

export interface RenewalDeps {
  /** The provider's token endpoint. */
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly scope?: string | undefined;
  /** Looked up for each renewal. Throws as it does. */
  readonly refreshToken: () => string;
  /** Absent for a public client. */
  readonly clientSecret?: (() => string) | undefined;
  /** Keeps a refresh token that takes the place of the one before. */
  readonly keep: (refreshToken: string) => void;
  /** Called with every token before it is used: it must never be shown. */
  readonly learnSecret: (value: string) => void;
  readonly fetch: GuardedFetch;
  readonly clock: Pick<Clock, "monotonicMs">;
}

/** What is used no longer before its end, and how long one lasts that does not say. */
const MARGIN_MS = 60_000;
const DEFAULT_LIFE_S = 300;
const TOKEN = /^[\x21-\x7E]+$/;

/**
 * Access tokens from a refresh token (RFC 6749, 6), each kept until shortly before it ends. Rejects with
 * `source_unreachable`, with `source_refused` if the provider wants the user to sign in again, as a lookup does, or with
 * the signal's reason.
 */
export function createRenewedToken(deps: RenewalDeps): (signal: AbortSignal) => Promise<string> {
  let kept: { readonly token: string; readonly untilMs: number } | undefined;
  return async (signal) => {
    if (kept !== undefined && deps.clock.monotonicMs() < kept.untilMs) return kept.token;
    const { token, lifeMs } = await renew(deps, signal);
    kept = { token, untilMs: deps.clock.monotonicMs() + Math.max(lifeMs - MARGIN_MS, lifeMs / 2) };
    return token;
  };
}

async function renew(
  deps: RenewalDeps,
  signal: AbortSignal,
): Promise<{ readonly token: string; readonly lifeMs: number }> {
  const { clientId, scope, clientSecret } = deps;
  const { host } = new URL(deps.tokenUrl);
  const form = new URLSearchParams({
    grant_type: "refresh_token",
    refresh_token: deps.refreshToken(),
    client_id: clientId,
    ...(clientSecret === undefined ? {} : { client_secret: clientSecret() }),
    ...(scope === undefined ? {} : { scope }),
  });
  const response = await deps
    .fetch(deps.tokenUrl, {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
      body: form.toString(),
      redirect: "error",
      signal,
    })
    .catch((cause: unknown) => {
      if (signal.aborted) throw cause;
      throw new TasksError("source_unreachable", `No access token could be had: ${host} cannot be reached`, {
        cause,
      });
    });
  const answer: unknown = await response.json().catch(() => undefined);
  const told = typeof answer === "object" && answer !== null ? (answer as Record<string, unknown>) : {};
  const { access_token: token, refresh_token: next, expires_in: seconds } = told;
  if (!response.ok || typeof token !== "string" || !TOKEN.test(token))
    throw refused(host, response.status, told);
  deps.learnSecret(token);
  if (typeof next === "string" && TOKEN.test(next)) {
    deps.learnSecret(next);
    deps.keep(next);
  }
  return { token, lifeMs: (Number(seconds) > 0 ? Number(seconds) : DEFAULT_LIFE_S) * 1_000 };
}

function refused(host: string, status: number, told: Readonly<Record<string, unknown>>): TasksError {
  // What a provider says there in words may have what was sent; its codes are those of the standard.
  const code =
    typeof told["error"] === "string" && /^[a-z_]{1,40}$/.test(told["error"]) ? told["error"] : status;
  if (status >= 500 || status === 429)
    return new TasksError("source_unreachable", `No access token could be had: ${host} answered ${code}`);
  return new TasksError("source_refused", `No access token could be had: ${host} answered ${code}`, {
    hint: "Sign in at the provider again, and put the new refresh token where the setting says; check tokenUrl, clientId and clientSecret.",
  });
}
