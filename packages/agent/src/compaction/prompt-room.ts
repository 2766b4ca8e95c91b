import { CodedError } from "@deputy/kit";
import { ModelError, type ModelRequest } from "@deputy/model";
import type { Turn } from "../turn/turn.ts";
import type { CompactionDeps, LongPrompt } from "./compact-session.ts";
import type { CompactionLimits } from "./compaction-limits.ts";
import { estimateRequestTokens } from "./estimate-tokens.ts";

/** Keeps the prompts of one turn within what the model takes. */
export interface PromptRoom {
  /**
   * Compacts the session if its prompt has become long. True when it did; the caller then builds the prompt again.
   */
  makeBefore(prompt: LongPrompt, signal: AbortSignal): Promise<boolean>;
  /**
   * After the model failed: resolves once the session was compacted, because the prompt was too long for
   * it. Rejects with the failure otherwise, and when that was tried for this prompt already.
   */
  makeAfter(failure: unknown, prompt: LongPrompt, signal: AbortSignal): Promise<void>;
  /** The model took the prompt. */
  fits(): void;
}

type Compacting = [prompt: LongPrompt, why: "threshold" | "messages" | "overflow", signal: AbortSignal];

export function createPromptRoom(deps: CompactionDeps, turn: Turn): PromptRoom {
  let hasOverflowed = false;
  const compact = async (...how: Compacting): Promise<boolean> => {
    const { compactSession } = await import("./compact-session.ts");
    return (await compactSession(deps, turn, ...how)) === "compacted";
  };
  return {
    async makeBefore(prompt, signal) {
      // Just made smaller, on the model's own word: an estimate knows no better.
      const why = hasOverflowed ? undefined : findReason(prompt.request, deps.limits);
      return why !== undefined && (await compact(prompt, why, signal));
    },
    async makeAfter(failure, prompt, signal) {
      if (!isOverflow(failure)) throw failure;
      if (!Number.isFinite(deps.limits.thresholdTokens)) throw notSummarised(failure);
      if (hasOverflowed || !(await compact(prompt, "overflow", signal))) throw tooLong(failure);
      hasOverflowed = true;
    },
    fits() {
      hasOverflowed = false;
    },
  };
}

/** True if the model refused a prompt because it is too long. */
export function isOverflow(error: unknown): boolean {
  return error instanceof CodedError && error.code === "context_overflow";
}

function findReason(request: ModelRequest, limits: CompactionLimits): "threshold" | "messages" | undefined {
  if (estimateRequestTokens(request) > limits.thresholdTokens) return "threshold";
  return countMessages(request) > limits.maxMessages ? "messages" : undefined;
}

/** What Deputy says below a message of the user's is part of it. */
function countMessages({ messages }: ModelRequest): number {
  return messages.filter(({ role }, at) => role !== "user" || messages[at - 1]?.role !== "user").length;
}

function notSummarised(cause: unknown): ModelError {
  return new ModelError(
    "context_overflow",
    "What the model has to be told is too long for it, and summarising what came before is switched off.",
    {
      cause,
      hint: "Begin a new session, choose a model with a larger context, or set session.compactionEnabled.",
    },
  );
}

function tooLong(cause: unknown): ModelError {
  return new ModelError(
    "context_overflow",
    "What the model has to be told is too long for it, and nothing more of it can be summarised.",
    { cause, hint: "Ask for less at once, begin a new session, or choose a model with a larger context." },
  );
}
