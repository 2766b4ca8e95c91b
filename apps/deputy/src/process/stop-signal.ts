import { StopRequest } from "@deputy/agent";

/** Ends this process cleanly. */
export interface StopSignal {
  readonly signal: AbortSignal;
  /** Ctrl-C at a prompt, where the terminal sends no SIGINT. */
  readonly interrupt: () => void;
  /** Something inside found that there is no point in going on. */
  readonly shutDown: () => void;
  /** Lets the handler get Ctrl-C first; it returns whether that was all. Until disposed; the last one counts. */
  readonly intercept: (handler: InterruptHandler) => Disposable;
}

export type InterruptHandler = () => "handled" | "leave";

/** One Ctrl-C can arrive twice: from the terminal, which signals the whole group, and from the launcher. */
const ONE_PRESS_MS = 500;

/**
 * Turns everything that stops this process from outside into one signal. A second Ctrl-C exits at once.
 * `disconnect` is the launcher's death, if this runs under one.
 */
export function openStopSignal(): StopSignal {
  const stop = new AbortController();
  let pressedAtMs: number | undefined;
  let handlers: readonly InterruptHandler[] = [];
  const interrupt = (): void => {
    const nowMs = performance.now();
    if (pressedAtMs !== undefined && nowMs - pressedAtMs < ONE_PRESS_MS) return;
    if (stop.signal.aborted) process.exit(130);
    pressedAtMs = nowMs;
    if (handlers.at(-1)?.() === "handled") return;
    stop.abort(new StopRequest("user"));
  };
  const shutDown = (): void => stop.abort(new StopRequest("shutdown"));
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", shutDown);
  process.on("SIGHUP", shutDown);
  process.on("disconnect", shutDown);
  process.channel?.unref();
  const intercept = (handler: InterruptHandler): Disposable => {
    handlers = [...handlers, handler];
    return {
      [Symbol.dispose]() {
        handlers = handlers.filter((other) => other !== handler);
      },
    };
  };
  return { signal: stop.signal, interrupt, shutDown, intercept };
}
