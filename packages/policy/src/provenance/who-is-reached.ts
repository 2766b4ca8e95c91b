import type { DeclaredInput } from "./declared-input.ts";
import type { InputLeaf } from "./input-leaves.ts";
import reachWords from "./reach-words.json" with { type: "json" };
import { momentNeeds } from "./read-date.ts";
import { wordsOfName } from "./words-of-name.ts";

const RECIPIENTS: ReadonlySet<string> = new Set(reachWords.recipients);
const WIDENING: ReadonlySet<string> = new Set(reachWords.widening);
const NARROWING: ReadonlySet<string> = new Set(reachWords.narrowing);
const AUDIENCES: ReadonlySet<string> = new Set(reachWords.audiences);
const CONTENT: ReadonlySet<string> = new Set(reachWords.content);
const TELEPHONE_DIGITS = 7;
const MOST_WORDS = 4;

/** True if the argument's name says who gets something, whatever else the tool's author listed as critical. */
export function namesRecipient({ names, value }: InputLeaf): boolean {
  if (typeof value === "boolean") return false;
  if (typeof value === "number" && String(value).length < TELEPHONE_DIGITS) return false;
  if (momentNeeds(String(value).toLowerCase()).length > 0) return false;
  return names.some(isRecipientName);
}

export function isRecipientName(name: string): boolean {
  return name.toLowerCase() === "replyto" || wordsOfName(name).some((word) => RECIPIENTS.has(word));
}

/**
 * The words with which the user would say a value that lets more people see or hear of something, or loses more of it:
 * `is_public: true`, `private: false`, `visibility: "public"`. Undefined of other values.
 */
export function wideningWords(
  { name, value }: InputLeaf,
  { isOffered }: Pick<DeclaredInput, "isOffered">,
): readonly string[] | undefined {
  const words = wordsOfName(name);
  if (typeof value === "boolean") {
    const isWide = value ? hasWidening(words) : words.some((word) => NARROWING.has(word));
    return isWide ? words : undefined;
  }
  if (typeof value !== "string") return undefined;
  const isChoice = words.some((word) => AUDIENCES.has(word)) || isOffered(value);
  const chosen = wordsOfName(value);
  return isChoice && chosen.length <= MOST_WORDS && hasWidening(chosen) ? chosen : undefined;
}

/** "All" only at the end: `notify_all`, not `all_day`. */
function hasWidening(words: readonly string[]): boolean {
  return words.at(-1) === "all" || words.some((word) => WIDENING.has(word));
}

/** True of what may be somebody's name or handle, where no text is asked for. Plain words such as "high" are none. */
export function mayBeName({ names, value }: InputLeaf): boolean {
  return (
    typeof value === "string" &&
    /[\s\d@#_]/.test(value.trim()) &&
    value.trim().split(/\s+/).length <= MOST_WORDS &&
    !names.some((name) => wordsOfName(name).some((word) => CONTENT.has(word)))
  );
}
