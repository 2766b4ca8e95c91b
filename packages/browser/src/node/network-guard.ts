import type { CDPSession } from "playwright-core";
import type { RequestBody } from "../shown-form.ts";
import {
  type BrowserRequest,
  type BrowserRights,
  isReading,
  judgeRequest,
  type RequestVerdict,
  withoutFragment,
} from "../judge-request.ts";
import { siteOf } from "../site.ts";
import type { NetAudit, Reach } from "@deputy/net";
import type { OpenTabs } from "./open-tabs.ts";

/** Sees every request of a browser before it is sent: of all tabs, frames and workers, and each redirect. */
export interface NetworkGuard {
  /** How far the proxy may go for a host that a page has asked for. */
  admitted(host: string, port: number): Reach | undefined;
  /** When a request was last seen, by the clock of `performance.now()`. */
  lastRequestMs(): number;
}

export interface NetworkGuardDeps {
  /** The session of the whole browser, not of a page. */
  readonly session: CDPSession;
  readonly proxy: { readonly username: string; readonly password: string };
  readonly tabs: Pick<OpenTabs, "at" | "ofFrame">;
  /** Is this the address that the agent opens in this tab? */
  readonly isOpening: (tab: string, url: string) => boolean;
  /** The rights at this moment, after what the user took back. Never rejects. */
  readonly rights: () => Promise<() => BrowserRights>;
  /** Records pages, changing requests, and everything that was refused. */
  readonly audit: NetAudit;
  readonly onRefused: (request: BrowserRequest, verdict: RequestVerdict & { kind: "refuse" }) => void;
  /** Called before the request goes on. */
  readonly onPassed: (request: BrowserRequest, verdict: RequestVerdict & { kind: "pass" }) => void;
}

/** Hosts that pages have asked for. */
const MOST_ADMITTED = 2_000;
const MOST_TRACED = 5_000;

/** What is known of a request, for those that it is redirected to. */
interface Trace {
  readonly site: string;
  readonly request: BrowserRequest;
  readonly bySubmit: boolean;
}

/** A request as the browser shows it before it is sent. */
interface PausedRequest {
  readonly requestId: string;
  readonly frameId: string;
  readonly resourceType: string;
  readonly redirectedRequestId?: string | undefined;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly hasPostData?: boolean | undefined;
    readonly postDataEntries?: readonly { readonly bytes?: string | undefined }[] | undefined;
  };
}

/** Rejects when the browser has ended. */
export async function guardNetwork(deps: NetworkGuardDeps): Promise<NetworkGuard> {
  const { session, proxy, tabs } = deps;
  const admitted = new Map<string, Reach>();
  const traces = new Map<string, Trace>();
  let lastMs = performance.now();

  /** After the browser has ended, answers no longer matter. */
  const answer = (sent: Promise<unknown>): void => void sent.catch(() => undefined);

  const read = (paused: PausedRequest): BrowserRequest => {
    const { request, frameId, resourceType, redirectedRequestId } = paused;
    const tab = tabs.ofFrame(frameId);
    const isMain = tab === frameId;
    const common = {
      method: request.method,
      url: request.url,
      kind: resourceType !== "Document" ? "part" : isMain ? "page" : "frame",
      isBeacon: resourceType === "Ping" || resourceType === "CSPViolationReport",
      tab: tab === undefined ? undefined : tabs.at(tab),
      isMain,
      body: bodyOf(request),
    } as const;
    if (redirectedRequestId === undefined) {
      const initiator = initiatorOf(request.headers);
      const url = URL.parse(request.url);
      const isAgents =
        common.kind === "page" &&
        initiator === undefined &&
        url !== null &&
        deps.isOpening(frameId, withoutFragment(url));
      return { ...common, initiator, isAgents, via: [], followsSubmit: false };
    }
    const before = traces.get(redirectedRequestId);
    // Of one that is not known any more, nothing good is assumed.
    if (before === undefined)
      return { ...common, initiator: undefined, isAgents: false, via: ["null"], followsSubmit: false };
    const { initiator, isAgents, via } = before.request;
    return { ...common, initiator, isAgents, via: [...via, before.site], followsSubmit: before.bySubmit };
  };

  const judge = async (paused: PausedRequest): Promise<void> => {
    const { requestId } = paused;
    lastMs = performance.now();
    const rights = await deps.rights();
    const asked = read(paused);
    const verdict = judgeRequest(asked, rights());
    if (verdict.kind === "refuse" || asked.kind === "page" || !isReading(asked.method))
      deps.audit(recordOf(asked, verdict));
    if (verdict.kind === "refuse") {
      deps.onRefused(asked, verdict);
      // Aborted, a tab goes on showing what it shows.
      const errorReason = asked.kind === "page" ? "Aborted" : "BlockedByClient";
      answer(session.send("Fetch.failRequest", { requestId, errorReason }));
      return;
    }
    deps.onPassed(asked, verdict);
    keep(traces, MOST_TRACED, requestId, {
      site: siteOf(asked.url) ?? "null",
      request: asked,
      bySubmit: verdict.bySubmit || asked.followsSubmit,
    });
    admit(asked.url, verdict.reach);
    answer(session.send("Fetch.continueRequest", { requestId }));
  };

  session.on("Fetch.requestPaused", (paused) => {
    judge(paused).catch(() =>
      answer(
        session.send("Fetch.failRequest", { requestId: paused.requestId, errorReason: "BlockedByClient" }),
      ),
    );
  });

  session.on("Fetch.authRequired", ({ requestId, authChallenge }) => {
    // A site that asks for a password gets none.
    const response = authChallenge.source === "Proxy" ? "ProvideCredentials" : "CancelAuth";
    const credentials = response === "ProvideCredentials" ? proxy : {};
    answer(
      session.send("Fetch.continueWithAuth", {
        requestId,
        authChallengeResponse: { response, ...pick(credentials) },
      }),
    );
  });

  const admit = (address: string, reach: Reach): void => {
    const url = new URL(address);
    if (url.hostname === "") return;
    const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
    keep(admitted, MOST_ADMITTED, `${url.hostname}:${port}`, reach);
  };

  await session.send("Fetch.enable", {
    handleAuthRequests: true,
    patterns: [{ urlPattern: "*", requestStage: "Request" }],
  });
  return {
    admitted: (host, port) => admitted.get(`${host}:${port}`),
    lastRequestMs: () => lastMs,
  };
}

/** The newest entries, so many at most. */
function keep<T>(map: Map<string, T>, most: number, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}

/**
 * The site of the document that began a request. Pages cannot set these headers. A document that has an address and no
 * origin, such as one in a sandboxed frame, is nobody's: `null`.
 */
function initiatorOf(headers: Readonly<Record<string, string>>): string | undefined {
  const given = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const referer = siteOf(given.get("referer") ?? "");
  const origin = given.get("origin");
  if (origin === undefined) return referer;
  return siteOf(origin) ?? (referer === undefined ? undefined : "null");
}

/** A body that is not all there is none that a form could have sent. */
function bodyOf({
  headers,
  hasPostData,
  postDataEntries,
}: PausedRequest["request"]): RequestBody | undefined {
  if (hasPostData !== true) return undefined;
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const pieces = postDataEntries?.map(({ bytes }) => bytes) ?? [undefined];
  if (pieces.some((piece) => piece === undefined)) return { type: "", bytes: "" };
  return {
    type,
    bytes: pieces.map((piece) => Buffer.from(piece ?? "", "base64").toString("latin1")).join(""),
  };
}

/** Sizes and times are not known here. */
function recordOf({ method, url }: BrowserRequest, verdict: RequestVerdict): Parameters<NetAudit>[0] {
  const host = URL.parse(url)?.host ?? "";
  const outcome =
    verdict.kind === "pass"
      ? { verdict: "allow" as const }
      : { verdict: "deny" as const, reason: verdict.words };
  return { method, host, requestBytes: 0, responseBytes: 0, durationMs: 0, headers: {}, ...outcome };
}

function pick(credentials: { readonly username?: string; readonly password?: string }) {
  const { username, password } = credentials;
  return username === undefined || password === undefined ? {} : { username, password };
}
