import type { Run, Style } from "@deputy/channels";

/**
 * The runs in Discord's Markdown. What people see is the text, whatever it looks like: nothing in it means anything to
 * Discord but the styles, and nothing mentions anybody.
 */
export function discordMarkdown(runs: readonly Run[]): string {
  return partsOf(runs)
    .map((part) => (part.kind === "block" ? blockOf(part) : linesOf(part)))
    .filter((text) => text !== "")
    .join("\n");
}

/** Discord counts what is sent, with its signs. */
export function discordLength(runs: readonly Run[]): number {
  return discordMarkdown(runs).length;
}

interface Block {
  readonly kind: "block";
  readonly isQuoted: boolean;
  readonly language: string;
  text: string;
}
interface Lines {
  readonly kind: "lines";
  readonly isQuoted: boolean;
  readonly runs: Run[];
}

/** Code blocks and quotes begin on lines of their own; between them are ordinary lines. */
function partsOf(runs: readonly Run[]): readonly (Block | Lines)[] {
  const parts: (Block | Lines)[] = [];
  for (const { text, styles } of runs) {
    const isQuoted = styles.some(({ kind }) => kind === "quote");
    const block = styles.find((style) => style.kind === "block");
    const last = parts.at(-1);
    if (block !== undefined) parts.push({ kind: "block", isQuoted, language: block.language, text });
    else if (last?.kind === "lines" && last.isQuoted === isQuoted) last.runs.push({ text, styles });
    else parts.push({ kind: "lines", isQuoted, runs: [{ text, styles }] });
  }
  return parts.map((part, at) =>
    part.kind === "lines" ? trimLines(part, at > 0, at < parts.length - 1) : part,
  );
}

/** A part begins a new line anyway: the line break that is in the text already would be a second one. */
function trimLines({ runs, ...part }: Lines, isAfter: boolean, isBefore: boolean): Lines {
  const kept = runs.map((run) => ({ ...run }));
  const [first] = kept;
  const last = kept.at(-1);
  if (isAfter && first !== undefined) first.text = first.text.replace(/^\n/, "");
  if (isBefore && last !== undefined) last.text = last.text.replace(/\n$/, "");
  return { ...part, runs: kept };
}

const FENCE = "```";
/** Keeps signs apart that would mean something together. People do not see it. */
const APART = "\u200B";

function blockOf({ text, language, isQuoted }: Block): string {
  if (text.trim() === "") return "";
  const inside = signsApart(text).replace(/^\n+|\n+$/g, "");
  const fenced = `${FENCE}${/^[\w+.#-]+$/.test(language) ? language : ""}\n${inside}\n${FENCE}`;
  return isQuoted ? quoted(fenced) : fenced;
}

function linesOf({ runs, isQuoted }: Lines): string {
  const lines: Run[][] = [[]];
  for (const { text, styles } of runs)
    for (const [at, piece] of text.split("\n").entries()) {
      if (at > 0) lines.push([]);
      if (piece !== "") lines.at(-1)?.push({ text: piece, styles: styles.filter(isInline) });
    }
  const written = lines.map(lineOf).join("\n");
  return isQuoted ? quoted(written) : written;
}

function quoted(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}

function isInline({ kind }: Style): boolean {
  return kind !== "quote" && kind !== "block";
}

function lineOf(runs: readonly Run[]): string {
  let line = "";
  for (const run of runs) {
    const written = inlineOf(run, line.trim() === "");
    // Where one style ends and the next begins, their signs would run together.
    const isTight = /[*_~`\]]$/.test(line) && /^[*_~`[]/.test(written);
    line += isTight ? APART + written : written;
  }
  return line;
}

const SIGNS = { bold: "**", italic: "*", strike: "~~" } as const;

/** Signs stand close to the words: blanks at the ends are outside of them. */
function inlineOf({ text, styles }: Run, isFirst: boolean): string {
  const [, before = "", words = "", after = ""] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
  if (words === "") return text;
  const kinds = new Set(styles.map(({ kind }) => kind));
  const link = styles.find((style) => style.kind === "link");
  const inner = kinds.has("code") ? codeOf(words) : escapeText(words, isFirst);
  const linked = link === undefined ? inner : linkOf(words, inner, link.url);
  // Discord finds the end of a style also inside of code.
  const isPlain = kinds.has("code") && /[*~]/.test(words);
  const styled = (["strike", "italic", "bold"] as const)
    .filter((kind) => kinds.has(kind) && !isPlain)
    .reduce((all, kind) => SIGNS[kind] + all + SIGNS[kind], linked);
  return before + styled + after;
}

/** Three signs in a row would begin a block: inside there is never more than one, and a fence of two around it. */
function codeOf(text: string): string {
  const inside = signsApart(text);
  const fence = inside.includes("`") ? "``" : "`";
  const space = inside.startsWith("`") || inside.endsWith("`") ? " " : "";
  return fence + space + inside + space + fence;
}

function signsApart(text: string): string {
  return text.replaceAll(/`(?=`)/g, `\`${APART}`);
}

/** Discord shows no name for an address that itself looks like one: then the address is said. */
function linkOf(words: string, inner: string, url: string): string {
  // Signs in it would end the styles around it.
  const target = url.replaceAll(
    /[<>()\s\\*~]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
  if (!/^https?:/i.test(url)) return inner;
  if (words === url) return `<${target}>`;
  return /:\/\/|^www\./i.test(words) ? `${inner} (<${target}>)` : `[${inner}](<${target}>)`;
}

function escapeText(text: string, isLineStart: boolean): string {
  const escaped = text
    .replaceAll(/[\\`*_~|[\]<@]/g, "\\$&")
    // Without this, addresses would become links and be looked at.
    .replaceAll(/:(?=\/\/)/g, "\\:");
  return isLineStart ? escaped.replace(/^(?:[>#+-]|\d+(?=[.)]))/, escapeStart) : escaped;
}

function escapeStart(sign: string): string {
  return /^\d/.test(sign) ? `${sign}\\` : `\\${sign}`;
}
