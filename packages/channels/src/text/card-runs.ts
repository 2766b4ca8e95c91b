import { type ApprovalCard, type CardCall, type CardGroup, type CardPart, numbersOf } from "@deputy/protocol";
import type { Run, Style } from "./styled-text.ts";

/** What stands in one line. A text of several lines is a line by itself. */
type Line = readonly Run[];

const MARKS = { destroys: "⚠ can destroy", sends: "⚠ sends", differs: "⚠ differs" } as const;
/** Values that are longer have a line of their own. */
const LONGEST_INLINE = 60;

/**
 * A card as people read it in a chat; `lead` stands before its title. What begins a line in bold is the card's own.
 * Foreign text is never bold but in the title: values are code, texts of several lines are quotes or blocks. So no text
 * can pass for a line of the card, wherever a screen breaks it.
 */
export function cardRuns(card: ApprovalCard, lead: string): readonly Run[] {
  const [only, ...others] = card.groups;
  const isOne = only !== undefined && others.length === 0;
  const isSingle = isOne && only.count === 1 && only.calls[0]?.callId === undefined;
  const lines = [
    [own(`${lead} ${card.title}`)],
    ...whoLines(card, isOne ? only : undefined),
    ...(isSingle ? partLines(only.calls[0]?.parts ?? []) : []),
    ...(isOne && !isSingle ? groupLines(only) : []),
    ...(isOne ? [] : card.groups.flatMap((group) => [headOf(group), ...groupLines(group)])),
    ...(card.why.length === 0 ? [] : [[own("Why you are asked: "), plain(card.why.join(" "), "italic")]]),
    ...onceLines(card),
    ...(card.later === undefined
      ? []
      : [[own(`Calls that depend on results are asked about later: ${card.later} more.`)]]),
  ];
  return joined(lines, "\n").filter(({ text }) => text !== "");
}

/** The tool, where there is only one, and what the user asked for. */
function whoLines({ prompt }: ApprovalCard, group: CardGroup | undefined): readonly Line[] {
  const told = [
    ...(group === undefined ? [] : [labelOf(group)]),
    ...(prompt === undefined ? [] : [[plain("asked by "), plain(`“${prompt}”`, "italic")]]),
  ];
  return told.length === 0 ? [] : [joined(told, " · ")];
}

/** What a plain yes means for tools that ask once. */
function onceLines({ askOnce = [], scope, sameOnly }: ApprovalCard): readonly Line[] {
  if (askOnce.length === 0) return [];
  const same = sameOnly === true ? ", for the very same" : "";
  const any = scope === "session-any" ? ", whatever the values" : same;
  const words = `Yes is for this conversation${any}: `;
  return [[own(words), value(askOnce.join(", ")), own(askOnce.length === 1 ? " asks once." : " ask once.")]];
}

function headOf(group: CardGroup): Line {
  return [own(`${group.count} × `), ...labelOf(group)];
}

function labelOf({ toolPath, mark }: CardGroup): Line {
  return mark === undefined ? [value(toolPath)] : [value(toolPath), plain(" "), own(MARKS[mark])];
}

function groupLines({ same, listed, calls, folded }: CardGroup): readonly Line[] {
  const [short, long] = [same.filter(isInline), same.filter((part) => !isInline(part))];
  const said = [
    ...short.map(inline),
    ...(listed === undefined ? [] : [[plain(`each line: ${listed.join(", ")}`)]]),
  ];
  return [
    ...calls.flatMap(callLines),
    ...(folded === undefined
      ? []
      : [
          [
            own(`${numbersOf(folded.calls)}. `),
            plain(`${folded.calls.length} more, all alike; ${folded.text}`),
          ],
        ]),
    ...(said.length === 0 && long.length === 0 ? [] : [[own("All of them: "), ...joined(said, " · ")]]),
    ...partLines(long),
  ];
}

function callLines({ number, title, parts }: CardCall): readonly Line[] {
  const inlined =
    parts.length > 0 && parts.every(isInline) ? [joined(parts.map(inline), " · ")] : partLines(parts);
  return [[own(`${number}. `), plain(title)], ...inlined];
}

/** True for a value that can stand among others in one line. */
function isInline({ kind, text, row }: CardPart): boolean {
  return kind === "value" && row === undefined && text.length <= LONGEST_INLINE && !text.includes("\n");
}

function inline({ name = "", text }: CardPart): Line {
  return [plain(`${name}: `), value(text)];
}

function joined(lines: readonly Line[], between: string): Line {
  const runs: Run[] = [];
  for (const [at, line] of lines.entries()) runs.push(...(at === 0 ? [] : [plain(between)]), ...line);
  return runs;
}

function partLines(parts: readonly CardPart[]): readonly Line[] {
  return parts.flatMap(({ kind, name = "", text, row }): readonly Line[] => {
    const stands = row === undefined ? [] : [[own("↳ "), plain(`in ${row.source}: `), value(row.text)]];
    if (kind === "value" && !text.includes("\n")) return [[plain(`${name}: `), value(text)], ...stands];
    const head = name === "" ? [] : [[plain(`${kind === "contents" ? "runs " : ""}${name}:`)]];
    return [...head, ...stands, [{ text: text.replace(/\n$/, ""), styles: [BLOCKS[kind]] }]];
  });
}

const BLOCKS: Readonly<Record<CardPart["kind"], Style>> = {
  value: { kind: "block", language: "" },
  words: { kind: "quote" },
  diff: { kind: "block", language: "diff" },
  contents: { kind: "block", language: "" },
};

function own(text: string): Run {
  return { text, styles: [{ kind: "bold" }] };
}

function value(text: string): Run {
  return { text, styles: [{ kind: "code" }] };
}

function plain(text: string, style?: "italic"): Run {
  return { text, styles: style === undefined ? [] : [{ kind: style }] };
}
