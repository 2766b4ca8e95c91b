import type { About } from "./provenance/words/about.ts";
import type { AllOfKind } from "./provenance/words/asks-for-all.ts";
import type { ClauseKind } from "./provenance/words/user-words.ts";
import type { JudgeOrigins } from "./provenance/judge-origins.ts";
import type { DecisiveValue } from "./provenance/declined-calls.ts";
import type { Naming } from "./provenance/is-named.ts";
import type { ArgumentPlace } from "./provenance/kinds/kind.ts";
import type { SourceWords } from "./provenance/source-words.ts";
import type { Direction } from "./provenance/words/marked-names.ts";
import type { RowName } from "./provenance/kinds/row-names.ts";

/** Everything that a session has read, and who wrote it. The origin of a value is judged from this. */
export interface Origins {
  /** Where the untrusted text came from that the model or its program has seen; empty before the first. */
  readonly untrusted: readonly string[];
  /**
   * Where a value of an argument came from; the most trusted place that explains it. Never throws. With the place
   * in the call where it stands, an id is explained only by what names a thing of its kind, and a number of a
   * trusted source only where the names are alike: an id is no amount.
   */
  trace(value: string | number | boolean, place?: ArgumentPlace): Origin;
  /**
   * True if a text is one that the user dictated, word by word but for a place or two that was filled in; `trace`
   * requires all of it. Never throws.
   */
  echoes(text: string): boolean;
  /**
   * True if the user said a name of what stands in this place: beside the word for such a thing, or behind a preposition
   * of place. Never throws.
   */
  isSaidOf(name: string, place: ArgumentPlace): boolean;
  /** Whether the user said a name of where something comes from, or goes; undefined of neither and both. Never throws. */
  directionOf(name: string): Direction | undefined;
  /**
   * What the user's words tell about the things that could stand in a place: `named` if they name one of these,
   * `compared` if they ask the tool's deed of the one that compares best, and a source lists the value as one of them.
   * Never throws.
   */
  wishFor(value: string | number | boolean, place: ArgumentPlace): "named" | "compared" | "nothing";
  /**
   * True if the user asked for what a destructive tool does, in a clause that speaks of this value, or of what picked it
   * out. `origin`: as traced. Never throws.
   */
  asksToDestroy(
    value: string | number | boolean,
    place: ArgumentPlace,
    origin: Origin,
    deeds?: readonly string[],
  ): boolean;
  /**
   * True if the user said the number of an account or a card, or asked for that of its owner: "Emma's card number".
   * Never throws.
   */
  asksToGive(number: string): boolean;
  /**
   * True if one clause of the user's has all of these words: one in which they want or state something, or one in which
   * they refuse or report; `forbidden`: in which they refuse. With a place in a call, only what asks for such a deed is
   * wanted; with what the call is about, only what speaks of that. Never throws.
   */
  says(words: readonly string[], which: ClauseKind, place?: ArgumentPlace, about?: About): boolean;
  /**
   * True if a sum that nothing states may have been worked out: the user states none, or asks to work one out, and it is
   * at most twice the largest that is known. Never throws.
   */
  mayBeComputed(sum: number, place: ArgumentPlace): boolean;
  /** Who used which words, to tell what a read would carry from one service to another. */
  readonly words: Pick<SourceWords, "saidOf" | "ownOf" | "holderOf" | "ownerOf" | "isUnheard" | "hasOthers">;
  /** True if the user explicitly asked to do this to everything of a kind, and did not take this one out. Never throws. */
  asksForAll(kind: AllOfKind, value: string | number | boolean, place: ArgumentPlace): boolean;
  /**
   * True if the user declined a call of this tool with all of these values, and what they said since does not name each
   * of them. Never throws.
   */
  isDeclined(toolPath: string, values: readonly DecisiveValue[]): boolean;
  /**
   * Finds what of a call is not explained. Undefined before the index of what was said is loaded: a policy then holds
   * whatever has to be judged by it, see `asksForOrigins`.
   */
  readonly judge: JudgeOrigins | undefined;
  /** The user's last message, for people to read. Absent where that is not kept. Never throws. */
  lastSaid?(): string | undefined;
  /** What an id in a call's input stands for, for people to read. Absent where that is not kept. Never throws. */
  rowOf?(value: string | number, place: ArgumentPlace, input: unknown): RowName | undefined;
}

export type Origin =
  | { readonly kind: "user" }
  | { readonly kind: "configuration" }
  /** `named`: the user's own words also tell which of the source's values is meant; `clue`: which words. */
  | {
      readonly kind: "trusted";
      readonly source: string;
      readonly named?: Naming;
      readonly clue?: string;
      /** The source has it as a thing of the kind that is asked for. */
      readonly isOfKind?: true;
    }
  /** `writer`: the user's words name whoever wrote it, as the source knows them. */
  | { readonly kind: "untrusted"; readonly source: string; readonly writer?: string }
  /** It comes from no text: the model made it up, or the program computed it. */
  | { readonly kind: "invented" };
