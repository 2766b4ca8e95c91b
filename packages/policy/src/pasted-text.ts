import pasteWords from "./paste-words.json" with { type: "json" };

/** A piece of a message: what the user says, or what somebody else wrote and the user only shows. */
export interface MessagePart {
  readonly text: string;
  readonly isPasted: boolean;
}

const anyOf = (words: readonly string[]): string => `(?:${words.join("|")})`;
const START = String.raw`(?:^|[.!?]\s|\n)[ \t]*(?:(?:please|hey|hi|hello|ok|okay|so|and|now|then)[\s,]+){0,3}`;
/** A point ends a sentence, but not where an address goes on. */
const REST = String.raw`(?:[^.!?:\n]|[.](?=\S))`;
const TEXT = String.raw`(?:,?\s+[\p{L}'’-]+){0,2}?,?\s+${anyOf(pasteWords.texts)}(?!\p{L})`;
const SHOWN = String.raw`(?<!\p{L})(?:(?:this|that|the following|these)(?:${TEXT}|(?=\s+${anyOf(pasteWords.after)}(?!\p{L})|\s*[:\n]))|(?:the\s+)?(?:[\p{L}'’-]+\s+){0,2}below|what follows)(?!\p{L})`;
/** Behind a request to look at a text that is shown: "Summarise this mail:", "What does this mean?" and a blank line. */
const ANNOUNCED = new RegExp(
  String.raw`${START}(?:${anyOf(pasteWords.asking)}\s+){0,2}${anyOf(pasteWords.looking)}(?!\p{L})${REST}{0,80}?${SHOWN}${REST}{0,80}(?::|[.!?]?[ \t]*\n[ \t]*(?=\n))`,
  "iu",
);
/** "I got this mail:", "Ann wrote:", at the end of a line. */
const RECEIVED = new RegExp(
  String.raw`${START}(?:${anyOf(pasteWords.receiving)}(?!\p{L})${REST}{0,60}?(?<!\p{L})${anyOf(pasteWords.texts)}(?!\p{L})${REST}{0,60}|(?:[\p{L}'’-]+\s+){1,3}${anyOf(pasteWords.writing)}(?!\p{L})${REST}{0,40}):[ \t]*\n`,
  "iu",
);
/** The head of a mail that was copied as it is. */
const HEADED =
  /(?:^|\n)(?:-{3,} ?(?:original|forwarded) message|(?:from|to|date|sent|subject|reply-to|cc): [^\n]+\n(?:from|to|date|sent|subject|reply-to|cc): )/i;
/** A request at the end about what stands over it. */
const ABOVE = new RegExp(
  String.raw`\n[ \t]*\n[ \t]*(?:(?:please|ok|now)[\s,]+)?(?:${anyOf(pasteWords.asking)}\s+){0,2}${anyOf(pasteWords.looking)}(?!\p{L})[^\n]{0,80}?(?<!\p{L})above(?!\p{L})`,
  "iu",
);

/**
 * A message in its parts, in order. What is behind an announcement of somebody's text is that text, up to where its
 * own marks end it (a fence, `>`, quotes), else all of it: nothing tells where the user's words begin again. Takes time
 * linear in the text. English only.
 */
export function readMessage(text: string): readonly MessagePart[] {
  const above = ABOVE.exec(text);
  if (above !== null) return partsOf([text.slice(0, above.index), true], [text.slice(above.index), false]);
  const starts = [ANNOUNCED, RECEIVED].flatMap((pattern) => {
    const found = pattern.exec(text);
    return found === null ? [] : [found.index + found[0].length];
  });
  const headed = HEADED.exec(text);
  const start = Math.min(...starts, headed?.index ?? text.length, text.length);
  const end = start + lengthOf(text.slice(start));
  return partsOf(
    [text.slice(0, start), false],
    [text.slice(start, end), true],
    ...(end < text.length
      ? readMessage(text.slice(end)).map(({ text: part, isPasted }) => [part, isPasted] as const)
      : []),
  );
}

const FENCED = /^\s*```[^]*?(?:```|$)/;
const MARKED = /^\s*>[^\n]*(?:\n[ \t]*>[^\n]*)*/;
const IN_QUOTES = /^\s*(?:"[^"]*(?:"|$)|“[^”]*(?:”|$)|«[^»]*(?:»|$))/;

/** How far a text goes whose end is marked; all of it, where it is not. */
function lengthOf(shown: string): number {
  const marked = FENCED.exec(shown) ?? MARKED.exec(shown) ?? IN_QUOTES.exec(shown);
  return marked?.[0].length ?? shown.length;
}

function partsOf(...parts: readonly (readonly [string, boolean])[]): readonly MessagePart[] {
  return parts
    .filter(([text]) => text !== "")
    .map(([text, isPasted]) => ({ text, isPasted: isPasted && text.trim() !== "" }));
}
