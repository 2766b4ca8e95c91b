import { createHash } from "node:crypto";
import { type Clock, showOnOneLine } from "@deputy/kit";
import type { ApprovalId } from "@deputy/protocol";
import { type Channel, ChannelFailure, type ChannelMessage } from "@deputy/tasks";
import {
  encryptPush,
  MOST_PUSH_BYTES,
  type PushSubscription,
  type VapidKeys,
  vapidHeader,
} from "./web-push.ts";

export interface NtfyOptions {
  readonly server: string;
  /** Read for each message. Throws if there is none. */
  readonly topic: () => string;
  readonly token?: (() => string) | undefined;
  /** `short`: who speaks, and that something waits. `full`: what they say, which the server can read. */
  readonly content: "short" | "full";
}

export interface WebPushOptions {
  readonly keys: () => VapidKeys;
  /** A `mailto:` or `https:` address at which a push service may complain. */
  readonly contact: string;
  readonly subscriptions: () => readonly PushSubscription[];
  /** The browser does not want it any more. */
  readonly forget: (endpoint: string) => void;
  /** Addresses come from browsers: it must not reach into the own network. */
  readonly fetch: Fetch;
}

export interface PushOptions {
  readonly ntfy?: NtfyOptions | undefined;
  readonly web?: WebPushOptions | undefined;
  /** The page, at that question. To fetch it does nothing. */
  readonly pageOf: (approval?: ApprovalId) => string;
  readonly fetch: Fetch;
  readonly clock: Pick<Clock, "now">;
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;
/** A place that a message goes to, and how. */
interface Target {
  readonly id: string;
  readonly send: (message: ChannelMessage, signal: AbortSignal) => Promise<void>;
}

/** How long a push service keeps it for a phone that is off. */
const KEPT_SECONDS = 24 * 60 * 60;
const REMEMBERED = 1_000;
const SHORT_CHARS = 100;
const NTFY_CHARS = 3_500;
const TIMEOUT_MS = 30_000;

/**
 * Notifications on phones and desktops, by ntfy and by Web Push. It is sent once one of them has it; those that had it
 * are left out when it is sent again.
 */
export function createPushChannel(options: PushOptions): Channel {
  const { ntfy, web } = options;
  const taken = new Set<string>();

  const targets = (): readonly Target[] => [
    ...(ntfy === undefined ? [] : [{ id: "ntfy", send: ntfySender(ntfy, options) }]),
    ...(web === undefined
      ? []
      : web.subscriptions().map((one) => ({ id: one.endpoint, send: webSender(one, web, options) }))),
  ];

  return {
    name: "push",
    async send(message, signal) {
      const all = targets();
      if (all.length === 0)
        throw new ChannelFailure("not_accepted", "No phone or browser is there to be notified", {
          hint: "`deputy channels add push` connects ntfy; the page's settings connect a browser.",
        });
      const failures: unknown[] = [];
      let count = 0;
      for (const { id, send } of all) {
        const mark = `${message.key} ${id}`;
        if (taken.has(mark)) {
          count += 1;
          continue;
        }
        try {
          await send(message, signal);
          count += 1;
          taken.add(mark);
          const [oldest] = taken;
          if (taken.size > REMEMBERED && oldest !== undefined) taken.delete(oldest);
        } catch (error) {
          if (signal.aborted) throw signal.reason;
          failures.push(error);
        }
      }
      if (count === 0) throw worstOf(failures);
      return {};
    },
  };
}

/** What may go later is tried again. */
function worstOf(failures: readonly unknown[]): unknown {
  return (
    failures.find((one) => !(one instanceof ChannelFailure)) ??
    failures.find((one) => one instanceof ChannelFailure && one.code === "not_taken") ??
    failures[0]
  );
}

function ntfySender(
  { server, topic, token, content }: NtfyOptions,
  { fetch, pageOf, clock }: PushOptions,
): Target["send"] {
  return async ({ from, text, asks }, signal) => {
    const click = pageOf(asks);
    const short = asks === undefined ? "Deputy has something for you." : "Deputy waits for your answer.";
    const body = {
      topic: topic(),
      title: oneLine(asks === undefined ? `Deputy: ${from}` : `Deputy asks: ${from}`),
      message: content === "full" ? text.slice(0, NTFY_CHARS) : short,
      priority: asks === undefined ? 3 : 4,
      click,
      // It opens the page. Nothing is approved by an address that is fetched.
      actions: [{ action: "view", label: "Open", url: click }],
    };
    const secret = token?.();
    const answer = await ask("ntfy", fetch, server, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
      },
      body: JSON.stringify(body),
      redirect: "error",
      signal,
    });
    judge("ntfy", answer, clock);
  };
}

function webSender(
  subscription: PushSubscription,
  { keys, contact, fetch, forget }: WebPushOptions,
  { pageOf, clock }: PushOptions,
): Target["send"] {
  const { endpoint } = subscription;
  return async ({ key, from, text, asks }, signal) => {
    const title = oneLine(asks === undefined ? `Deputy: ${from}` : "Deputy waits for you");
    const tag = asks ?? createHash("sha256").update(key).digest("base64url").slice(0, 32);
    const rest = { title, tag, url: new URL(pageOf(asks)).hash };
    const answer = await ask("The push service", fetch, endpoint, {
      method: "POST",
      headers: {
        authorization: vapidHeader(endpoint, keys(), contact, clock.now()),
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        ttl: String(KEPT_SECONDS),
        urgency: asks === undefined ? "normal" : "high",
        // A message with the same topic replaces the one that was not delivered yet.
        topic: createHash("sha256").update(key).digest("base64url").slice(0, 32),
      },
      body: new Uint8Array(encryptPush(fitting(rest, text), subscription)),
      redirect: "error",
      signal,
    });
    if (answer.status === 404 || answer.status === 410) {
      forget(endpoint);
      throw new ChannelFailure("not_accepted", "The browser has ended its subscription");
    }
    judge("The push service", answer, clock);
  };
}

/** The text is cut where the whole would be too large for a push. */
function fitting(rest: object, text: string): Uint8Array {
  const encode = (body: string): Uint8Array => Buffer.from(JSON.stringify({ ...rest, body }));
  let body = text;
  while (encode(body).byteLength > MOST_PUSH_BYTES)
    body = `${body.slice(0, Math.floor(body.length * 0.8)).toWellFormed()}…`;
  return encode(body);
}

async function ask(
  who: string,
  fetch: Fetch,
  url: string,
  init: RequestInit & { signal: AbortSignal },
): Promise<Response> {
  try {
    const signal = AbortSignal.any([init.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const answer = await fetch(url, { ...init, signal });
    await answer.body?.cancel();
    return answer;
  } catch (cause) {
    if (init.signal.aborted) throw init.signal.reason;
    throw new ChannelFailure("not_taken", `${who} cannot be reached`, { cause });
  }
}

function judge(who: string, { status, headers }: Response, clock: Pick<Clock, "now">): void {
  if (status >= 200 && status < 300) return;
  if (status === 429 || status >= 500) {
    const retryAfterMs = waitOf(headers.get("retry-after"), clock.now());
    throw new ChannelFailure("not_taken", `${who} does not take it now (${status})`, {
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    });
  }
  const isToken = status === 401 || status === 403;
  throw new ChannelFailure(
    "not_accepted",
    isToken ? `${who} does not accept Deputy (${status})` : `${who} does not take it (${status})`,
    isToken ? { hint: "`deputy channels add push` takes the token anew." } : {},
  );
}

/** Seconds, or a date. */
function waitOf(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - nowMs;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

function oneLine(text: string): string {
  return showOnOneLine(text).slice(0, SHORT_CHARS);
}
