import { createTurnKeeper, type TurnRunner } from "@deputy/agent";
import { createTurnRunner } from "@deputy/agent/turns";
import type { Clock, IdSource } from "@deputy/kit";
import type { Model, ModelRequest } from "@deputy/model";
import { createRedactor } from "@deputy/secrets";
import type { EventLog } from "@deputy/protocol";
import { createCatalogue } from "@deputy/tools";

/** A model that says, piece by piece, what the test tells it; by default, it greets. */
export interface ToldModel {
  /** Its prompts, in order. */
  readonly asked: ModelRequest[];
  /** How many of its answers were interrupted. */
  stopped: number;
  speak: (request: ModelRequest, signal: AbortSignal) => AsyncIterable<string>;
}

/** Real turns over such a model. It calls no tools. */
export function createToldTurns(deps: {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly ids: IdSource;
}): { readonly turns: TurnRunner; readonly model: ToldModel } {
  const told: ToldModel = {
    asked: [],
    stopped: 0,
    async *speak() {
      yield "Hello, ";
      yield "world.";
    },
  };
  const model: Model = {
    ref: { provider: "test", model: "told" },
    async *stream(request, signal) {
      told.asked.push(request);
      try {
        for await (const text of told.speak(request, signal)) yield { kind: "text", text };
        signal.throwIfAborted();
      } catch (error) {
        if (signal.aborted) told.stopped += 1;
        throw error;
      }
      yield { kind: "usage", usage: { inputTokens: 11, outputTokens: 7, cacheReadTokens: 5 } };
      yield { kind: "stop", reason: "end" };
    },
  };
  const noProgram = (): never => {
    throw new Error("No program is run here");
  };
  const cells = { run: noProgram, proceed: noProgram, resume: noProgram, draft: noProgram };
  const limits = { modelCalls: 50, typecheckAttempts: 3, outputTokens: 1_000 };
  const catalogue = createCatalogue([]);
  const profile = { model, mode: "code", limits, catalogue, cells, instructions: [] } as const;
  const redactor = createRedactor([]);
  const keeper = createTurnKeeper({ ...deps, owner: "test", redactor });
  const turns = createTurnRunner({ ...deps, keeper, profileOf: async () => profile, redactor });
  return { turns, model: told };
}

/** Resolves when the signal aborts, by rejecting with its reason. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
