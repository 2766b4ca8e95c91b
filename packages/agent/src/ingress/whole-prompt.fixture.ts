import type { ModelRequest } from "@deputy/model";
import type { Part, Text } from "./labelled-text.ts";
import { labelsOf } from "./prompt.ts";

/** A piece of text that a request carries, with its place in it. */
interface Carried {
  readonly place: string;
  readonly text: string;
}

/** Every text of a request, however deep, read off the request itself. */
function textsOf(value: unknown, place: string): readonly Carried[] {
  if (typeof value === "string") return [{ place, text: value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsOf(inner, `${place}.${key}`));
}

/** What no author can choose: fields of the port with a closed set of values. */
const CLOSED = /^request\.messages\.\d+\.(?:role|parts\.\d+\.kind)$/;

/**
 * Takes a request apart. `unlabelled`: texts that are not, character by character, made of labelled parts. The model's
 * own words, and functions' schemas, have one label each.
 */
export function takeApart(request: ModelRequest): {
  readonly parts: readonly Part[];
  readonly unlabelled: readonly Carried[];
} {
  const prompt = labelsOf(request);
  if (prompt === undefined) return { parts: [], unlabelled: textsOf(request, "request") };
  const parts: Part[] = [];
  const labelled = new Map<string, string>();
  const note = (place: string, text: Text): void => {
    parts.push(...text);
    labelled.set(place, text.map((part) => part.text).join(""));
  };
  note("request.system", prompt.system);
  const whole = new Set<string>();
  for (const [at, tool] of prompt.tools.entries()) {
    note(`request.tools.${at}.name`, tool.name);
    note(`request.tools.${at}.description`, tool.description);
    if (tool.inputSchema.by !== undefined) whole.add(`request.tools.${at}.inputSchema.`);
  }
  for (const [at, message] of prompt.messages.entries()) {
    if (message.role === "user") note(`request.messages.${at}.text`, message.text);
    if (message.role === "assistant") whole.add(`request.messages.${at}.parts.`);
    if (message.role === "tool")
      for (const [n, result] of message.results.entries()) {
        note(`request.messages.${at}.results.${n}.text`, result.text);
        // The provider's name for the model's own call.
        whole.add(`request.messages.${at}.results.${n}.callId`);
      }
  }
  const isWhole = (place: string): boolean => [...whole].some((start) => place.startsWith(start));
  const unlabelled = textsOf(request, "request").filter(
    ({ place, text }) => labelled.get(place) !== text && !CLOSED.test(place) && !isWhole(place),
  );
  return { parts, unlabelled };
}
