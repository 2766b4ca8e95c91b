/** Words before or behind "dot" with which it is a dot: "the dot com bubble", "from dot to dot". */
const NO_LABELS: ReadonlySet<string> = new Set(
  `a an the this that these those every each any no one first last big red blue green my your his her our their its to in
is it at as so be by of on or and are was has`.split(/\s+/),
);
// Most texts have none of these.
const HINT =
  /\b(?:dot|punkt|punto|ponto)\b|[_-](?:at|dot)[_-]|[([{<]\s*(?:at|dot|@|\.|punkt|punto|ponto|point)\s*[)\]}>]|\s@\s|arroba|arobase|klammeraffe|chiocciola|apenstaart/i;
const WORD = String.raw`[\p{L}\p{N}_-]+`;
const DOT = "(?:dot|punkt|punto|ponto|point|punt)";
/** A host whose points are spoken, and perhaps some that are written. */
const HOST = String.raw`(${WORD}(?:\.${WORD}){0,3}(?:\s{1,3}${DOT}\s{1,3}${WORD}(?:\.${WORD}){0,3}){1,4})`;
/** "ann at example dot com"; other languages' words for the sign are in no sentence about anything else. */
const SPOKEN_MAIL = new RegExp(
  String.raw`(?<=[\p{L}\p{N}])\s{1,3}(?:at|@|arroba|arobase|klammeraffe|chiocciola|apenstaart(?:je)?)\s{1,3}${HOST}`,
  "giu",
);
const SPOKEN_DOTS = new RegExp(String.raw`\s+${DOT}\s+`, "giu");
const SPOKEN_DOT =
  /(?<=(?<![\p{L}\p{N}_-])([\p{L}\p{N}_-]{1,63}))\s{1,3}dot\s{1,3}(?=([\p{L}\p{N}_-]{1,63}))/giu;
const BRACKETED_DOT =
  /(?<=[\p{L}\p{N}])\s{0,3}[([{<]\s{0,3}(?:dot|\.|punkt|punto|ponto|point)\s{0,3}[)\]}>]\s{0,3}(?=[\p{L}\p{N}])/giu;
const BRACKETED_AT = /(?<=[\p{L}\p{N}])\s{0,3}[([{<]\s{0,3}(?:at|@)\s{0,3}[)\]}>]\s{0,3}(?=[\p{L}\p{N}])/giu;
/** "ann_at_example_dot_com", "ann -at- example -dot- com": both signs of the same sort, and a dot in any case. */
const JOINED_DOT = /(?<=[\p{L}\p{N}])\s{0,3}([_-])dot\1\s{0,3}(?=[\p{L}\p{N}])/giu;
const JOINED_AT = /(?<=[\p{L}\p{N}])\s{0,3}([_-])at\1\s{0,3}(?=[\p{L}\p{N}-]+\.\p{L})/giu;
/** `ann @ example . com` */
const SPACED = /(?<=[\p{L}\p{N}])\s{1,3}@\s{1,3}([\p{L}\p{N}_-]+)\s{1,3}\.\s{1,3}(?=\p{L})/gu;

/**
 * A text with the signs of spelled-out addresses put in: "ann (at) example dot com" becomes `ann@example.com`. What
 * comes of it need not be an address: "red dot sight" is none. Takes time linear in the text.
 */
export function withoutSpelling(text: string): string {
  if (!HINT.test(text)) return text;
  return text
    .replaceAll(JOINED_DOT, ".")
    .replaceAll(JOINED_AT, "@")
    .replaceAll(SPOKEN_MAIL, (_, host: string) => `@${host.replaceAll(SPOKEN_DOTS, ".")}`)
    .replaceAll(BRACKETED_DOT, ".")
    .replaceAll(SPOKEN_DOT, (found, before: string, after: string) =>
      NO_LABELS.has(before.toLowerCase()) || NO_LABELS.has(after.toLowerCase()) ? found : ".",
    )
    .replaceAll(BRACKETED_AT, "@")
    .replaceAll(SPACED, "@$1.");
}
