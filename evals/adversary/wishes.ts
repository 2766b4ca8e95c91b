import type { Told } from "./conversation.ts";

/**
 * What the user asks for or states, without what they rule out: what they forbid, keep, ask, plan to do themselves,
 * report as somebody else's wish, or took back. Whatever is not plainly one of these stays. Each clause is a
 * line. It reads words only, and knows nothing of the gate.
 */
export function wishesIn(told: readonly Told[]): string {
  const wishes = known.get(told) ?? readWishes(told);
  known.set(told, wishes);
  return wishes;
}

/** Many calls are judged after the same conversation. */
const known = new WeakMap<readonly Told[], string>();

function readWishes(told: readonly Told[]): string {
  const wishes: string[] = [];
  for (const one of told) {
    if (one.kind !== "user" && one.kind !== "declined") continue;
    for (const sentence of sentencesIn(one.kind === "user" ? withoutAsides(one) : (one.said ?? "")))
      for (const clause of clausesIn(sentence)) {
        if (WITHDRAWS.test(clause)) {
          wishes.pop();
          continue;
        }
        const wish = wishIn(clause, sentence.trim().endsWith("?"));
        if (wish !== "") wishes.push(wish);
      }
  }
  return wishes.join("\n");
}

function withoutAsides({ text, asides = [] }: Told & { readonly kind: "user" }): string {
  return asides.reduce((left, aside) => left.replace(aside, " "), text);
}

const SENTENCE_END =
  /(?<=[.!?]["'”’)]?)(?<!\b(?:no|nr|St|Mr|Mrs|Dr|e\.g|i\.e)\.)(?<!\d\.)\s+|(?<=\d\.)\s+(?=\p{Lu}\p{Ll}*\s)|\n+/u;
const CLAUSE_END =
  /;\s*|,?\s+(?=(?:but|however|although|though|whereas|while|except)\b)|,\s+(?=(?:and|then|so)\s)|\s+(?=and then\s)/i;

function sentencesIn(text: string): readonly string[] {
  return text.split(SENTENCE_END).filter((sentence) => sentence.trim() !== "");
}

function clausesIn(sentence: string): readonly string[] {
  return sentence.split(CLAUSE_END).filter((clause) => clause.trim() !== "");
}

const WITHDRAWS =
  /^\W*(?:(?:oh|ah|no|wait|actually|sorry|hm+|well|stop|but|please|and|then)\b\W*)*(?:never ?mind|forget (?:it|that|about (?:it|that)|what I (?:said|asked))|(?:scrap|strike|ignore|undo|disregard) (?:that|it|my last)|take (?:that|it) back|I (?:take|took) (?:that|it) back|on second thoughts?|I(?:'ve|’ve| have)? changed my mind|I no longer want|there is no need|no need|leave it(?: be| alone| as it is)?\W*$|don['’]t (?:bother|do (?:it|that)))/i;
const LEAD = String.raw`^\W*(?:(?:and|but|then|so|also|oh|by the way|btw|please|hey|hi|hello|although|though|while|however)\b\W*)*`;
/** "Could you …?" is no question. */
const POLITE = new RegExp(
  String.raw`${LEAD}(?:(?:can|could|would|will) you|would you mind|may I ask|why don['’]t you|do me a favou?r)\b`,
  "i",
);
const ASKS = new RegExp(
  String.raw`${LEAD}(?:what|what['’]s|who|who['’]s|whose|whom|when|where|which|why|how|is|are|was|were|am|do|does|did|has|have|had|should|shall|can|could|may|might|must|would|will)\b`,
  "i",
);
/** Says it of what stands before. */
const STAYS =
  /\b(?:(?:must|should|has to|have to|will) stay|(?:is|are) (?:still )?(?:needed|wanted|in use|private|off limits|fine as)|still (?:need|want|use)s?|leave\b.*\b(?:alone|untouched|as (?:it|they) (?:is|are)|be|in place|out of (?:it|this)))\b/i;
const KEEPS =
  /\b(?:keep(?:s|ing)?(?! (?:me|us|him|her|them) (?:posted|updated|informed|in the loop)| an eye)|hands off|stay away from|spare)\b.*$/is;
const OTHERS_WISH =
  /\b(?!(?:I|we|you|who|that|it|they both)\b)[\p{L}'’]+(?: (?:has|have|had|keeps?|once|already|always|even|just))? (?:wants?|wanted|asks?|asked|asking|says?|said|tells?|told|would (?:like|love|prefer)|suggests?|suggested|thinks?|thought|insists?|insisted|wishes|demands?|demanded|claims?|claimed|recommends?|recommended|proposes?|proposed|begs?|begged|hopes?|hoped)(?: (?:me|us|you|him|her|them))? (?:to|that|we|I|you)\b.*$/isu;
const OWN_PLAN =
  /\b(?:I|we)(?:['’]ll| will| shall|['’]m going to|['’]re going to| am going to| are going to| plan(?:ned)? to| intend(?:ed)? to| might| may| could| was (?:about|going) to| were (?:about|going) to| almost| nearly| once| already|['’]ve already| have already| thought about| am thinking (?:of|about)| used to| wonder(?:ed)?)\b.*$/is;
/** What follows one of these is what is not wanted. */
const NEGATED =
  /\b(?:do not|does not|did not|don['’]t|doesn['’]t|didn['’]t|never|not|no longer|must not|mustn['’]t|should not|shouldn['’]t|cannot|can['’]t|won['’]t|without|instead of|rather than|except(?: for)?|apart from|other than|stop(?= \p{L}+ing)|avoid|refrain from|no(?!\.| \d|\s*#))\b(?! (?:forget|hesitate|only|fail)\b).*$/isu;

/** What of a clause is a wish or a plain statement; empty if nothing is. */
function wishIn(clause: string, isQuestion: boolean): string {
  const isAsking = ASKS.test(clause) && !POLITE.test(clause);
  if (isAsking && (isQuestion || /^\W*(?:what|who|when|where|which|why|how)\b/i.test(clause))) return "";
  if (isQuestion && !POLITE.test(clause) && !/^\W*(?:and|then|so|please)\b/i.test(clause)) return "";
  if (STAYS.test(clause)) return "";
  return [NEGATED, KEEPS, OTHERS_WISH, OWN_PLAN]
    .reduce((left, ruledOut) => left.replace(ruledOut, ""), clause)
    .trim();
}
