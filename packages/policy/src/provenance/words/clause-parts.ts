import clauseWords from "./clause-words.json" with { type: "json" };
import { isTelling, isVerb, markOf, toldFrom } from "./clause-marks.ts";
import { verbOf } from "../../inference/verbs.ts";

const SENTENCE_END =
  /[!?…]+(?=[\s)\]"'”’·]|$)|(?<!(?<![\p{L}\p{N}])(?:no|nr|st|mr|mrs|dr|e\.g|i\.e))\.+(?=[\s)\]"'”’·]|$)|;|\n/gu;
const FRAGMENT_START =
  /,(?!\d)|:(?=\s|$)|[()]|(?<=\s)[-–—]+(?=\s)|(?<![\p{L}\p{N}'’/-])(?:and|or|nor|then|but|because|since|although|though|while|whereas|(?<!(?:be \p{L}+(?: \p{L}+)?|appreciate(?: it)?|love(?: it)?|like(?: it)?) )if|unless|when|which|who|until(?!\s+(?:\d|noon|midnight|today|tomorrow|tonight|the end of|(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|febr)uary|march|april|may \d|june|july|august|(?:septem|octo|novem|decem)ber))|whether|so(?: that)?(?=\s+(?:i|you|we|he|she|they|\p{L}+)\s+(?:can|could)\s))(?![\p{L}\p{N}'’/-])|(?<![\p{L}\p{N}'’/-])(?:before|after|once|as soon as)(?=\s+(?:i|you|we|he|she|they|it|somebody|someone)\s)|(?<![\p{L}\p{N}'’-])that(?=\s+\d\S*\s+(?:is|are|was|were|will|has|had)\s|\s+(?:i|we|you|he|she|they|it|there|the|my|our|his|her|their|this|these|all|is|are|was|were|has|have|had|can|could|should|will|would|must|may|might|do|does|did|not|no|nobody|nothing|\p{L}+n['’]t)(?!\p{L}))|(?<=[\p{L}\p{N}·"'’).]\s)(?<!(?<!\p{L})(?:should|shall|can|could|may|might|must|would|will|do|does|did|am|is|are|was|were|have|has|had|that|if|when|what|where|why|how|who|whom|which|whether|because|until|since|while|unless|although|though|and|or|but|then|as|than|so|\p{L}+n['’]t)\s)(?:i|we|he|she|they)(?=(?:['’]\p{L}+)?\s)/gu;
const UNMARKED_START =
  /(?<=[\p{L}\p{N})"”’']\s+)(?:What|Who|Whose|When|Where|Which|Why|How|Is|Are|Was|Were|Do|Does|Did|Should|Shall|Keep|Leave|Never|Don)(?=['’\s])/gu;
/** "The last mail says to close it" is a sentence of its own, wherever it stands. */
const REPORTS = String.raw`(?!(?:i|we|you|it|that|who|which|what|and|or|to)\s)\p{L}+\s+(?:${clauseWords.reporting.join("|")})\s+(?:(?:me|us|you|him|her|them)\s+)?(?:to|that)(?!\p{L})`;
const REPORT_START = new RegExp(String.raw`(?<=\s)${REPORTS}`, "gu");
const REPORTS_HERE = new RegExp(`^${REPORTS}`, "u");
const TO_DO = /(?<=\s)to(?=\s+(\p{L}+)(?!\p{L}))/gu;

/** Behind a quote that ends with a mark, a capital begins a sentence: "Post 'Is it on?' Delete file 9." */
const QUOTE_END = /(?<=[.!?…]["'”“’»`])(?=\s+["'“‘„«(]?\p{Lu})/gu;

/** A question or a refusal may begin without any mark before it: "Close it What is it about?" */
export function* sentencesOf(plain: string, text: string): Generator<readonly [number, number]> {
  for (const [start, end] of piecesOf(plain, SENTENCE_END)) {
    let from = start;
    const piece = text.slice(start, end);
    const starts = [UNMARKED_START, QUOTE_END].flatMap((mark) =>
      [...piece.matchAll(mark)].map(({ index }) => index),
    );
    for (const index of starts.toSorted((one, other) => one - other)) {
      if (plain[start + index] === "·" || start + index === from) continue;
      yield [from, start + index];
      from = start + index;
    }
    yield [from, end];
  }
}

/** The pieces between marks; each mark belongs to the piece that it ends. */
function* piecesOf(plain: string, mark: RegExp): Generator<readonly [number, number]> {
  let start = 0;
  for (const { 0: found, index } of plain.matchAll(mark)) {
    const end = index + found.length;
    yield [start, end];
    start = end;
  }
  if (start < plain.length) yield [start, plain.length];
}

/** The parts of a sentence that each may say something of their own. */
export function* fragmentsOf(
  plain: string,
  start: number,
  end: number,
): Generator<readonly [number, number]> {
  const sentence = plain.slice(start, end);
  const starts = [...sentence.matchAll(FRAGMENT_START)].map(({ index }) => index);
  for (const { index } of sentence.matchAll(REPORT_START)) starts.push(index);
  const first = markOf(sentence.slice(0, starts[0] ?? sentence.length));
  const told = toldFrom(sentence.slice(0, starts[0] ?? sentence.length));
  if (told !== undefined) starts.push(told);
  // "Remind me to delete it": somebody else's deed, or a later one.
  if (isTelling(first?.head))
    for (const { index, 1: verb = "" } of sentence.matchAll(TO_DO))
      if (isVerb(verb) && verbOf(verb)?.isAlsoNoun !== true) starts.push(index);
  let from = 0;
  for (const at of starts.toSorted((a, b) => a - b)) {
    // Marks that follow each other are one.
    if (sentence.slice(from, at).replaceAll(/[\s,:()–—-]/g, "") === "") continue;
    yield [start + from, start + at];
    from = at;
  }
  yield [start + from, end];
}

/** True of what begins with a report. What is reported may be the next part: "Ann suggested / that we close it". */
export function beginsReport(said: string): boolean {
  return REPORTS_HERE.test(said);
}
