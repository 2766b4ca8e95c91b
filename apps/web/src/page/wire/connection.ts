import type { Push } from "@deputy/protocol";
import type { RpcMethodName, RpcParams, RpcResult } from "@deputy/protocol/rpc";
import { signal, type ReadonlySignal } from "@preact/signals-core";
import { sentence } from "./http.ts";
import { pause } from "./pause.ts";
import { RequestFailed } from "./request-failed.ts";
import { watchWaking } from "./waking.ts";

export type ConnectionState =
  | { readonly kind: "connecting" }
  | { readonly kind: "open" }
  /** It comes back by itself. `failures`: how often that was tried in vain. */
  | { readonly kind: "lost"; readonly failures: number }
  /** The daemon does not take this session any more. */
  | { readonly kind: "refused" };

/** The one WebSocket of this page. It connects again by itself, for as long as the signal lets it. */
export interface Connection {
  readonly state: ReadonlySignal<ConnectionState>;
  /**
   * Waits a few seconds for a connection that is on its way. Rejects with `RequestFailed`: with `not_sent` when there was
   * none, with `no_answer` when it was lost before the answer.
   */
  call<Name extends RpcMethodName>(method: Name, params: RpcParams<Name>): Promise<RpcResult<Name>>;
  /** Calls `listener` for every push until the signal aborts. */
  onPush(listener: (push: Push) => void, until: AbortSignal): void;
  /** Calls `begin` now, if the connection is open, and each time it opens again. */
  onOpen(begin: () => void, until: AbortSignal): void;
  /** Tries to connect now instead of a moment later. */
  retryNow(): void;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
const WAIT_MS = 5_000;
const UNAUTHORIZED = 4401;
/** A connection that has been silent this long is asked whether it still lives; it has the other time to answer. */
const SILENT_MS = 30_000;
const PROBE_MS = 4_000;

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: RequestFailed) => void;
}

interface RpcAnswer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: {
    readonly message: string;
    readonly data?: { readonly code?: string; readonly hint?: string };
  };
  readonly event?: string;
  readonly type?: string;
}

export function openConnection(session: string, life: AbortSignal): Connection {
  const state = signal<ConnectionState>({ kind: "connecting" });
  const waiting = new Map<number, Waiting>();
  const pushListeners = new Set<(push: Push) => void>();
  const openListeners = new Set<() => void>();
  let socket: WebSocket | undefined;
  /** Ends the connection that is there, or is being opened. */
  let drop: () => void = () => undefined;
  let retry = new AbortController();
  let calls = 0;
  let heardMs = 0;
  let probing: ReturnType<typeof setTimeout> | undefined;

  const receive = (text: string): void => {
    heardMs = Date.now();
    clearTimeout(probing);
    probing = undefined;
    const frame = JSON.parse(text) as RpcAnswer;
    if (frame.type === "auth") {
      state.value = { kind: "open" };
      for (const begin of openListeners) begin();
      return;
    }
    if (frame.event !== undefined) {
      for (const listener of pushListeners) listener(frame as Push);
      return;
    }
    const asked = frame.id === undefined ? undefined : waiting.get(frame.id);
    if (asked === undefined || frame.id === undefined) return;
    waiting.delete(frame.id);
    if (frame.error === undefined) asked.resolve(frame.result as never);
    else
      asked.reject(
        new RequestFailed(
          frame.error.data?.code ?? "internal",
          sentence([frame.error.message, frame.error.data?.hint]),
        ),
      );
  };

  const loseAll = (): void => {
    clearTimeout(probing);
    probing = undefined;
    for (const { reject } of waiting.values())
      reject(new RequestFailed("no_answer", "The connection was lost before Deputy answered."));
    waiting.clear();
  };

  /** One connection, from its opening to its end. Resolves with the code of its close, and whether it was ever open. */
  const connectOnce = (): Promise<{ readonly code: number; readonly wasOpen: boolean }> =>
    new Promise((resolve) => {
      const ws = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
      const over = new AbortController();
      let wasOpen = false;
      const end = (code: number): void => {
        if (over.signal.aborted) return;
        over.abort();
        life.removeEventListener("abort", drop);
        socket = undefined;
        loseAll();
        resolve({ code, wasOpen });
      };
      // The close of a connection that nobody answers on would take a minute to be noticed.
      drop = () => {
        ws.close();
        end(0);
      };
      const { signal: until } = over;
      life.addEventListener("abort", drop, { once: true });
      ws.addEventListener("open", () => ws.send(JSON.stringify({ type: "auth", token: session })), {
        signal: until,
      });
      ws.addEventListener(
        "message",
        ({ data }) => {
          wasOpen = true;
          socket = ws;
          receive(String(data));
        },
        { signal: until },
      );
      ws.addEventListener("close", ({ code }) => end(code), { signal: until });
    });

  const keepConnected = async (): Promise<void> => {
    let pauseMs = FIRST_PAUSE_MS;
    let failures = 0;
    while (!life.aborted) {
      const { code, wasOpen } = await connectOnce();
      if (life.aborted) return;
      if (code === UNAUTHORIZED) {
        state.value = { kind: "refused" };
        return;
      }
      failures = wasOpen ? 0 : failures + 1;
      state.value = { kind: "lost", failures };
      pauseMs = wasOpen ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      retry = new AbortController();
      await pause(pauseMs, AbortSignal.any([life, retry.signal]));
    }
  };
  void keepConnected();

  const isUsable = (): boolean =>
    state.peek().kind === "open" && socket !== undefined && socket.readyState === WebSocket.OPEN;
  const send = (method: string, params: unknown, asked: Waiting): void => {
    calls += 1;
    waiting.set(calls, asked);
    socket?.send(JSON.stringify({ id: calls, method, params }));
  };
  /** Whatever comes is a sign of life. */
  const probe = (): void => {
    if (!isUsable() || probing !== undefined) return;
    probing = setTimeout(() => drop(), PROBE_MS);
    send("health.check", {}, { resolve: () => undefined, reject: () => undefined });
  };
  // After a sleep, or a change of the network, a connection can be gone without anybody having said so.
  watchWaking(
    () => {
      if (isUsable()) probe();
      else retry.abort();
    },
    () => {
      if (Date.now() - heardMs > SILENT_MS) probe();
    },
    life,
  );
  /** A connection that is on its way, or was just lost, is waited for. Resolves either way. */
  const untilUsable = async (): Promise<void> => {
    const opened = new AbortController();
    const open = (): void => opened.abort();
    openListeners.add(open);
    await pause(WAIT_MS, AbortSignal.any([life, opened.signal]));
    openListeners.delete(open);
  };

  return {
    state,
    async call(method, params) {
      if (!isUsable()) await untilUsable();
      return await new Promise((resolve, reject) => {
        if (isUsable()) send(method, params, { resolve, reject });
        else reject(new RequestFailed("not_sent", "There is no connection to Deputy at the moment."));
      });
    },
    onPush(listener, until) {
      pushListeners.add(listener);
      until.addEventListener("abort", () => pushListeners.delete(listener), { once: true });
    },
    onOpen(begin, until) {
      openListeners.add(begin);
      until.addEventListener("abort", () => openListeners.delete(begin), { once: true });
      if (state.peek().kind === "open") begin();
    },
    retryNow: () => retry.abort(),
  };
}
