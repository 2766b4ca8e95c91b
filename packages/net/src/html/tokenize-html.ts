import { decodeReferences } from "./character-references.ts";

export type HtmlToken =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "open";
      readonly name: string;
      readonly attributes: ReadonlyMap<string, string>;
      /** True if the tag is written as self-closing, which has no meaning for HTML elements. */
      readonly isSelfClosing: boolean;
    }
  | { readonly kind: "close"; readonly name: string };

/** The content of these elements is not HTML. It is not needed either, except for a title. */
const RAW_TEXT: ReadonlySet<string> = new Set(
  "script style title textarea xmp iframe noembed noframes noscript".split(" "),
);
const TAG_NAME = /[a-z][^\s/>]{0,200}/iy;
const ATTRIBUTE = /[\s/]*(?:([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)?))?|=)/y;
const TAG_END = /[\s/]*>/y;
/** Further attributes of a tag are skipped. */
const MOST_ATTRIBUTES = 100;

/**
 * Reads any text as HTML in linear time, and never fails: broken markup is text, or ends with the text, as in
 * browsers. Comments and declarations are left out.
 */
export function* tokenizeHtml(html: string): Generator<HtmlToken> {
  let at = 0;
  while (at < html.length) {
    const opening = html.indexOf("<", at);
    const textEnd = opening === -1 ? html.length : opening;
    if (textEnd > at) yield { kind: "text", text: decodeReferences(html.slice(at, textEnd)) };
    if (opening === -1) return;
    const next = html[opening + 1] ?? "";
    if (next === "!" || next === "?") at = skipDeclaration(html, opening);
    else if (next === "/") {
      const name = nameAt(html, opening + 2);
      if (name !== "") yield { kind: "close", name: name.toLowerCase() };
      at = after(html, ">", opening + 2);
    } else if (nameAt(html, opening + 1) === "") {
      yield { kind: "text", text: "<" };
      at = opening + 1;
    } else {
      const tag = readTag(html, opening + 1);
      // Without its end it is not a tag, and contains all the rest.
      if (tag === undefined) return;
      const { name, attributes } = tag;
      yield { kind: "open", name, attributes, isSelfClosing: html[tag.end - 2] === "/" };
      at = tag.end;
      if (name === "plaintext") {
        yield { kind: "text", text: html.slice(at) };
        return;
      }
      if (!RAW_TEXT.has(name)) continue;
      const end = closingOf(html, name, at);
      const raw = html.slice(at, end);
      yield { kind: "text", text: name === "title" || name === "textarea" ? decodeReferences(raw) : raw };
      at = end;
    }
  }
}

function nameAt(html: string, at: number): string {
  TAG_NAME.lastIndex = at;
  return TAG_NAME.exec(html)?.[0] ?? "";
}

function readTag(
  html: string,
  at: number,
):
  | { readonly name: string; readonly attributes: ReadonlyMap<string, string>; readonly end: number }
  | undefined {
  const name = nameAt(html, at);
  const attributes = new Map<string, string>();
  let from = at + name.length;
  for (;;) {
    TAG_END.lastIndex = from;
    if (TAG_END.test(html)) return { name: name.toLowerCase(), attributes, end: TAG_END.lastIndex };
    ATTRIBUTE.lastIndex = from;
    const found = ATTRIBUTE.exec(html);
    if (found === null) return undefined;
    from = ATTRIBUTE.lastIndex;
    if (isUnclosedQuote(found[0], html[from])) return undefined;
    const key = found[1]?.toLowerCase();
    if (key !== undefined && !attributes.has(key) && attributes.size < MOST_ATTRIBUTES)
      attributes.set(key, decodeReferences(found[2] ?? found[3] ?? found[4] ?? ""));
  }
}

/** A value that begins here and never ends. */
function isUnclosedQuote(read: string, next: string | undefined): boolean {
  return (next === '"' || next === "'") && read.trimEnd().endsWith("=");
}

const COMMENT_END = /--!?>/g;

function skipDeclaration(html: string, at: number): number {
  if (!html.startsWith("<!--", at)) return after(html, ">", at);
  if (html.startsWith("<!-->", at)) return at + 5;
  if (html.startsWith("<!--->", at)) return at + 6;
  COMMENT_END.lastIndex = at + 4;
  return COMMENT_END.test(html) ? COMMENT_END.lastIndex : html.length;
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found === -1 ? html.length : found + mark.length;
}

/** The index at which the element's closing tag begins. */
function closingOf(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}(?=[\\s/>])`, "gi");
  closing.lastIndex = from;
  return closing.exec(html)?.index ?? html.length;
}
