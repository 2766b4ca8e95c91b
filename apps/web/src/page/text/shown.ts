import { html, type TemplateResult } from "lit";
import { type TextPiece, visibleText } from "./visible-text.ts";

/** Text as it is shown: hidden characters are named, and stand out from the text around them. */
export function shown(text: string): unknown {
  const pieces = visibleText(text);
  const [only] = pieces;
  if (pieces.length === 1 && only?.kind === "plain") return only.text;
  return pieces.map(showPiece);
}

function showPiece(piece: TextPiece): TemplateResult | string {
  return piece.kind === "plain" ? piece.text : html`<span class="hidden-mark">${piece.text}</span>`;
}

/** The same for attributes that people read or hear. */
export function spoken(text: string): string {
  return visibleText(text)
    .map((piece) => piece.text)
    .join("");
}

/** What Deputy has spelled out, counted or left out on a card. */
const SPELLED = /(\\u\{[0-9a-f]+\}|\[… [^\]]* …\])/;

/** Text of a card, in which Deputy has already spelled out what is hidden: those places stand out too. */
export function shownOnCard(text: string): unknown {
  const pieces = text.split(SPELLED);
  if (pieces.length === 1) return shown(text);
  return pieces.map((piece, at) => {
    if (at % 2 === 0) return shown(piece);
    const name = piece.replace(
      /^\\u\{(.*)\}$/,
      (_all, code: string) => `U+${code.toUpperCase().padStart(4, "0")}`,
    );
    return html`<span class="hidden-mark">${name}</span>`;
  });
}

const READABLE = /\p{RGI_Emoji}|(?<=\p{L})[\u200c\u200d](?=\p{L})|[\u00a0\u202f]/gv;

/** Each of those has one of these in it: what has none need not be looked through for them. */
const MAY_BE_READABLE =
  /[\u00a0\u00a9\u00ae\u202f\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u27bf\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299]|[\ud83c-\ud83e]|\u200c|\u200d|\u20e3|\ufe0f/;

/** Prose of people and models: whole emoji, narrow blanks and joined letters are ordinary there, the rest is named. */
export function shownProse(text: string): unknown {
  if (!MAY_BE_READABLE.test(text)) return shown(text);
  const out: unknown[] = [];
  let done = 0;
  for (const match of text.matchAll(READABLE)) {
    if (match.index > done) out.push(shown(text.slice(done, match.index)));
    out.push(match[0]);
    done = match.index + match[0].length;
  }
  if (done === 0) return shown(text);
  if (done < text.length) out.push(shown(text.slice(done)));
  return out;
}
