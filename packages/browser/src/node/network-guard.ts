import type { CDPSession } from "playwright-core";
import {
  type BrowserRequest,
  type BrowserRights,
  isReading,
  judgeRequest,
  type RequestVerdict,
} from "../judge-request.ts";
import type { NetAudit } from "@deputy/net";
import type { Reach } from "@deputy/net";

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
  readonly rights: () => BrowserRights;
  /** Records pages, changing requests, and everything that was refused. */
  readonly audit: NetAudit;
  readonly onRefused: (request: BrowserRequest, verdict: RequestVerdict & { kind: "refuse" }) => void;
}

/** Hosts that pages have asked for. */
const MOST_ADMITTED = 2_000;

/** Rejects when the browser has ended. */
export async function guardNetwork(deps: NetworkGuardDeps): Promise<NetworkGuard> {
  const { session, proxy } = deps;
  const tabs = new Set<string>();
  const admitted = new Map<string, Reach>();
  let lastMs = performance.now();

  /** After the browser has ended, answers no longer matter. */
  const answer = (sent: Promise<unknown>): void => void sent.catch(() => undefined);

  session.on("Target.targetCreated", ({ targetInfo }) => {
    if (targetInfo.type === "page") tabs.add(targetInfo.targetId);
  });
  session.on("Target.targetDestroyed", ({ targetId }) => void tabs.delete(targetId));

  session.on("Fetch.requestPaused", ({ requestId, request, resourceType, frameId }) => {
    lastMs = performance.now();
    const asked: BrowserRequest = {
      method: request.method,
      url: request.url,
      kind: resourceType !== "Document" ? "part" : tabs.has(frameId) ? "page" : "frame",
      isBeacon: resourceType === "Ping" || resourceType === "CSPViolationReport",
    };
    const verdict = judgeRequest(asked, deps.rights());
    if (verdict.kind === "refuse" || asked.kind === "page" || !isReading(asked.method))
      deps.audit(recordOf(asked, verdict));
    if (verdict.kind === "refuse") {
      deps.onRefused(asked, verdict);
      // Aborted, a tab goes on showing what it shows.
      const errorReason = asked.kind === "page" ? "Aborted" : "BlockedByClient";
      answer(session.send("Fetch.failRequest", { requestId, errorReason }));
      return;
    }
    admit(asked.url, verdict.reach);
    answer(session.send("Fetch.continueRequest", { requestId }));
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
    const key = `${url.hostname}:${port}`;
    admitted.delete(key);
    admitted.set(key, reach);
    const [oldest] = admitted.keys();
    if (admitted.size > MOST_ADMITTED && oldest !== undefined) admitted.delete(oldest);
  };

  await session.send("Target.setDiscoverTargets", { discover: true });
  await session.send("Fetch.enable", {
    handleAuthRequests: true,
    patterns: [{ urlPattern: "*", requestStage: "Request" }],
  });
  return {
    admitted: (host, port) => admitted.get(`${host}:${port}`),
    lastRequestMs: () => lastMs,
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
