import type { Model, ModelRef, ModelRequest } from "@deputy/model";
import type { RecordedAnswer } from "./recorded-answer.ts";
import type { RecordedFailure } from "./recorded-failure.ts";

/**
 * A model that gives the recorded answers one after the other, whatever the prompt is. When there are no more, it
 * fails as the turn did.
 */
export function createRecordedModel(deps: {
  readonly ref: ModelRef;
  readonly answers: readonly RecordedAnswer[];
  readonly failure: RecordedFailure | undefined;
  readonly onRequest: (request: ModelRequest, answer: RecordedAnswer) => void;
}): Model {
  let next = 0;
  return {
    ref: deps.ref,
    async *stream(request, signal) {
      signal.throwIfAborted();
      const answer = deps.answers[next];
      if (answer === undefined) throw deps.failure ?? new Error("The record has no further answer");
      next += 1;
      deps.onRequest(request, answer);
      yield* answer.events;
    },
  };
}
