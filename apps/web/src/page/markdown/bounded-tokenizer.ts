import { Tokenizer, type Tokens } from "marked";

/** After so many marks of one text that nothing closes, its others are text, too. */
const MOST_OPEN_MARKS = 20;

/**
 * Looks for the end of emphasis only so often in a text. For each mark that nothing closes the whole rest is looked
 * through: a few thousand of them would take seconds.
 */
export class BoundedTokenizer extends Tokenizer {
  #text = "";
  #open = 0;

  override emStrong(src: string, maskedSrc: string, prevChar = ""): Tokens.Em | Tokens.Strong | undefined {
    if (maskedSrc !== this.#text) {
      this.#text = maskedSrc;
      this.#open = 0;
    }
    // Within a word, an underscore is one, and that is seen at once.
    if (src.startsWith("_") && /[\p{L}\p{N}]/u.test(prevChar))
      return super.emStrong(src, maskedSrc, prevChar);
    if (this.#open >= MOST_OPEN_MARKS) return undefined;
    const found = super.emStrong(src, maskedSrc, prevChar);
    if (found === undefined && /^[*_]/.test(src)) this.#open += 1;
    return found;
  }
}
