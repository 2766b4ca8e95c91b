import type { ModelEvent } from "../model.ts";

/** Passes on the words of an answer's items, each once, whether it was streamed, came whole, or both. */
export interface ItemWords {
  say(at: unknown, text: string): Iterable<ModelEvent>;
  think(at: unknown, text: string): Iterable<ModelEvent>;
  /** Another section of reasoning begins. */
  beginThought(): void;
  /**
   * Passes on the part of the item's text that was not streamed. Returns how much of the answer's text
   * belongs to the item.
   */
  finishText(at: unknown, whole: string): Generator<ModelEvent, number>;
  /** The same for its reasoning, in sections. */
  finishThought(at: unknown, sections: readonly string[]): Iterable<ModelEvent>;
}

/** `at` is the item's place in the answer; undefined for the one being streamed. */
export function createItemWords(): ItemWords {
  const streamed = new Map<unknown, { text: string; length: number }>();
  const thought = new Set<unknown>();
  let hasText = false;
  let hasThought = false;
  let isBreakDue = false;

  function* say(at: unknown, text: string): Iterable<ModelEvent> {
    if (text === "") return;
    const item = streamed.get(at) ?? { text: "", length: 0 };
    // Two messages of one answer are two paragraphs.
    const words = item.length === 0 && hasText ? `\n\n${text}` : text;
    streamed.set(at, { text: item.text + text, length: item.length + words.length });
    hasText = true;
    yield { kind: "text", text: words };
  }

  function* think(at: unknown, text: string): Iterable<ModelEvent> {
    if (text === "") return;
    thought.add(at);
    const words = isBreakDue && hasThought ? `\n\n${text}` : text;
    isBreakDue = false;
    hasThought = true;
    yield { kind: "reasoning", text: words };
  }

  return {
    say,
    think,
    beginThought: () => void (isBreakDue = true),
    *finishText(at, whole) {
      const key = streamed.has(at) ? at : undefined;
      const { text = "" } = streamed.get(key) ?? {};
      if (whole.startsWith(text)) yield* say(key, whole.slice(text.length));
      const { length = 0 } = streamed.get(key) ?? {};
      streamed.delete(key);
      return length;
    },
    *finishThought(at, sections) {
      if (thought.has(at) || thought.has(undefined)) {
        thought.delete(undefined);
        return;
      }
      for (const section of sections) {
        isBreakDue = true;
        yield* think(at, section);
      }
    },
  };
}
