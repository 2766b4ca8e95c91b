import { remembered } from "../../remembered.ts";
import { splitWords } from "../../inference/split-words.ts";
import { verbOf } from "../../inference/verbs.ts";
import { DESTROYING } from "../is-giving.ts";
import { singularOf } from "../kinds/kind.ts";
import { numberedIn } from "./said-kinds.ts";
import deedWords from "./deed-words.json" with { type: "json" };
import type { Request } from "./requests.ts";

/** What the user asked to be done: which verbs, about which things. */
export interface Deeds {
  add(requests: readonly Request[]): void;
  /**
   * True if somebody asked for one of these deeds in a clause with one of these words; or of one of these kinds, where
   * no other id stands with it: what is asked of email 1 is not asked of email 2.
   */
  hasAsked(verbs: readonly string[], about: readonly string[], kinds?: readonly string[]): boolean;
}

interface Asked {
  readonly text: string;
  readonly words: ReadonlySet<string>;
  /** The kinds of which it gives ids. */
  readonly numbered: ReadonlySet<string>;
}

/** Verbs that mean the same of a tool and of a user: "tell Bob" is done by `send_message`. */
const ALIKE: readonly (readonly string[])[] = Object.values(deedWords);
/** More would take long, and nobody asks for so much. */
const MOST_REQUESTS = 2_000;

/** Takes time linear in the text. */
export function createDeeds(): Deeds {
  const byVerb = new Map<string, Asked[]>();
  let count = 0;
  return {
    add(requests) {
      for (const { head, text } of requests) {
        if (count >= MOST_REQUESTS) return;
        const words = new Set(text.split(/[^\p{L}\p{N}]+/u).flatMap((word) => [word, singularOf(word)]));
        const asked = { text: ` ${spaced(text)} `, words, numbered: numberedIn(text) };
        const known = byVerb.get(head);
        if (known === undefined) byVerb.set(head, [asked]);
        else known.push(asked);
        count += 1;
      }
    },
    hasAsked(verbs, about, kinds = []) {
      const clues = about
        .map((clue) => spaced(clue.normalize("NFC").toLowerCase()))
        .filter((clue) => clue !== "");
      return verbs.some((verb) =>
        byVerb
          .get(verb)
          ?.some(
            ({ text, words, numbered }) =>
              clues.some((clue) => words.has(clue) || text.includes(` ${clue} `)) ||
              kinds.some((kind) => words.has(kind) && !numbered.has(kind)),
          ),
      );
    },
  };
}

/** What a tool does, as one would say it: `delete_file`, `files.delete`. */
export const verbsOf = remembered((toolPath: string): readonly string[] => {
  const [first] = splitWords(toolPath.split(".").at(-1) ?? "");
  return first === undefined ? [] : [first];
});

/** The same, with other verbs for deleting where it deletes. */
export const deedsOf = remembered((toolPath: string): readonly string[] => {
  const own = verbsOf(toolPath);
  return own.some((verb) => DESTROYING.includes(verb)) ? [...own, ...DESTROYING] : own;
});

/** All verbs by which somebody may ask for what a tool does, but for deleting. */
export const verbsAlike = remembered((toolPath: string): ReadonlySet<string> => {
  const own = splitWords(toolPath.split(".").at(-1) ?? "").filter((word) => verbOf(word) !== undefined);
  const verbs = [...verbsOf(toolPath), ...own];
  const groups = ALIKE.filter((group) => verbs.some((verb) => group.includes(verb)));
  return new Set([...verbs, ...groups.flat()]);
});

function spaced(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
}
