import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { abortReason, type Clock } from "@deputy/kit";
import { NotSentError, ToolsError } from "@deputy/tools";
import type { NetRequest } from "../follow-redirect.ts";
import type { FetchLimits, NetAudit } from "../guarded-fetch.ts";
import { judgeUrl, type Reach } from "../judge-url.ts";
import { headersForRecord } from "../request-headers.ts";
import { checkAddresses, type Resolve, type ResolvedAddress } from "./check-addresses.ts";
import { ACCEPTED_CODINGS } from "./decode-body.ts";
import { toResponse } from "./to-response.ts";

export interface SendDeps {
  readonly resolve: Resolve;
  readonly clock: Pick<Clock, "monotonicMs" | "sleep">;
  readonly limits: FetchLimits;
  readonly audit: NetAudit;
}

export interface SendOptions {
  readonly reach: Reach;
  /** By the clock's `monotonicMs`; the whole body must have arrived by then. */
  readonly endsMs: number | undefined;
  readonly signal: AbortSignal;
}

/** Sends one request, without following redirects. Rejects, and is audited, as `GuardedFetch` says. */
export async function sendOnce(
  deps: SendDeps,
  request: NetRequest,
  { reach, endsMs, signal }: SendOptions,
): Promise<Response> {
  const { clock, limits } = deps;
  const { host } = request.url;
  const cut = new AbortController();
  const timer = createPhaseTimer(clock);
  const whole = createPhaseTimer(clock);
  const record = openRecord(deps, request);
  const late = (what: string) => (): void =>
    cut.abort(new ToolsError("http_unreachable", `${host} ${what}, and was given up`));
  const stop = (): void => cut.abort(abortReason(signal));
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  const end = (error?: unknown): void => {
    timer.end();
    whole.end();
    signal.removeEventListener("abort", stop);
    record.end(error);
  };
  let isConnected = false;
  /** Converts a failure to the error that the caller gets. */
  const toError = (cause: unknown): unknown =>
    cut.signal.aborted ? abortReason(cut.signal) : classify(cause, host, isConnected);

  try {
    if (endsMs !== undefined)
      whole.begin(endsMs - clock.monotonicMs(), late("takes too long to send everything"));
    timer.begin(limits.connectMs, late("takes too long to connect"));
    const destination = judgeUrl(request.url, reach);
    const addresses = await checkAddresses(deps.resolve, destination, reach, cut.signal);
    const answer = await exchange(request, addresses, {
      limits,
      timer,
      late,
      signal: cut.signal,
      onRequest: record.watch,
      onConnect: () => void (isConnected = true),
    });
    record.answered(answer.statusCode);
    return toResponse(answer, {
      method: request.method,
      url: request.url,
      maxBytes: limits.bodyBytes,
      signal: cut.signal,
      onWait: () => timer.begin(limits.idleMs, late("sends nothing more")),
      onChunk: timer.end,
      onEnd: end,
      toError,
    });
  } catch (cause) {
    const error = toError(cause);
    end(error);
    throw error;
  }
}

interface ExchangeOptions {
  readonly limits: FetchLimits;
  readonly timer: PhaseTimer;
  readonly late: (what: string) => () => void;
  readonly signal: AbortSignal;
  readonly onRequest: (sent: ClientRequest) => void;
  /** Before the first byte of the request is sent. */
  readonly onConnect: () => void;
}

/** Waits until the headers of the answer are there. */
function exchange(
  { method, url, headers, body }: NetRequest,
  addresses: readonly ResolvedAddress[],
  { limits, timer, late, signal, onRequest, onConnect }: ExchangeOptions,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === "https:";
  return new Promise((resolve, reject) => {
    const sent = (isSecure ? requestHttps : requestHttp)({
      method,
      // Node takes an IPv6 address without brackets, and adds them to `Host` itself.
      hostname: url.hostname.replace(/^\[|\]$|\.$/g, ""),
      port: url.port,
      path: `${url.pathname}${url.search}`,
      headers: {
        ...Object.fromEntries(headers),
        "accept-encoding": ACCEPTED_CODINGS,
        ...(body === undefined ? {} : { "content-length": body.length }),
      },
      // A separate connection: it is not shared with a request that was judged differently, and uses no
      // proxy.
      agent: false,
      lookup: lookupIn(addresses),
      maxHeaderSize: limits.headerBytes,
      signal,
    });
    onRequest(sent);
    sent.on("socket", (socket) => {
      socket.once(isSecure ? "secureConnect" : "connect", () => {
        onConnect();
        timer.begin(limits.headersMs, late("does not answer"));
      });
    });
    sent.on("error", reject);
    sent.on("response", (answer) => {
      timer.end();
      resolve(answer);
    });
    sent.end(body);
  });
}

/** Connects to the address that was checked, even if the name resolves to another one by now. */
function lookupIn(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (name, options, callback) => {
    const [first] = addresses;
    if (first === undefined) callback(new Error(`${name} has no address`), "");
    else if (options.all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

function classify(cause: unknown, host: string, isConnected: boolean): unknown {
  if (cause instanceof ToolsError || !(cause instanceof Error)) return cause;
  const code = "code" in cause ? String(cause.code) : "";
  if (/^(?:HPE_|Z_|ERR_ZLIB|ERR_BROTLI|ERR_PADDING|ERR__ERROR|ZSTD_)/.test(code))
    return new ToolsError("response_invalid", `${host} sent something that is not an HTTP answer`, { cause });
  const reason = code === "" ? "the connection failed" : code;
  const message = `${host} cannot be reached: ${reason}`;
  return isConnected
    ? new ToolsError("http_unreachable", message, { cause })
    : new NotSentError(message, { cause });
}

/** The audit's entry, written once. */
function openRecord({ audit, clock }: SendDeps, { method, url, headers }: NetRequest) {
  const startedMs = clock.monotonicMs();
  let sent: ClientRequest | undefined;
  let status: number | undefined;
  let isOpen = true;
  return {
    watch: (request: ClientRequest): void => void (sent = request),
    answered: (code: number | undefined): void => void (status = code),
    end(error?: unknown): void {
      if (!isOpen) return;
      isOpen = false;
      const isRefused = error instanceof ToolsError && error.code === "address_refused";
      audit({
        method,
        host: url.host,
        ...(status === undefined ? {} : { status }),
        requestBytes: sent?.socket?.bytesWritten ?? 0,
        responseBytes: sent?.socket?.bytesRead ?? 0,
        durationMs: clock.monotonicMs() - startedMs,
        verdict: isRefused ? "deny" : "allow",
        ...(error instanceof ToolsError ? { reason: error.message } : {}),
        headers: headersForRecord(headers),
      });
    },
  };
}

/** One deadline at a time, for the current phase. */
interface PhaseTimer {
  /** Ends the phase before it. */
  begin(ms: number, onLate: () => void): void;
  end(): void;
}

function createPhaseTimer(clock: Pick<Clock, "sleep">): PhaseTimer {
  let running: AbortController | undefined;
  const end = (): void => running?.abort();
  return {
    begin(ms, onLate) {
      end();
      const phase = new AbortController();
      running = phase;
      clock.sleep(ms, phase.signal).then(onLate, () => undefined);
    },
    end,
  };
}
