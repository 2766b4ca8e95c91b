import { escapeHtml } from "./escape-html.ts";

/** What people see of Discord's Markdown, and whom it would mention. */
export interface ReadMarkdown {
  readonly text: string;
  /** Everybody, roles, people, channels: as they are written. */
  readonly mentions: readonly string[];
  /** Addresses that can be pressed. */
  readonly links: readonly string[];
}

const BLOCK = /^```(?:([a-z0-9_+\-.#]+?)\n)?\n*([^\n][\s\S]*?)\n*```/i;
const QUOTE = /^(?: *>(?!>>) +[^\n]*(?:\n *>(?!>>) +[^\n]*)*\n?)/;
const QUOTE_ALL = /^ *>>> +([\s\S]*)/;
/** What a line may begin with: a title, small print, a list. */
const LINE = /^(?:#{1,3} +|-# +| *[-*] +| *\d+\. +)/;

type Rule = readonly [RegExp, (match: RegExpExecArray, read: Reader) => string];
interface Reader {
  readonly mentions: string[];
  readonly links: string[];
  inner(markdown: string): string;
  /** What is shown as it is, and what is shown with a style. */
  plain(text: string): string;
  tag(name: string, inner: string): string;
}

const mentioned: Rule[1] = ([all], { mentions, plain }) => {
  mentions.push(all);
  return plain(all);
};
const linked =
  (at: number): Rule[1] =>
  (match, { links, plain }) => {
    const url = match[at] ?? "";
    links.push(url);
    return plain(url);
  };
const styled =
  (tag: string): Rule[1] =>
  (match, read) =>
    read.tag(tag, read.inner(match[1] ?? ""));

/** The rules of Discord's own reader, in its order. */
const RULES: readonly Rule[] = [
  [/^\\([^0-9A-Za-z\s])/, ([, sign = ""], { plain }) => plain(sign)],
  [/^<(https?:\/\/[^ >]+)>/, linked(1)],
  [/^https?:\/\/[^\s<]+[^<.,:;"'\]\s]/, linked(0)],
  [
    /^\[((?:\\[\s\S]|[^\]\\])+)\]\((?:<(https?:\/\/[^<>\s]+)>|(https?:\/\/[^\s()<>]+))\)/,
    (match, read) => {
      read.links.push(match[2] ?? match[3] ?? "");
      return read.tag("a", read.inner(match[1] ?? ""));
    },
  ],
  [/^\*(?=\S)((?:\*\*|\\[\s\S]|\s+(?:\\[\s\S]|[^*\s\\]|\*\*)|[^\s*\\])+?)\*(?!\*)/, styled("i")],
  [/^\b_((?:__|\\[\s\S]|[^\\_])+?)_\b/, styled("i")],
  [/^\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/, styled("b")],
  [/^__((?:\\[\s\S]|[^\\])+?)__(?!_)/, styled("u")],
  [/^~~([\s\S]+?)~~(?!_)/, styled("s")],
  [
    /^(`+)([\s\S]*?[^`])\1(?!`)/,
    ([, , code = ""], { tag, plain }) => tag("code", plain(code.replaceAll(/^ (?= *`)|(` *) $/g, "$1"))),
  ],
  [/^\|\|([\s\S]+?)\|\|/, styled("span")],
  [/^(?:<@!?\d+>|<@&\d+>|<#\d+>|@everyone|@here)/, mentioned],
  [/^<a?:\w{2,}:\d+>/, () => "(emoji)"],
  [/^<t:-?\d+(?::[tTdDfFR])?>/, () => "(time)"],
];

/** `html`: as a browser shows it; the text is escaped. */
export function readDiscordMarkdown(markdown: string, as: "text" | "html" = "text"): ReadMarkdown {
  const mentions: string[] = [];
  const links: string[] = [];
  const plain = (text: string): string => (as === "html" ? escapeHtml(text) : text);
  const tag = (name: string, inner: string): string =>
    as === "html" ? `<${name}>${inner}</${name}>` : inner;
  const reader: Reader = { mentions, links, plain, tag, inner: (part) => read(part, false) };

  function read(source: string, isWhole: boolean): string {
    let text = "";
    let at = 0;
    while (at < source.length) {
      const rest = source.slice(at);
      const isLineStart = isWhole && (at === 0 || source[at - 1] === "\n");
      const block = BLOCK.exec(rest);
      const quote = isLineStart ? (QUOTE_ALL.exec(rest) ?? QUOTE.exec(rest)) : null;
      if (block !== null) {
        text += tag("pre", plain(block[2] ?? ""));
        at += block[0].length;
      } else if (quote !== null) {
        const inside = quote[1] ?? quote[0].replaceAll(/^ *> ?/gm, "");
        text += tag("blockquote", read(inside, true));
        at += quote[0].length;
      } else if (isLineStart && LINE.test(rest)) {
        at += LINE.exec(rest)?.[0].length ?? 0;
      } else {
        const [length, seen] = inlineAt(rest);
        text += seen;
        at += length;
      }
    }
    return text;
  }

  function inlineAt(rest: string): readonly [number, string] {
    for (const [rule, see] of RULES) {
      const match = rule.exec(rest);
      if (match !== null) return [match[0].length, see(match, reader)];
    }
    // Words are read as a whole, up to a sign or an address.
    const words = /^[0-9A-Za-z\s\u00c0-\uffff]+?(?=[^0-9A-Za-z\s\u00c0-\uffff]|\n|\w+:\S|$)/.exec(rest)?.[0];
    const taken = words ?? rest.slice(0, 1);
    return [taken.length, plain(taken)];
  }

  return { text: read(markdown, true), mentions, links };
}
