import type { AnswerFormat, AnswerPart, ReadFormat, Said } from "@deputy/protocol/openai";
import { GatewayError } from "../gateway-error.ts";
import { followRun } from "./follow-run.ts";
import { type OpenAiDeps, type Place, type StartedRun, startRun } from "./start-run.ts";

/** A message was sent: resolves with the run that answers it, and its parts as they come. Never rejects. */
export type Answering = (signal: AbortSignal) => Promise<{
  readonly run: StartedRun;
  readonly parts: AsyncIterable<AnswerPart> | readonly AnswerPart[];
}>;

/** Sends the message. The answer follows as it is written, or once it has the form that the client wants. */
export async function startAnswer(
  deps: OpenAiDeps,
  place: Place,
  said: Said,
  request: { readonly by: string; readonly ends: AbortSignal; readonly format: AnswerFormat | undefined },
): Promise<Answering> {
  const { format, ...sender } = request;
  if (format !== undefined) {
    const { startStructured } = await import("./structured-answer.ts");
    return await startStructured(deps, place, said, { ...sender, format });
  }
  const run = await startRun(deps, place, said, sender);
  return async (signal) => ({ run, parts: followRun(deps.log, run, signal) });
}

/** Undefined for plain text. Throws `invalid_request`. */
export function assertFormat(read: ReadFormat): AnswerFormat | undefined {
  if (read.kind === "text") return undefined;
  if (read.kind === "json") return read.format;
  throw new GatewayError("invalid_request", `${read.field}: ${read.message}`, { field: read.field });
}
