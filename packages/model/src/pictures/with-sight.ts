import { makeVisible } from "@deputy/kit";
import { ModelError } from "../model-error.ts";
import type { Model, ModelMessage, ModelRequest, Picture } from "../model.ts";
import { WireFailure } from "../wire/failure.ts";

/**
 * The model, told of every picture in the text before it. It gets those whose bytes are there, if it can see. A server
 * that rejects pictures is asked again without them, and gets none from then on.
 */
export function withSight(model: Model, isSeeing: boolean): Model {
  let sees = isSeeing;
  return {
    ...model,
    sees: isSeeing,
    async *stream(request, signal) {
      const shown = tellPictures(request, sees);
      try {
        yield* model.stream(shown, signal);
        return;
      } catch (error) {
        if (!hasPictures(shown) || !isAboutPictures(error)) throw error;
        sees = false;
      }
      yield* model.stream(tellPictures(request, false), signal);
    },
  };
}

/** vLLM: “… is not a multimodal model”; llama.cpp: “image input is not supported”; Ollama: “… does not support image …” */
const ABOUT_PICTURES = /image|vision|multi-?modal|picture/i;

function isAboutPictures(error: unknown): boolean {
  if (!(error instanceof ModelError) || error.output === "some") return false;
  if (error.code !== "bad_request" && error.code !== "overloaded") return false;
  return error.cause instanceof WireFailure && ABOUT_PICTURES.test(error.cause.detail);
}

function hasPictures({ messages }: ModelRequest): boolean {
  return messages.some(
    (message) =>
      (message.role === "user" && message.pictures !== undefined) ||
      (message.role === "tool" && message.results.some(({ pictures }) => pictures !== undefined)),
  );
}

function tellPictures(request: ModelRequest, sees: boolean): ModelRequest {
  return { ...request, messages: request.messages.map((message) => tellMessage(message, sees)) };
}

function tellMessage(message: ModelMessage, sees: boolean): ModelMessage {
  if (message.role === "user") return tell(message, sees);
  if (message.role === "assistant") return message;
  return { ...message, results: message.results.map((result) => tell(result, sees)) };
}

function tell<T extends { readonly text: string; readonly pictures?: readonly Picture[] }>(
  said: T,
  sees: boolean,
): T {
  const { pictures = [], ...rest } = said;
  if (pictures.length === 0) return said;
  const lines = pictures.map((picture) => describePicture(picture, sees));
  const shown = sees ? pictures.filter(({ data }) => data !== undefined) : [];
  const text = [said.text, ...lines].filter((line) => line !== "").join("\n");
  return { ...(rest as unknown as T), text, ...(shown.length > 0 && { pictures: shown }) };
}

function describePicture({ name, found, data, why }: Picture, sees: boolean): string {
  const facts = [`picture ${makeVisible(JSON.stringify(name))}`];
  if (found !== undefined) {
    const { width, height, mediaType, bytes } = found;
    facts.push(`${width}x${height}`, mediaType.slice("image/".length).toUpperCase(), sizeText(bytes));
  }
  const isShown = sees && data !== undefined;
  const reason = isShown ? "" : `; ${sees ? (why ?? "it is not here") : "this model cannot see pictures"}`;
  return `[${facts.join(", ")}${reason}]`;
}

function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
