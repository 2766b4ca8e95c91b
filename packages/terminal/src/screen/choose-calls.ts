import { type CardCall, projectCard, readPlanCard } from "@deputy/protocol";
import type { ApprovalRequest } from "../chat/chat-block.ts";
import type { Styles } from "../show/styles.ts";
import { cutLine, wrapLine } from "./wrap.ts";

export type ChooseKey = "up" | "down" | "mark" | "all" | "open" | "close" | "enter" | "leave";

/** Choosing calls of a plan with keys. Nothing is marked at first, so that Enter alone approves nothing. */
export interface CallChooser {
  /** The question it is for. */
  readonly id: ApprovalRequest["id"];
  press(key: Exclude<ChooseKey, "enter" | "leave">): void;
  /** The marked calls as an answer that could have been typed, such as `1,3-5`; undefined for none. */
  answer(): string | undefined;
  lines(styles: Styles, width: number): readonly string[];
}

/** So many rows are shown at once. */
const MOST_ROWS = 10;
const HELP = "space marks, a all, ↑↓ move, → unfolds, ← folds, Esc leaves";

type Row =
  | { readonly kind: "call"; readonly call: CardCall; readonly group: number; readonly isInner: boolean }
  | { readonly kind: "folded"; readonly calls: readonly CardCall[]; readonly group: number };

/** Undefined where there are no calls to choose from. */
export function createCallChooser(request: ApprovalRequest): CallChooser | undefined {
  const plan = readPlanCard(request);
  if (plan === undefined) return undefined;
  const { groups } = request.card ?? projectCard(request);
  const marked = new Set<number>();
  const opened = new Set<number>();
  let at = 0;

  const rows = (): readonly Row[] => {
    const all: Row[] = [];
    for (const [group, { calls, folded }] of groups.entries()) {
      for (const call of calls) all.push({ kind: "call", call, group, isInner: false });
      const more = folded?.calls ?? [];
      if (opened.has(group)) for (const call of more) all.push({ kind: "call", call, group, isInner: true });
      else if (more.length > 0) all.push({ kind: "folded", calls: more, group });
    }
    return all;
  };
  const numbersOf = (row: Row): readonly number[] =>
    row.kind === "call" ? [row.call.number] : row.calls.map(({ number }) => number);
  const mark = (numbers: readonly number[]): void => {
    const isAll = numbers.every((number) => marked.has(number));
    for (const number of numbers) {
      if (isAll) marked.delete(number);
      else marked.add(number);
    }
  };
  const fold = (key: "open" | "close"): void => {
    const row = rows()[at];
    if (row === undefined) return;
    if (key === "open" && row.kind === "folded") opened.add(row.group);
    if (key !== "close" || row.kind !== "call" || !row.isInner) return;
    opened.delete(row.group);
    at = rows().findIndex((other) => other.kind === "folded" && other.group === row.group);
  };
  const showRow = (row: Row, isHere: boolean, styles: Styles): string => {
    const numbers = numbersOf(row);
    const count = numbers.filter((number) => marked.has(number)).length;
    const box = count === 0 ? "[ ]" : count === numbers.length ? "[x]" : "[~]";
    const text =
      row.kind === "call"
        ? `${row.call.number}. ${row.call.title}`
        : `${ranges(numbers)}. ${numbers.length} more, all alike`;
    const line = `${isHere ? "❯" : " "} ${box} ${text}`;
    return isHere ? styles.strong(line) : line;
  };

  return {
    id: request.id,
    press(key) {
      const all = rows();
      const row = all[at];
      if (key === "up") at = Math.max(at - 1, 0);
      else if (key === "down") at = Math.min(at + 1, all.length - 1);
      else if (key === "all") mark(all.flatMap(numbersOf));
      else if (key === "mark" && row !== undefined) mark(numbersOf(row));
      else if (key === "open" || key === "close") fold(key);
    },
    answer: () =>
      marked.size === 0 ? undefined : ranges([...marked].sort((a, b) => a - b)).replaceAll(" ", ""),
    lines(styles, width) {
      const all = rows();
      const first = Math.max(Math.min(at - Math.floor(MOST_ROWS / 2), all.length - MOST_ROWS), 0);
      const shown = all.slice(first, first + MOST_ROWS);
      const left = all.length - shown.length;
      const enter =
        marked.size === 0 ? "none is marked" : `Enter approves ${marked.size} of ${plan.calls.length}`;
      const more = left === 0 ? "" : `; ${left} more ${left === 1 ? "row" : "rows"}`;
      return [
        ...shown.map((row, n) => cutLine(showRow(row, first + n === at, styles), width)),
        ...wrapLine(styles.soft(`  ${enter}${more}; ${HELP}`), width, "  "),
      ];
    },
  };
}

/** `4-17`, `4, 6-9`, for numbers in order. */
function ranges(numbers: readonly number[]): string {
  const found: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last?.to === number - 1) last.to = number;
    else found.push({ from: number, to: number });
  }
  return found.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(", ");
}
