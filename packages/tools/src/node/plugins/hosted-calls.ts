import type { CatalogueTool } from "../../catalogue.ts";
import { LARGEST_RESULT_CHARS } from "../../json-result.ts";
import type { ToolAnswer, ToolContext } from "../../tool.ts";
import type { FromHost, Service, ToHost } from "./host-messages.ts";
import { fromWireError, type WireError } from "./wire-error.ts";
import { cut } from "./wire-text.ts";

/** The calls that run in this process. */
export interface HostedCalls {
  /** Rejects as the tool does. */
  run(tool: CatalogueTool, input: unknown, order: ToHost & { readonly kind: "run" }): Promise<FromHost>;
  abort(id: number, reason: WireError): void;
  /** Takes Deputy's answer to a request of a call. */
  take(said: ToHost & { readonly kind: "given" | "refused" }): void;
}

/**
 * How many lines of progress and log one call can send. Later ones are dropped, so that a loop cannot flood Deputy.
 */
const MOST_LINES = 10_000;

export function createHostedCalls(send: (message: FromHost) => void): HostedCalls {
  const running = new Map<number, AbortController>();
  const needs = new Map<number, PromiseWithResolvers<unknown>>();
  let lastNeed = 0;

  const need = (call: number, service: Service, value: unknown): Promise<unknown> => {
    const id = ++lastNeed;
    const asked = Promise.withResolvers<unknown>();
    needs.set(id, asked);
    send({ kind: "need", id, call, service, value });
    return asked.promise;
  };

  const contextOf = (order: ToHost & { readonly kind: "run" }, signal: AbortSignal): ToolContext => {
    const { id, context } = order;
    const { idempotencyKey, sessionKey, session, approvedBy, services } = context;
    let lines = 0;
    const tell = (kind: "progress" | "log", text: string): void => {
      lines += 1;
      if (lines <= MOST_LINES) send({ kind, call: id, text: cut(text) });
    };
    const has = (service: Service): boolean => services.includes(service);
    return {
      signal,
      idempotencyKey,
      sessionKey,
      approvedBy,
      ...(session === undefined ? {} : { session }),
      progress: (text) => tell("progress", text),
      log: (text) => tell("log", text),
      ...(has("attach")
        ? {
            attach: async ({ bytes, mimeType, name }) =>
              (await need(id, "attach", { bytes: Uint8Array.from(bytes), mimeType, name })) as {
                readonly blobId: string;
              },
          }
        : {}),
      ...(has("ask") ? { ask: async (question) => (await need(id, "ask", question)) as ToolAnswer } : {}),
      ...(has("credential")
        ? { credential: async (name) => (await need(id, "credential", name)) as string }
        : {}),
    };
  };

  return {
    async run(tool, input, order) {
      const { id } = order;
      const stop = new AbortController();
      running.set(id, stop);
      try {
        const value = await tool.run(input, contextOf(order, stop.signal));
        const text: string | undefined = JSON.stringify(value ?? null);
        const chars = text?.length ?? 0;
        return text === undefined || chars > LARGEST_RESULT_CHARS
          ? { kind: "result", id, chars }
          : { kind: "result", id, text, chars };
      } finally {
        running.delete(id);
      }
    },
    abort(id, reason) {
      running.get(id)?.abort(fromWireError(reason));
    },
    take(said) {
      const asked = needs.get(said.id);
      needs.delete(said.id);
      if (said.kind === "given") asked?.resolve(said.value);
      else asked?.reject(fromWireError(said.error));
    },
  };
}
