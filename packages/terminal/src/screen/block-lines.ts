import { makeVisible } from "@deputy/kit";
import type { ChatBlock, LiveCall } from "../chat/chat-block.ts";
import { describeDecision, showApproval, showCardLines } from "../show/show-approval.ts";
import { indent, type Styles } from "../show/styles.ts";
import { highlightLine } from "../show/highlight-line.ts";
import { markdownLines } from "../show/markdown-lines.ts";
import { cutLine, lineWidth, wrapLine } from "./wrap.ts";

export interface BlockLayout {
  readonly width: number;
  readonly styles: Styles;
  /** `whole` shows programs and calls in full. */
  readonly details: "short" | "whole";
}

const SHORTEST_PATH = 1;
/** With the space before it. */
const LEAST_PREVIEW = 6;
const MARKS = { succeeded: "✓", failed: "✗", denied: "⊘", unknown: "?" } as const;

/** A block as lines that fit. All text in it is made visible here. */
export function blockLines(block: ChatBlock, layout: BlockLayout): readonly string[] {
  const { styles, width } = layout;
  switch (block.kind) {
    case "user":
      return ["", ...wrapAll(indent(makeVisible(block.text), "> "), width, "  ", styles.user)];
    case "assistant":
      return ["", ...proseLines(block.text, layout).flat()];
    case "program":
      return programLines(block.code, layout);
    case "call":
      return callLines(block, layout);
    case "approval":
      return [
        "",
        ...wrapAll(
          showApproval(block.request, styles, block.details ?? layout.details, width),
          width,
          "      ",
        ),
      ];
    case "asks":
      return wrapAll(showCardLines(block.lines, styles, width), width, "      ");
    case "decision":
      return wrapAll(makeVisible(`  ${describeDecision(block)}`), width, "  ", styles.soft);
    case "told":
      return ["", ...wrapAll(makeVisible(block.text), width, "  ", styles.strong)];
    case "note":
      return wrapAll(makeVisible(block.text), width, "  ", styles.soft);
    case "error":
      return wrapAll(`✗ ${makeVisible(block.text)}`, width, "  ", styles.bad);
    default:
      return block satisfies never;
  }
}

/** A model's text as the screen lines of each of its lines. More text changes only the last one, and how a table is set. */
export function proseLines(text: string, { width, styles }: BlockLayout): readonly (readonly string[])[] {
  return markdownLines(makeVisible(text), styles, width).map((line) => wrapLine(line.text, width, line.hang));
}

/** A call that is under way. */
export function liveCallLine(call: LiveCall, nowMs: number, { width, styles }: BlockLayout): string {
  const untilMs = call.waitsSinceMs ?? nowMs;
  const seconds = Math.max(Math.floor((untilMs - call.startedAtMs) / 1_000), 0);
  const progress = call.progress === undefined ? "" : `  ${oneLine(call.progress)}`;
  return cutLine(styles.soft(makeVisible(`… ${call.toolPath}  ${seconds} s${progress}`)), width);
}

function programLines(code: string, { width, styles, details }: BlockLayout): readonly string[] {
  const lines = code.trimEnd().split("\n");
  if (details === "whole")
    return [
      "",
      ...lines.flatMap((line) =>
        wrapLine(`  ${styles.soft("│")} ${highlightLine(makeVisible(line), "ts", styles)}`, width, "    "),
      ),
    ];
  const title = `▸ program, ${lines.length} ${lines.length === 1 ? "line" : "lines"}`;
  const hint = " (Ctrl-O shows it)";
  const fits = title.length + hint.length <= width;
  return ["", cutLine(styles.soft(fits ? title + hint : title), width)];
}

function callLines(block: Extract<ChatBlock, { kind: "call" }>, layout: BlockLayout): readonly string[] {
  const { width, styles, details } = layout;
  const { status, toolPath, durationMs, preview = "", input } = block;
  const style = status === "succeeded" ? styles.good : styles.bad;
  // What was refused did not run.
  const took = status === "denied" && durationMs === 0 ? "" : formatDuration(durationMs);
  // Where there is little room, the path gives way: how long it took is never cut off.
  const path = cutLine(makeVisible(toolPath), Math.max(width - took.length - "✓   ".length, SHORTEST_PATH));
  const head = `${style(MARKS[status])} ${path}${took === "" ? "" : `  ${styles.soft(took)}`}`;
  if (details === "short") {
    const hasRoom = preview !== "" && lineWidth(head) + LEAST_PREVIEW <= width;
    return [cutLine(hasRoom ? `${head}  ${styles.soft(oneLine(preview))}` : head, width)];
  }
  const body = [input === undefined ? "" : `with ${input}`, preview].filter((text) => text !== "");
  return [
    cutLine(head, width),
    ...body.flatMap((text) => wrapAll(indent(makeVisible(text), "    "), width, "    ")),
  ];
}

/** Lines of text that has no styles in it, unless `style` gives it one. */
function wrapAll(
  text: string,
  width: number,
  hang: string,
  style?: (line: string) => string,
): readonly string[] {
  return text.split("\n").flatMap((line) => wrapLine(style === undefined ? line : style(line), width, hang));
}

function oneLine(text: string): string {
  return makeVisible(text).replaceAll(/\s+/g, " ").trim();
}

/** `12 ms`, `3.4 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
