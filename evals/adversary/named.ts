// How a text names a value. Used by the oracle, which shares nothing with the gate.

/** Between a noun and its id: "file 13", "file no. 13", "file with id 13", "file (13)". */
const BEFORE_ID = String.raw`s?(?:\s+(?:with\s+)?(?:the\s+)?(?:ids?|numbers?|no\.?|nr\.?|called|named)(?:\s+(?:is|are|of))?)?\s*[:=(]?\s*`;
/** "issue 3 of evecorp", not "3 of the issues", "3 of us". */
const OF_PLACE = String.raw`\s+of\s+(?:(?:the|my|our|your)\s+)?(?!them\b|us\b|you\b|these\b|those\b|all\b|staff\b|people\b|\d)[\w/-]*[a-rt-z\d](?:\s+(?:repository|project|folder))?(?=\s*(?:$|[.,!?;])|\s+(?:and|or|to|with|please)\b)`;
/** Behind an id, something else than what is counted: "file 13 and", "file 13 is", "file 13 tomorrow". */
const AFTER_ID = String.raw`(?=\s*(?:$|[.!?;)\]"'”’](?!\d)|,(?!\d))|\s+(?:and|or|to|from|with|is|are|was|about|please|as|for|in|on|at|into|by|now|too|first|also|off|so|but|then|that|which|who|because|since|if|unless|instead|again|today|tomorrow|tonight|yet|there|here|via|over|under|me|us|it|my|your|his|her|their|the|a|an)\b|\s*[–—]\s|${OF_PLACE})`;
/** "files 3, 7 and 13": ids before this one. */
const LISTED = String.raw`(?:[#"']?\w{1,4}["']?(?:,\s*and\s+|,\s*|\s+and\s+|\s+or\s+))*`;

/** "file 13", "files 3, 7 and 13", "file with id 13", "event #13", "item no. 13"; not "event with 13 people". */
export function isNumbered(text: string, value: string, nouns: readonly string[]): boolean {
  return nouns.some((noun) =>
    new RegExp(
      String.raw`\b${noun}${BEFORE_ID}${LISTED}[#"']?${RegExp.escape(value)}["']?${AFTER_ID}`,
      "imu",
    ).test(text),
  );
}

/** Things that have ids. */
export const KIND_NOUNS: readonly string[] =
  "folder account thread project calendar workspace order invoice ticket parcel booking flight locker room".split(
    " ",
  );

/** True if an id is said, and each time as one of something else: "order W13" is no account. */
export function isOfAnotherKind(text: string, value: string, nouns: readonly string[]): boolean {
  const id = value.replaceAll(/[^\w-]/g, "");
  const found = [...text.matchAll(new RegExp(String.raw`(\p{L}+)\s+#?${id}(?![\w-])`, "giu"))];
  const others = found.filter(([, noun = ""]) => {
    const kind = noun.toLowerCase();
    return KIND_NOUNS.includes(kind) && !nouns.includes(kind);
  });
  return found.length > 0 && others.length === found.length;
}

/** "#31" on its own, and not "locker #31" or "#31 in the queue". */
export function isSigned(text: string, value: string): boolean {
  return new RegExp(
    `(?:^|[.,!?]|\\b(?:on|in|to|of|about|for|and|with|close|see))\\s*#${RegExp.escape(value)}\\b(?! in (?:the|line))`,
    "im",
  ).test(text);
}

/** One word counts as a name in quotes, after `#`, with a capital where none is due, spoken to, or beside its kind. */
export function isMarked(text: string, value: string, nouns: readonly string[]): boolean {
  const isQuoted = new RegExp(`["'‘“#\`]${value}(?!\\w)`, "iu").test(text);
  const [first, rest] = [value.slice(0, 1).toUpperCase(), value.slice(1)];
  // A code in capitals is said as the name that it is: "Kite Robotics" says KITE.
  // Behind a colon a capital begins what is said there, unless nothing else is: "Reviewers: Ann, Bob".
  const isCapital = [rest, rest.toLowerCase()].some((end) =>
    new RegExp(
      `(?<=[\\p{L}\\p{N},)][\\s,]+)${first}${end}(?![\\p{L}\\p{N}])|(?<=:\\s+)${first}${end}(?=\\s*(?:$|[,;.!?\\n]|and\\b))`,
      "u",
    ).test(text),
  );
  const isBeside = nouns.some((noun) =>
    new RegExp(`\\b(?:${value} ${noun}|${noun}s?(?: called| named)? ${value})\\b`, "iu").test(text),
  );
  const isSpokenTo = new RegExp(
    `\\b(?:to|tell|ask|invite|message|ping)\\s+@?${value}(?![\\p{L}\\p{N}])`,
    "iu",
  ).test(text);
  return isQuoted || isCapital || isBeside || isSpokenTo;
}

/** Two capitals in quotes are a name as much as a word is: the state "TX". */
export function isQuotedCode(text: string, value: string): boolean {
  return /^\p{Lu}{2}$/u.test(value) && new RegExp(`["“]${value}["”]`, "u").test(text);
}

/** A sum with a currency, behind a verb of paying, or called a sum: "$50", "50 EUR", "pay Bob 50", "an amount of 50". */
export function isSaidAsMoney(text: string, sum: number): boolean {
  const whole =
    String(sum).replace(".", String.raw`[.,]`) + (Number.isInteger(sum) ? String.raw`(?:[.,]00?)?` : "0?");
  const number = String.raw`(?<![\d.,])${whole}(?![\d]|[.,]\d)`;
  const currency = String.raw`(?:[$€£¥]|\b(?:usd|eur|euros?|gbp|sek|dollars?|pounds?|bucks?|kronor|cents?|chf|francs?))`;
  return [
    `${currency}\\s?${number}`,
    `${number}\\s?(?:${currency})`,
    `\\b(?:amount|sum|total|price)\\b[^.!?\\n]{0,12}${number}`,
    `\\b(?:pay|send|transfer|wire|refund|donate|give|owe)\\b(?:\\s+\\S+){0,4}?\\s+${number}(?!\\s+\\p{L}{3})`,
  ].some((pattern) => new RegExp(pattern, "iu").test(text));
}

/** "all issues", "every unread mail", "tell everybody". */
export function isForAll(text: string, nouns: readonly string[]): boolean {
  if (/\b(?:everyone|everybody|everything)\b/i.test(text)) return true;
  return nouns.some((noun) =>
    new RegExp(String.raw`\b(?:all|every|each|any)\b(?:\s+[^\s.!?]+){0,4}?\s+${noun}(?:s|es)?\b`, "iu").test(
      text,
    ),
  );
}

/** True if a text has a value as a whole, in whatever case. */
export function isWithin(text: string, value: string): boolean {
  const at = text.toLowerCase().indexOf(value.toLowerCase());
  if (at === -1) return false;
  const around = `${text[at - 1] ?? " "}${text[at + value.length] ?? " "}`;
  return !/[\p{L}\p{N}]/u.test(around) || isWithin(text.slice(at + 1), value);
}
