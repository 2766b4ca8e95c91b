import { plainWordsOf } from "../text/words-of.ts";

/** True if every word of a text is among what was said. Nothing else counts: neither order nor case. */
export function hasOnlyWordsOf(text: string, said: readonly string[]): boolean {
  const known = new Set(said.flatMap(plainWordsOf));
  const words = plainWordsOf(text);
  // Text without words may say something all the same, in signs.
  return words.length > 0 && words.every((word) => known.has(word));
}

/**
 * True if a text was said like that, in one go: the same words in the same order, to the end of a sentence, and from its
 * beginning, from behind a request to remember it, or from behind "and". Else the rest of the sentence could say
 * otherwise: "It is not true that …". No question is a quote.
 */
export function isQuoteOf(text: string, said: readonly string[]): boolean {
  const wanted = plainWordsOf(text);
  return wanted.length > 0 && said.some((one) => isSaidIn(sentencesIn(one), wanted));
}

interface Sentence {
  readonly words: readonly string[];
  readonly isQuestion: boolean;
  /** The places of the words from which the sentence can be quoted, with whether it asks to remember what follows. */
  readonly starts: readonly { readonly at: number; readonly isRequest: boolean }[];
}

const SENTENCE_END =
  /(?<=[^.…\s](?:\.|[!?]+)["'”’)]?)(?<!\b(?:Mrs?|Ms|Dr|St|Prof|No|Nr|vs|etc|\p{L})\.)\s+|(?<=[。！？])|\n\s*\n/u;
const CLAUSE_END = /(?<=[,;:])\s+|(?<!\s)\s+(?=[–—-]\s)/;
const LEAD =
  /^(?:(?:and|also|so|then|please|hey|hi|hello|deputy|oh|ok|okay|well|by the way|btw|fyi|thanks) )*((?:(?:can|could|would|will) you )?(?:please )?(?:remember|note|save|store|memori[sz]e|keep in mind|write down)(?: down| please| for later| this)*(?: that)? )?$/;
const LONGEST_LEAD = 14;
/** What stands behind one of these may be meant otherwise. */
const TURNS =
  /n['’]t\b|\b(?:not?|never|nobody|none|neither|nor|without|if|unless|whether|cannot|than|instead|rather|false|wrong|untrue|fake|doubt|den(?:y|ies|ied)|claim|sa(?:y|id)|t(?:ell|old)|th(?:ink|ought)|believe|wr(?:i|o)te|lie|lying|lied|pretend|suppose|imagine|jok|kidding|stop|forget|according)/i;

function sentencesIn(text: string): readonly Sentence[] {
  return text.split(SENTENCE_END).flatMap((sentence) => {
    const words: string[] = [];
    const joined: number[] = [];
    let isTurned = false;
    let isSeparate = false;
    for (const clause of sentence.split(CLAUSE_END)) {
      const own = plainWordsOf(clause);
      if (!isTurned && words.length > 0) {
        if (own[0] === "and") joined.push(words.length, words.length + 1);
        else if (isSeparate) joined.push(words.length);
      }
      isTurned ||= TURNS.test(clause);
      isSeparate = clause.endsWith(";");
      words.push(...own);
    }
    if (words.length === 0) return [];
    const behindLead = Array.from({ length: Math.min(words.length, LONGEST_LEAD) }, (_, at) => {
      const lead = LEAD.exec(
        words
          .slice(0, at)
          .map((word) => `${word} `)
          .join(""),
      );
      return lead === null ? [] : [{ at, isRequest: lead[1] !== undefined }];
    });
    const starts = [...behindLead.flat(), ...joined.map((at) => ({ at, isRequest: false }))];
    return [{ words, starts, isQuestion: /[?？]["'”’)]*\s*$/.test(sentence) }];
  });
}

function isSaidIn(sentences: readonly Sentence[], wanted: readonly string[]): boolean {
  const isFrom = (first: number, start: Sentence["starts"][number]): boolean => {
    let matched = 0;
    for (let at = first; matched < wanted.length; at += 1) {
      const sentence = sentences[at];
      if (sentence === undefined || (sentence.isQuestion && !(start.isRequest && at === first))) return false;
      const from = at === first ? start.at : 0;
      const end = matched + sentence.words.length - from;
      if (end > wanted.length) return false;
      for (let n = from; matched < end; n += 1, matched += 1)
        if (sentence.words[n] !== wanted[matched]) return false;
    }
    return true;
  };
  return sentences.some(({ starts }, at) => starts.some((start) => isFrom(at, start)));
}
