import { inputLeaves } from "./input-leaves.ts";

/** Finds the parts of a call's result that only repeat unexplained values of its input. */
export interface EchoedInput {
  /** True if a value is such a repeated part, is inside one, or contains one. */
  isEcho(value: string | number): boolean;
  /** What is left of a text without it. */
  without(text: string): readonly string[];
}

/** For a longer input, the whole result counts as an echo, because a search would take too long. */
const LONGEST_INPUT = 4_000;
const SHORTEST_PART = 3;
/** Part of an address or a number, and so not in a longer one by chance. */
const NO_WORD = /[\p{N}@]|\S\.\S/u;
/** What a schema would call an argument: not chosen by whoever makes the call. */
const ARGUMENT_NAME = /^[a-z_]{1,40}$/i;

export function readEchoedInput(
  input: unknown,
  isExplained: (value: string | number, name: string) => boolean,
): EchoedInput {
  const values = inputLeaves(input, (key) => ARGUMENT_NAME.test(key))
    .flatMap(({ value, name }) => (typeof value === "boolean" ? [] : [{ value, name }]))
    .filter(({ value, name }) => !isExplained(value, name))
    .map(({ value }) => String(value));
  const parts = values.map(bare).filter((part) => part !== "");
  if (parts.length === 0) return { isEcho: () => false, without: (text) => [text] };
  const all = parts.join("");
  if (all.length > LONGEST_INPUT) return { isEcho: () => true, without: () => [] };
  const words = values.flatMap((value) => value.split(/\s+/));
  const tokens = new Set(words.map(bare));
  const containsPart = createPartTest([...parts, ...words.filter((word) => NO_WORD.test(word)).map(bare)]);
  const known = new Map<string, boolean>();

  const look = (text: string): boolean =>
    text !== "" &&
    (tokens.has(text) || (text.length >= SHORTEST_PART && all.includes(text)) || containsPart(text));
  const isPart = (text: string): boolean => {
    const found = known.get(text) ?? look(text);
    known.set(text, found);
    return found;
  };

  return {
    isEcho(value) {
      const text = String(value);
      return isPart(bare(text)) || text.split(/\s+/).map(bare).some(isPart);
    },
    without(text) {
      const left: string[] = [];
      for (const token of text.split(/(\s+)/)) {
        const plain = bare(token);
        // A short piece with a digit may be one of many that an account number was cut into.
        const isPiece = /\d/.test(plain) && all.includes(plain);
        if (isPiece || isPart(plain)) left.push("");
        else left.push(`${left.pop() ?? ""}${token}`);
      }
      return left.filter((part) => part.trim() !== "");
    },
  };
}

/** Looks only for parts that begin as the text does somewhere. */
function createPartTest(parts: readonly string[]): (text: string) => boolean {
  const byStart = Map.groupBy(parts, (part) => part.slice(0, SHORTEST_PART));
  return (text) => {
    for (let at = 0; at + SHORTEST_PART <= text.length; at += 1) {
      const found = byStart.get(text.slice(at, at + SHORTEST_PART));
      if (found?.some((part) => text.startsWith(part, at)) === true) return true;
    }
    return false;
  };
}

function bare(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}
