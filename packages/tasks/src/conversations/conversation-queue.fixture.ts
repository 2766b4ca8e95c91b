import { createLogApprovalDesk, createTurnKeeper } from "@deputy/agent";
import { createTurnRunner } from "@deputy/agent/turns";
import { createLogSessionService } from "@deputy/agent/sessions";
import { createIdSource, type SessionId } from "@deputy/kit";
import type { Model, ModelRequest } from "@deputy/model";
import { createRedactor } from "@deputy/secrets";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { createCatalogue } from "@deputy/tools";
import { vi } from "vitest";
import { type ConversationLimits, createConversationQueue } from "./conversation-queue.ts";

/** One question to the model; it answers when the test says so. */
export interface Asked {
  /** The user's messages that it got and had not answered. */
  readonly said: readonly string[];
  answer(text?: string): void;
  fail(): void;
}

/** Real turns of real sessions, over a model that answers when the test says so. */
export function setUpConversations(limits: Partial<ConversationLimits> = {}) {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const sessions = createLogSessionService({ log, ids });
  const asked: Asked[] = [];
  const bugs: unknown[] = [];
  const model: Model = {
    ref: { provider: "test", model: "told" },
    async *stream(request, signal) {
      const gate = Promise.withResolvers<string>();
      signal.addEventListener("abort", () => gate.reject(signal.reason as Error), { once: true });
      if (signal.aborted) gate.reject(signal.reason as Error);
      asked.push({
        said: openMessages(request),
        answer: (text = "Yes.") => gate.resolve(text),
        fail: () => gate.reject(new Error("the model broke")),
      });
      yield { kind: "text", text: await gate.promise };
      yield { kind: "usage", usage: { inputTokens: 1, outputTokens: 1 } };
      yield { kind: "stop", reason: "end" };
    },
  };
  const notReached = async (): Promise<never> => Promise.reject(new Error("No program is run here"));
  const cells = {
    run: notReached,
    proceed: notReached,
    resume: notReached,
    draft: () => {
      throw new Error("No program is run here");
    },
  };
  const turnLimits = { modelCalls: 50, typecheckAttempts: 3, outputTokens: 1_000 };
  const catalogue = createCatalogue([]);
  const profile = { model, mode: "code", limits: turnLimits, catalogue, cells, instructions: [] } as const;
  const redactor = createRedactor([]);
  const approvals = createLogApprovalDesk({ log, clock, ids, redactor });
  let processes = 0;
  /** A process over the same log. */
  const open = (process = new AbortController()) => {
    const keeper = createTurnKeeper({ log, owner: `process ${++processes}`, clock, redactor });
    const turns = createTurnRunner({ keeper, profileOf: async () => profile, redactor, clock, ids });
    const queue = createConversationQueue({
      log,
      ids,
      turns,
      sessions,
      approvals,
      limits,
      onBug: (error) => void bugs.push(error),
      signal: process.signal,
    });
    return { process, queue };
  };
  const begin = async (key = "test--1"): Promise<SessionId> =>
    (await sessions.start({ key, agentId: "main", channel: "test" })).id;
  const types = async (id: SessionId) => (await Array.fromAsync(log.read(id))).map(({ type }) => type);
  /** Waits until the model was asked this often. */
  const untilAsked = async (times: number): Promise<Asked> => {
    await vi.waitFor(() => {
      if (asked.length < times) throw new Error(`asked ${asked.length} of ${times} times`);
    });
    const last = asked[times - 1];
    if (last === undefined) throw new Error("unreachable");
    return last;
  };
  return { clock, ids, log, sessions, approvals, asked, bugs, open, begin, types, untilAsked };
}

export const message = (session: SessionId, text: string) => ({
  session,
  text,
  channel: "test",
  sender: "owner",
  trust: "user" as const,
});

function openMessages({ messages }: ModelRequest): readonly string[] {
  const since = messages.findLastIndex(({ role }) => role === "assistant");
  return messages.slice(since + 1).flatMap((said) => (said.role === "user" ? [said.text] : []));
}
