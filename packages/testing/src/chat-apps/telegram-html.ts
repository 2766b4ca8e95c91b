/** What Telegram makes of its HTML, or why it refuses it: as "HTML style" in the documentation of its Bot API. */
export type TelegramHtml =
  | { readonly kind: "ok"; readonly text: string; readonly entities: number }
  | { readonly kind: "wrong"; readonly why: string };

const TAGS: ReadonlySet<string> = new Set(["b", "i", "s", "u", "code", "pre", "a", "blockquote"]);
const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };
/** They contain nothing, and are part of none of the others of the second list. */
const CODE: ReadonlySet<string> = new Set(["code", "pre"]);
const PLAIN: ReadonlySet<string> = new Set(["b", "i", "s", "u"]);
const PIECE = /<(\/?)([a-z]+)((?:\s+[a-z]+="[^"]*")*)\s*>|&(#\d+|[a-z]+);|([^<&]+)|([<&])/gy;

export function readTelegramHtml(html: string): TelegramHtml {
  const open: string[] = [];
  let text = "";
  let entities = 0;
  for (const [, slash, tag, attributes = "", named, plain, stray] of html.matchAll(PIECE)) {
    if (stray !== undefined) return wrong(`unsupported start tag at "${stray}"`);
    if (plain !== undefined) text += plain;
    else if (named !== undefined) {
      const character = named.startsWith("#") ? String.fromCodePoint(Number(named.slice(1))) : NAMED[named];
      if (character === undefined) return wrong(`unsupported entity &${named};`);
      text += character;
    } else if (tag === undefined || !TAGS.has(tag)) return wrong(`unsupported start tag "${tag ?? ""}"`);
    else if (slash === "/") {
      if (open.pop() !== tag) return wrong(`unexpected end tag "${tag}"`);
    } else {
      const fault = faultOf(tag, attributes, open);
      if (fault !== undefined) return wrong(fault);
      open.push(tag);
      entities += 1;
    }
  }
  return open.length === 0
    ? { kind: "ok", text, entities }
    : wrong(`can't find end tag corresponding to "${open.at(-1)}"`);
}

function faultOf(tag: string, attributes: string, open: readonly string[]): string | undefined {
  const inner = open.at(-1);
  const isLanguage = tag === "code" && inner === "pre" && /^\s+class="language-[^"]+"$/.test(attributes);
  if (open.some((each) => CODE.has(each)) && !isLanguage) return "code contains other entities";
  if (CODE.has(tag) && !isLanguage && open.some((each) => PLAIN.has(each)))
    return "code is part of another entity";
  if (tag === "blockquote" && open.includes("blockquote")) return "nested blockquote";
  if (tag === "a" && !/^\s+href="[^"]+"$/.test(attributes)) return "a link without an address";
  return undefined;
}

function wrong(why: string): TelegramHtml {
  return { kind: "wrong", why };
}
