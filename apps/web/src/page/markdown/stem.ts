import type { Token, Tokens } from "marked";
import { quoteStem } from "./quote-stem.ts";

/**
 * The first part of a long block that is still being written: no later text can change it. Only the rest is read again
 * with each piece, and the objects of the stem stay the same, so nothing of it is drawn again.
 */
export interface Stem {
  /** As it stands in the text. */
  readonly raw: string;
  /** Written before the rest, it makes a block of the same kind of it. */
  readonly lead: string;
  /** The whole block, from what lead and rest are together; undefined if that is another block than it seemed. */
  join(rest: Token): Token | undefined;
  /** The longest stem of the same block. */
  grow(rest: Token): Stem;
}

/** Shorter paragraphs are read quickly as they are. */
const LEAST_CHARS = 400;

export const NO_STEM: Stem = {
  raw: "",
  lead: "",
  join: (rest) => rest,
  grow(block) {
    const stem = begin(block);
    return stem.raw === "" || stem.raw === stem.lead ? NO_STEM : stem;
  },
};

function begin(block: Token): Stem {
  if (block.type === "list") return beginList(block as Tokens.List);
  if (block.type === "table") return beginTable(block as Tokens.Table);
  if (block.type === "blockquote")
    return quoteStem({ raw: "", done: [], inner: NO_STEM, none: NO_STEM }).grow(block);
  return block.type === "paragraph" ? paragraphStem("", []).grow(block) : NO_STEM;
}

const BEFORE_ITEM = /^ {0,3}(?:[*+-]|\d{1,9}[.)]) {1,4}/;
const MARKER = /^ {0,3}(?:([*+-])|\d{1,9}([.)]))/;

function beginList(list: Tokens.List): Stem {
  const [, bullet, dot] = MARKER.exec(list.raw) ?? [];
  const mark = bullet ?? `1${dot ?? "."}`;
  return listStem({ mark, start: list.start, raw: "", items: [], isLoose: false, asLoose: list.loose }).grow(
    list,
  );
}

/** All items but the last two: one that is being written can still turn out to be a part of the one before. */
function listStem(begun: {
  readonly mark: string;
  readonly start: Tokens.List["start"];
  readonly raw: string;
  readonly items: readonly Tokens.ListItem[];
  /** Its items alone make the list a loose one. */
  readonly isLoose: boolean;
  /** They were read as items of a loose list. */
  readonly asLoose: boolean;
}): Stem {
  // An item with a blank line after it makes the rest loose too. It stands as far in as the last one.
  const marker = BEFORE_ITEM.exec(begun.items.at(-1)?.raw ?? "")?.[0] ?? `${begun.mark} `;
  const lead = begun.isLoose ? `${marker}x\n\n` : "";
  const ownItems = (rest: Token): readonly Tokens.ListItem[] =>
    (rest as Tokens.List).items.slice(lead === "" ? 0 : 1);
  const isSame = (rest: Token): boolean =>
    rest.type === "list" &&
    !ownItems(rest).some(hasStrayBox) &&
    (rest as Tokens.List).loose === begun.asLoose &&
    (MARKER.exec(rest.raw)?.slice(1).join("") ?? "") === begun.mark.replace("1", "") &&
    ownItems(rest).length > 0;
  const stem: Stem = {
    raw: begun.raw,
    lead,
    join(rest) {
      if (!isSame(rest)) return undefined;
      const items = [...begun.items, ...ownItems(rest)];
      return { ...rest, start: begun.start, items, raw: begun.raw + rest.raw.slice(lead.length) };
    },
    grow(rest) {
      const more = isSame(rest) ? ownItems(rest).slice(0, -2) : [];
      if (more.length === 0) return stem;
      return listStem({
        ...begun,
        raw: begun.raw + more.map(({ raw }) => raw).join(""),
        items: [...begun.items, ...more],
        isLoose: begun.isLoose || more.some(makesLoose),
      });
    },
  };
  return stem;
}

const BOX = /^\[[ xX]\] +\S/;

/**
 * It begins with a box that is none of a task's. Marked takes the boxes away from the end of the whole list, so that
 * with such a one what it makes of the others depends on how long the list is.
 */
function hasStrayBox(token: Token): boolean {
  const {
    text = "",
    tokens = [],
    items = [],
  } = token as {
    readonly text?: string;
    readonly tokens?: readonly Token[];
    readonly items?: readonly Token[];
  };
  const isOwn = token.type === "list_item" || tokens[0]?.type === "checkbox";
  return (BOX.test(text) && !isOwn) || [...tokens, ...items].some(hasStrayBox);
}

function makesLoose({ raw, tokens }: Tokens.ListItem): boolean {
  return (
    /\n[ \t]*\n[ \t]*$/.test(raw) ||
    tokens.some((token) => token.type === "space" && /\n.*\n/.test(token.raw))
  );
}

function beginTable(table: Tokens.Table): Stem {
  const head = /^.*\n.*\n/.exec(table.raw)?.[0];
  return head === undefined ? NO_STEM : tableStem(head, table.header, head, []).grow(table);
}

/** All rows but the one that is being written. */
function tableStem(
  head: string,
  header: Tokens.Table["header"],
  raw: string,
  rows: Tokens.Table["rows"],
): Stem {
  const stem: Stem = {
    raw,
    lead: head,
    join: (rest) =>
      rest.type === "table"
        ? {
            ...rest,
            header,
            rows: [...rows, ...(rest as Tokens.Table).rows],
            raw: raw + rest.raw.slice(head.length),
          }
        : undefined,
    grow(rest) {
      const more = (rest as Tokens.Table).rows.slice(0, -1);
      if (more.length === 0) return stem;
      const lines = rest.raw.slice(head.length).split("\n").slice(0, more.length);
      return tableStem(head, header, `${raw}${lines.join("\n")}\n`, [...rows, ...more]);
    },
  };
  return stem;
}

/** What is before a word, if all marks before it are closed. Each part of it is one token of tokens. */
function paragraphStem(raw: string, parts: readonly Token[]): Stem {
  // In the middle of a line, whatever the rest begins with is only text.
  const lead = raw === "" ? "" : "x ";
  const ownTokens = (rest: Token): readonly Token[] | undefined => {
    const tokens = (rest as Tokens.Paragraph).tokens;
    const [first] = tokens;
    if (rest.type !== "paragraph" || (lead !== "" && first?.type !== "text")) return undefined;
    if (lead === "" || first === undefined) return tokens;
    const own = { ...first, raw: first.raw.slice(lead.length), text: first.raw.slice(lead.length) };
    return own.raw === "" ? tokens.slice(1) : [own, ...tokens.slice(1)];
  };
  const stem: Stem = {
    raw,
    lead,
    join(rest) {
      const tokens = ownTokens(rest);
      if (tokens === undefined) return undefined;
      const whole = raw + rest.raw.slice(lead.length);
      if (parts.length === 0) return rest;
      // It stands where it will stand as a part, so that nothing of it is drawn again when it becomes one.
      const tail = partOf(tokens);
      return { ...rest, raw: whole, text: whole, tokens: [...parts, tail] };
    },
    grow(rest) {
      if (rest.raw.length < 2 * LEAST_CHARS) return stem;
      const part = closedPart(ownTokens(rest) ?? []);
      if (part === undefined) return stem;
      return paragraphStem(raw + part.raw, [...parts, part]);
    },
  };
  return stem;
}

/** Up to the last word that stands in the middle of a line, as one token. */
function closedPart(tokens: readonly Token[]): Tokens.Text | undefined {
  const open = tokens.findIndex((token) => !isClosed(token));
  const closed = open < 0 ? tokens : tokens.slice(0, open);
  const at = closed.findLastIndex(({ type, raw }) => type === "text" && LAST_WORD.test(raw));
  const last = closed[at];
  if (last === undefined) return undefined;
  const text = last.raw.slice(0, last.raw.search(LAST_WORD) + 2);
  const part = partOf([...closed.slice(0, at), { type: "text", raw: text, text, escaped: false }]);
  return part.raw.length < LEAST_CHARS ? undefined : part;
}

function partOf(tokens: readonly Token[]): Tokens.Text {
  const raw = tokens.map((token) => token.raw).join("");
  return { type: "text", raw, text: raw, tokens: [...tokens], escaped: false };
}

/** Where a line can be cut: before its last word, or near its end among letters that are written without blanks. */
const LAST_WORD =
  /\S \S+\s*$|[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]{2}(?=[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]{1,8}$)/u;

/** Marks that nothing has closed could be closed by what comes. */
const OPEN_MARK = /[*~`[\]<\\]|(?<!\w)_|_(?!\w)/;

function isClosed(token: Token): boolean {
  switch (token.type) {
    case "text":
      return token.raw === (token as Tokens.Text).text && !OPEN_MARK.test(token.raw);
    case "br":
    case "codespan":
      return true;
    case "strong":
    case "em":
    case "del":
    case "link":
      return (token as Tokens.Strong).tokens.every(isClosed);
    default:
      return false;
  }
}
