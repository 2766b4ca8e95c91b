import { abortReason, type Clock, isAbort, parseJson } from "@deputy/kit";
import { ToolsError } from "@deputy/tools";
import { fieldOf } from "@deputy/json-schema";
import type { Fetch } from "../request/http-doors.ts";
import { reasonOf } from "@deputy/net";
import { readBytes } from "@deputy/net";
import type { AuthSettings } from "./credentials.ts";
import { encodeBasic } from "./encode-basic.ts";

type OAuthSettings = Extract<AuthSettings, { type: "oauth2" }>;

export interface TokenDeps {
  /** Sends to the token's address, which the settings name. */
  readonly fetch: Fetch;
  readonly clock: Pick<Clock, "monotonicMs" | "sleep">;
  /** Called with every token before it is used: it must never be shown. */
  readonly learnSecret: (value: string) => void;
}

export interface TokenSource {
  /** Rejects with `auth_failed` or the signal's reason. Callers at the same time share one request. */
  token(signal: AbortSignal): Promise<string>;
  /** True when there was a token to forget. */
  forget(): boolean;
}

const MAX_BYTES = 64 * 1024;
const MAX_WAIT_MS = 30_000;
/** What is used no longer before its end, and how long one lasts that does not say. */
const MARGIN_MS = 30_000;
const DEFAULT_LIFE_MS = 300_000;

/** Tokens by client credentials (RFC 6749, 4.4), kept until shortly before they end. */
export function createTokenSource(settings: OAuthSettings, deps: TokenDeps): TokenSource {
  let kept: { readonly token: string; readonly untilMs: number } | undefined;
  let asking: Promise<string> | undefined;

  const ask = async (): Promise<string> => {
    const { token, lifeMs } = await requestToken(settings, deps);
    deps.learnSecret(token);
    kept = { token, untilMs: deps.clock.monotonicMs() + Math.max(lifeMs - MARGIN_MS, lifeMs / 2) };
    return token;
  };

  return {
    async token(signal) {
      if (kept !== undefined && deps.clock.monotonicMs() < kept.untilMs) return kept.token;
      asking ??= ask().finally(() => (asking = undefined));
      return await withSignal(asking, signal);
    },
    forget() {
      const had = kept !== undefined;
      kept = undefined;
      return had;
    },
  };
}

/** One caller that stops waiting does not stop the others. */
function withSignal<T>(wait: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(abortReason(signal));
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    wait.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

async function requestToken(
  settings: OAuthSettings,
  { fetch, clock }: TokenDeps,
): Promise<{ readonly token: string; readonly lifeMs: number }> {
  const url = URL.parse(settings.tokenUrl);
  if (url === null) throw failed("its token address is invalid");
  const late = new AbortController();
  const over = new AbortController();
  clock.sleep(MAX_WAIT_MS, over.signal).then(
    () => late.abort(),
    () => undefined,
  );
  try {
    const response = await fetch(url, { ...tokenRequest(settings), redirect: "manual", signal: late.signal });
    const bytes = await readBytes(response, MAX_BYTES, late.signal);
    if (!response.ok) throw failed(`${url.host} answered ${response.status}`);
    const answer = parseJson(new TextDecoder().decode(bytes));
    const token = fieldOf(answer, "access_token");
    if (typeof token !== "string" || !/^[\x21-\x7E]+$/.test(token)) throw failed(`${url.host} gave no token`);
    const seconds = Number(fieldOf(answer, "expires_in"));
    return { token, lifeMs: seconds > 0 ? seconds * 1_000 : DEFAULT_LIFE_MS };
  } catch (cause) {
    if (late.signal.aborted) throw failed(`${url.host} did not answer within ${MAX_WAIT_MS / 1_000} s`);
    if (cause instanceof ToolsError && cause.code === "auth_failed") throw cause;
    if (isAbort(cause)) throw cause;
    throw failed(`${url.host} cannot be reached: ${reasonOf(cause)}`, cause);
  } finally {
    over.abort();
  }
}

function tokenRequest(settings: OAuthSettings): RequestInit {
  const secret = settings.clientSecret();
  const form = new URLSearchParams({ grant_type: "client_credentials" });
  if (settings.scopes.length > 0) form.set("scope", settings.scopes.join(" "));
  const headers = new Headers({
    accept: "application/json",
    "content-type": "application/x-www-form-urlencoded",
  });
  if (settings.clientAuth === "body") {
    form.set("client_id", settings.clientId);
    form.set("client_secret", secret);
  } else {
    const pair = [settings.clientId, secret].map((part) => encodeURIComponent(part)).join(":");
    headers.set("authorization", `Basic ${encodeBasic(pair)}`);
  }
  return { method: "POST", headers, body: form.toString() };
}

function failed(why: string, cause?: unknown): ToolsError {
  return new ToolsError("auth_failed", `No access token could be had: ${why}`, {
    ...(cause === undefined ? {} : { cause }),
    hint: "Check tokenUrl, clientId and clientSecret of this tool source.",
  });
}
