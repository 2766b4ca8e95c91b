/** Words with which people call something off, at the beginning of a message. */
const BEGINNINGS = [
  "no",
  "nope",
  "stop",
  "cancel",
  "abort",
  "halt",
  "wait",
  "hold on",
  "hold off",
  "hang on",
  "don't",
  "dont",
  "do not",
  "never mind",
  "nevermind",
  "forget it",
  "forget that",
  "forget about",
  "leave it",
  "leave that",
  "skip it",
  "skip that",
  "call it off",
  "call that off",
  "not now",
  "not yet",
  "withdraw",
  "undo",
  "i'd rather not",
  "id rather not",
  "i would rather not",
  "rather not",
  "better not",
  "i changed my mind",
  "i've changed my mind",
  "keep it",
  "keep that",
  "keep this",
  "keep them",
  "keep those",
  "keep these",
  "keep all",
  "keep everything",
  "scrap that",
  "scratch that",
  "nein",
  "stopp",
  "warte",
  "abbrechen",
  "lass es",
  "lass das",
  "vergiss",
  "lieber nicht",
  "doch nicht",
  "annuler",
  "annule",
  "arrête",
  "non",
  "laisse tomber",
  "cancela",
  "cancelar",
  "espera",
  "mejor no",
  "annulla",
  "aspetta",
  "fermati",
  "👎",
  "🛑",
  "✋",
  "❌",
] as const;

/** Words that people put before it. */
const LEAD_IN = /^(?:(?:oh|ok|okay|hey|sorry|please|bitte|actually|hm+|uh|um|and|but|deputy)\b[\s,.!:;…-]*)+/;
/** A “no” that continues like this does not call off: “no problem, go ahead”. */
const HARMLESS =
  /^(?:no (?:problem|worries|rush|hurry|need to ask)|don'?t (?:worry|forget|ask)|do not (?:worry|forget|ask)|wait for|keep (?:it|that|this|them) (?:up|going|coming|short|simple|brief))\b/;

/**
 * True for a message that calls off what is being asked about. It is never a yes, whatever else the message
 * says.
 */
export function callsOff(text: string): boolean {
  const said = text.toLowerCase().replaceAll("’", "'").trim().replace(LEAD_IN, "");
  if (HARMLESS.test(said)) return false;
  return BEGINNINGS.some(
    (words) => said.startsWith(words) && !/^[\p{L}\p{N}']/u.test(said.slice(words.length)),
  );
}
