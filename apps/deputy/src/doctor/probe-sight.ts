import { CodedError } from "@deputy/kit";
import type { Model, Picture } from "@deputy/model";

/** Three upright stripes: green, black, yellow. Who guesses names others, or another order. */
const STRIPES =
  "iVBORw0KGgoAAAANSUhEUgAAAGAAAABACAMAAADS6oI8AAAACVBMVEUAoAAAAAD/3AC6O7CyAAAAM0lEQVR42u3NMQ0AAAgDsIF/0UjYTdIaaFJMsUUEAoFAIBAIBAKBQCAQCAQCgUAgEHwLDikvGAFVcli3AAAAAElFTkSuQmCC";
const SEEN = /green[^]{0,40}black[^]{0,40}yellow/i;
const MAX_OUTPUT_TOKENS = 1_000;

/**
 * Shows the model a picture, and asks what is on it. Undefined: it did not answer, so that is not known. Rejects with
 * the signal's reason.
 */
export async function probeSight(model: Model, signal: AbortSignal): Promise<boolean | undefined> {
  const picture: Picture = {
    blobId: "stripes",
    name: "stripes.png",
    found: { mediaType: "image/png", width: 96, height: 64, bytes: 129 },
    data: STRIPES,
  };
  const text =
    "Which colours have the three stripes of this picture, from left to right? Answer with three words.";
  let answer = "";
  try {
    const request = {
      system: "You are being tried out. Do exactly what you are asked.",
      messages: [{ role: "user" as const, text, pictures: [picture] }],
      tools: [],
      maxOutputTokens: MAX_OUTPUT_TOKENS,
    };
    for await (const event of model.stream(request, signal)) if (event.kind === "text") answer += event.text;
  } catch (error) {
    if (signal.aborted || !(error instanceof CodedError)) throw error;
    return undefined;
  }
  return SEEN.test(answer);
}
