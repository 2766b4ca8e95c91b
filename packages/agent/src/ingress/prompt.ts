import type {
  AssistantPart,
  Effort,
  Model,
  ModelEvent,
  ModelMessage,
  ModelRequest,
  ModelTool,
  Picture,
} from "@deputy/model";
import type { PictureShelf } from "../pictures/picture-shelf.ts";
import { type Author, type Part, plainText, type Text, textBy } from "./labelled-text.ts";

declare const ASSEMBLED: unique symbol;

/** All that a model is told in one request, each piece with its author. */
export interface Prompt {
  readonly system: Text;
  readonly messages: readonly PromptMessage[];
  readonly tools: readonly PromptTool[];
  readonly maxOutputTokens: number;
  readonly effort?: Effort | undefined;
}

export type PromptMessage =
  | { readonly role: "user"; readonly text: Text; readonly pictures?: readonly Picture[] }
  /** What the model itself said before. */
  | { readonly role: "assistant"; readonly parts: readonly AssistantPart[] }
  | { readonly role: "tool"; readonly results: readonly PromptResult[] };

export interface PromptResult {
  readonly callId: string;
  readonly text: Text;
  readonly isError: boolean;
  readonly pictures?: readonly Picture[];
}

/** A function as it is offered to a model. */
export interface PromptTool {
  readonly name: Text;
  readonly description: Text;
  readonly inputSchema: { readonly value: ModelTool["inputSchema"]; readonly by: Author };
}

/** A request that was made of labelled text alone. There is no other that `sendPrompt` takes. */
export type AssembledRequest = ModelRequest & { readonly [ASSEMBLED]: true };

const promptOf = new WeakMap<ModelRequest, Prompt>();

/** The only way text gets into a request. */
export function assembleRequest(prompt: Prompt): AssembledRequest {
  const { system, messages, tools, maxOutputTokens, effort } = prompt;
  const request: ModelRequest = {
    system: plainText(system),
    messages: messages.map(toModelMessage),
    tools: tools.map(({ name, description, inputSchema }) => ({
      name: plainText(name),
      description: plainText(description),
      inputSchema: inputSchema.value,
    })),
    maxOutputTokens,
    ...(effort === undefined ? {} : { effort }),
  };
  promptOf.set(request, prompt);
  return request as AssembledRequest;
}

/**
 * The only way a request gets to a model. Streams and rejects as the model does. `pictures` brings those that the
 * request names; without it, the model is only told of them.
 */
export async function* sendPrompt(
  model: Model,
  request: AssembledRequest,
  pictures: PictureShelf | undefined,
  signal: AbortSignal,
): AsyncIterable<ModelEvent> {
  const { messages } = request;
  const brought = await pictures?.bring(messages, model.sees === true ? "shown" : "described", signal);
  yield* model.stream(brought === undefined ? request : { ...request, messages: brought }, signal);
}

export function toModelMessage(message: PromptMessage): ModelMessage {
  switch (message.role) {
    case "user":
      return { ...message, text: plainText(message.text) };
    case "assistant":
      return message;
    default:
      return {
        role: "tool",
        results: message.results.map(({ text, ...result }) => ({ ...result, text: plainText(text) })),
      };
  }
}

/** The labelled text that a request was made of; undefined for a request that was made in another way. */
export function labelsOf(request: ModelRequest): Prompt | undefined {
  return promptOf.get(request);
}

/**
 * The parts of a request that are not in the session's log: instructions, skills, and functions with their
 * descriptions. Provenance hears of them from here, and of all else from the log.
 */
export function standingParts({ system, tools }: Pick<Prompt, "system" | "tools">): readonly Part[] {
  return [
    ...system,
    ...tools.flatMap(({ name, description, inputSchema: { value, by } }) => [
      ...name,
      ...description,
      ...(by.kind === "deputy" ? [] : textBy(by, JSON.stringify(value))),
    ]),
  ];
}
