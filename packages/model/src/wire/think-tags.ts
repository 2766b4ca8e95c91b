import type { ModelEvent } from "../model.ts";

/** Separates the reasoning that some models write into their text, between tags at its beginning. */
export interface ThinkTags {
  push(text: string): Iterable<ModelEvent>;
  /** Returns what was held back, at the end. */
  end(): Iterable<ModelEvent>;
}

const TAGS = ["think", "thinking"].map((name) => ({ open: `<${name}>`, close: `</${name}>` }));

/**
 * Only at the beginning: further on, the model writes about the tag. The blanks around it are not passed on.
 * If the tag is never closed, everything is reasoning.
 */
export function createThinkTags(): ThinkTags {
  let held = "";
  let hasThought = false;
  /** The tag that ends the reasoning; `undecided` until it is clear whether there is any. */
  let until: "undecided" | "nothing" | { readonly close: string; isBlank: boolean } = "undecided";

  /** True if the held text may contain more to split. */
  const decide = (): boolean => {
    const start = held.trimStart();
    const tag = TAGS.find(({ open }) => start.startsWith(open));
    if (tag !== undefined) {
      held = start.slice(tag.open.length);
      until = { close: tag.close, isBlank: true };
      return true;
    }
    if (TAGS.some(({ open }) => open.startsWith(start))) return false;
    if (hasThought) held = start;
    until = "nothing";
    return true;
  };

  function* think(state: { readonly close: string; isBlank: boolean }): Generator<ModelEvent, boolean> {
    const end = held.indexOf(state.close);
    const keep = end >= 0 ? held.length - end : heldBack(held, state.close);
    const words = held.slice(0, held.length - keep);
    const text = state.isBlank ? words.trimStart() : words;
    held = end >= 0 ? held.slice(end + state.close.length) : held.slice(held.length - keep);
    if (text !== "") {
      state.isBlank = false;
      yield { kind: "reasoning", text };
    }
    if (end < 0) return false;
    hasThought = true;
    until = "undecided";
    return true;
  }

  function* push(text: string): Iterable<ModelEvent> {
    held += text;
    for (let more = held !== ""; more;) {
      if (until === "undecided") more = decide();
      else if (until !== "nothing") more = yield* think(until);
      else {
        if (held !== "") yield { kind: "text", text: held };
        held = "";
        more = false;
      }
    }
  }

  return {
    push,
    *end() {
      const isThinking = typeof until === "object";
      const text = hasThought || isThinking ? held.trimStart() : held;
      held = "";
      if (text !== "") yield { kind: isThinking ? "reasoning" : "text", text };
    },
  };
}

/** How much of the end of a text may be the beginning of a tag. */
function heldBack(text: string, tag: string): number {
  const most = Math.min(text.length, tag.length - 1);
  for (let count = most; count > 0; count--) if (tag.startsWith(text.slice(-count))) return count;
  return 0;
}
