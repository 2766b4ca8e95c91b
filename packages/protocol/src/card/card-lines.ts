import type { ApprovalCard, CardCall, CardGroup, CardPart } from "../wire/approval-card.ts";
import { quoted } from "./group-lines.ts";

/** One line of a card as text, and what it is, for clients that have colours. */
export interface CardLine {
  readonly text: string;
  readonly style?: "question" | "warning" | "added" | "removed" | "soft";
}

const MARKS = { destroys: "can destroy", sends: "sends", differs: "differs" } as const;
/** Where it is not known how wide the screen is. */
const USUAL_WIDTH = 100;
const LEAST_WIDTH = 20;
/** Values that are longer have a line of their own. */
const LONGEST_INLINE = 60;

/**
 * A card in lines of at most `width` columns. What a line begins with is the card's own: every line of foreign text
 * that has several is set off by a bar (`│`), and so is whatever goes on from the line before (`┊`). So no text can
 * pass for a line of the card, also where a screen breaks it.
 */
export function cardLines(card: ApprovalCard, width = USUAL_WIDTH): readonly CardLine[] {
  const [only, ...others] = card.groups;
  const isOne = only !== undefined && others.length === 0;
  const isSingle = isOne && only.count === 1 && only.calls[0]?.callId === undefined;
  const lines: readonly CardLine[] = [
    { text: `? ${card.title}`, style: "question" as const },
    ...whoLines(card, isOne ? only : undefined),
    ...(isSingle ? partLines(only.calls[0]?.parts ?? [], "    ") : []),
    ...(isOne && !isSingle ? groupLines(only, "  ") : []),
    ...(isOne ? [] : card.groups.flatMap((group) => [headOf(group), ...groupLines(group, "    ")])),
    ...(card.why.length === 0
      ? []
      : [{ text: `  Why you are asked: ${card.why.join(" ")}`, style: "soft" as const }]),
    ...onceLines(card),
    ...(card.later === undefined
      ? []
      : [{ text: `  Calls that depend on results are asked about later: ${card.later} more.` }]),
  ];
  return wrapCardLines(lines, width);
}

/** Lines as those of a card: where one is broken, what goes on from it is set off. */
export function wrapCardLines(lines: readonly CardLine[], width = USUAL_WIDTH): readonly CardLine[] {
  return lines.flatMap((line) => wrap(line, Math.max(width, LEAST_WIDTH)));
}

/** The tool, where there is only one, and what the user asked for. */
function whoLines({ prompt }: ApprovalCard, group: CardGroup | undefined): readonly CardLine[] {
  const told = [
    ...(group === undefined ? [] : [labelOf(group)]),
    ...(prompt === undefined ? [] : [`asked by “${prompt}”`]),
  ].join(" · ");
  if (told === "") return [];
  return [{ text: `  ${told}`, style: group?.mark === undefined ? "soft" : "warning" }];
}

/** What a plain yes means for tools that ask once. */
function onceLines({ askOnce = [], scope, sameOnly }: ApprovalCard): readonly CardLine[] {
  if (askOnce.length === 0) return [];
  const same = sameOnly === true ? ", for the very same" : "";
  const any = scope === "session-any" ? ", whatever the values" : same;
  return [
    {
      text: `  Yes is for this conversation${any}: ${askOnce.join(", ")} ${askOnce.length === 1 ? "asks" : "ask"} once.`,
    },
  ];
}

function headOf(group: CardGroup): CardLine {
  const style = group.mark === undefined ? "question" : "warning";
  return { text: `  ${group.count} × ${labelOf(group)}`, style };
}

function labelOf({ toolPath, mark }: CardGroup): string {
  return mark === undefined ? toolPath : `${toolPath}, ${MARKS[mark]}`;
}

function groupLines({ same, listed, calls, folded }: CardGroup, indent: string): readonly CardLine[] {
  const [short, long] = [same.filter(isInline), same.filter((part) => !isInline(part))];
  const said = [
    ...short.map(inline),
    ...(listed === undefined ? [] : [`each line: ${listed.join(", ")}`]),
  ].join(" · ");
  return [
    ...calls.flatMap((call) => callLines(call, indent)),
    ...(folded === undefined
      ? []
      : [
          {
            text: `${indent}${numbersOf(folded.calls)}. ${folded.calls.length} more, all alike; ${folded.text}`,
          },
        ]),
    ...(said === "" && long.length === 0
      ? []
      : [{ text: `${indent}all of them:${said === "" ? "" : ` ${said}`}`, style: "soft" as const }]),
    ...partLines(long, `${indent}  `),
  ];
}

function callLines({ number, title, parts }: CardCall, indent: string): readonly CardLine[] {
  const below = " ".repeat(indent.length + `${number}. `.length);
  const inlined = parts.every(isInline) ? parts.map(inline).join(" · ") : "";
  return [
    { text: `${indent}${number}. ${title}` },
    ...(inlined === "" ? partLines(parts, below) : [{ text: `${below}${inlined}` }]),
  ];
}

/** True for a value that can stand among others in one line. */
function isInline({ kind, text, row }: CardPart): boolean {
  return kind === "value" && row === undefined && text.length <= LONGEST_INLINE && !text.includes("\n");
}

function inline({ name = "", text }: CardPart): string {
  return `${name}: ${quoted(text)}`;
}

function partLines(parts: readonly CardPart[], indent: string): readonly CardLine[] {
  return parts.flatMap(({ kind, name, text, row }) => {
    const stands: readonly CardLine[] =
      row === undefined ? [] : [{ text: `${indent}  ↳ in ${row.source}: ${row.text}`, style: "soft" }];
    const isBlock = kind !== "value" || text.includes("\n");
    if (!isBlock) return [{ text: `${indent}${name}: ${text}` }, ...stands];
    const head =
      name === undefined ? [] : [{ text: `${indent}${kind === "contents" ? "runs " : ""}${name}:` }];
    const body = text.replace(/\n$/, "").split("\n");
    return [
      ...head,
      ...stands,
      ...body.map((line): CardLine => toLine(`${indent}│ ${line}`, styleOf(kind, line))),
    ];
  });
}

function toLine(text: string, style: CardLine["style"]): CardLine {
  return style === undefined ? { text } : { text, style };
}

function styleOf(kind: CardPart["kind"], line: string): CardLine["style"] {
  if (kind === "words") return "soft";
  if (kind !== "diff") return undefined;
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : undefined;
}

/** The line in pieces that fit, broken at blanks where that is possible. */
function wrap({ text, style }: CardLine, width: number): readonly CardLine[] {
  const [indent = ""] = /^ {0,10}/.exec(text) ?? [];
  const lines: CardLine[] = [];
  for (let rest = text; rest !== "";) {
    const shown = lines.length === 0 ? rest : `${indent}┊ ${rest}`;
    const fits = fitting(shown, width);
    const isLast = fits === shown.length;
    const blank = shown.lastIndexOf(" ", fits);
    const least = indent.length + (lines.length === 0 ? 2 : 4);
    const end = isLast || blank <= Math.max(least, fits / 2) ? fits : blank + 1;
    lines.push(toLine(isLast ? shown : shown.slice(0, end).trimEnd(), style));
    rest = isLast ? "" : shown.slice(end);
  }
  return lines.length === 0 ? [toLine(text, style)] : lines;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}|[\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;
const TAB_COLUMNS = 8;

/** How many code units of a line fit into so many columns; at least one character does. */
function fitting(line: string, width: number): number {
  let columns = 0;
  let units = 0;
  for (const char of line) {
    columns += char === "\t" ? TAB_COLUMNS : WIDE.test(char) ? 2 : 1;
    if (columns > width && units > 0) return units;
    units += char.length;
  }
  return units;
}

/** `4-17`, `4, 6-9`. */
export function numbersOf(calls: readonly CardCall[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const { number } of calls) {
    const last = ranges.at(-1);
    if (last?.to === number - 1) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(", ");
}
