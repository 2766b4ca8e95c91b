import { makeVisible } from "@deputy/kit";
import { type LogItem, readEvent, readPlanCard, type StoredEvent } from "@deputy/protocol";
import type { OpenedConversation } from "@deputy/client";
import type { Chat } from "../chat/chat.ts";
import type { ChatBlock } from "../chat/chat-block.ts";
import { formatSpend } from "../chat/spend-meter.ts";
import type { Styles } from "../show/styles.ts";
import { type BlockLayout, blockLines, liveCallLine, proseLines } from "./block-lines.ts";
import type { CallChooser } from "./choose-calls.ts";
import type { Drawing, ScreenDocument } from "./screen.ts";
import { cutLine, wrapLine } from "./wrap.ts";

export const DOCUMENT_START: DocumentStart = { carried: [], block: 0, text: { lines: 0, says: "" } };

/** The parts of a chat on the screen: everything that happened, current work, and a status. */
export interface ChatDocument extends ScreenDocument {
  begin(opened: OpenedConversation): void;
  item(item: LogItem, blocks: readonly ChatBlock[], when: "past" | "now"): void;
  add(block: ChatBlock): void;
  toggleDetails(): void;
}

/** How many blocks of a continued session are shown, and how many of a long chat are kept. */
const SPINNER = ["◐", "◓", "◑", "◒"] as const;
const PAST_BLOCKS = 30;

const MOST_BLOCKS = 2_000;

const DROPPED_AT_ONCE = 500;

/** Lines of blocks, as long as they are laid out the same way. */
interface Drawn {
  readonly width: number;
  readonly details: BlockLayout["details"];
  readonly lines: WeakMap<ChatBlock, readonly string[]>;
}

export function createChatDocument(deps: {
  readonly styles: Styles;
  readonly now: () => number;
  readonly chat: () => Chat;
  /** While calls of the question are chosen. */
  readonly chooser: () => CallChooser | undefined;
}): ChatDocument {
  const { styles } = deps;
  let details: BlockLayout["details"] = "short";
  let blocks: ChatBlock[] = [];
  let dropped = 0;
  let past: PastBlock[] = [];
  /** Said while the answer above it is being written; in its place once that is whole. */
  let below: ChatBlock[] = [];
  let openedAtSeq = 0;
  let start: DocumentStart = DOCUMENT_START;
  /** For messages that have scrolled out in part: how many of their lines. */
  let above = new WeakMap<ChatBlock, number>();
  let drawn: Drawn = { width: 0, details, lines: new WeakMap() };

  /** The text that was being written may have become one of these. */
  const settleText = (more: readonly ChatBlock[]): void => {
    const block = more.find((one) => linesAbove(one, start) > 0);
    if (block === undefined) return;
    above.set(block, linesAbove(block, start));
    drawn.lines.delete(block);
    start = { ...start, text: DOCUMENT_START.text };
  };
  const add = (...more: readonly ChatBlock[]): void => {
    settleText(more);
    blocks.push(...more);
    if (blocks.length <= MOST_BLOCKS) return;
    blocks = blocks.slice(DROPPED_AT_ONCE);
    dropped += DROPPED_AT_ONCE;
    start = { ...start, block: Math.max(start.block - DROPPED_AT_ONCE, 0) };
  };
  const takeNow = (more: readonly ChatBlock[]): void => {
    const isWriting = deps.chat().live().text !== "";
    if (isWriting && more.every(({ kind }) => kind === "user")) {
      below.push(...more);
      return;
    }
    add(...more);
    if (isWriting) return;
    add(...below);
    below = [];
  };
  const linesOf = (block: ChatBlock, layout: BlockLayout): readonly string[] => {
    const known = drawn.lines.get(block);
    if (known !== undefined) return known;
    const hidden = above.get(block) ?? 0;
    const lines =
      block.kind === "assistant" && hidden > 0
        ? proseLines(block.text, layout).slice(hidden).flat()
        : blockLines(block, layout);
    drawn.lines.set(block, lines);
    return lines;
  };
  const settledParts = (layout: BlockLayout): readonly DrawnPart[] => {
    const { width } = layout;
    if (drawn.width !== width || drawn.details !== details) drawn = { width, details, lines: new WeakMap() };
    const { text } = start;
    const carried = start.carried.flatMap((line) => wrapLine(line, width));
    return [
      { lines: carried, next: { block: start.block, text } },
      ...blocks.slice(start.block).map((block, n) => ({
        lines: linesOf(block, layout),
        next: { block: start.block + n + 1, text },
      })),
    ];
  };
  /** But for its last line, which is still being written: that cannot scroll out for good. */
  const textParts = (text: string, layout: BlockLayout): readonly DrawnPart[] => {
    const block = blocks.length;
    const hidden = isOf(text, start.text) ? start.text.lines : 0;
    const prose = proseLines(text, layout).slice(hidden, -1);
    const says = text.slice(0, text.lastIndexOf("\n") + 1);
    const first = { lines: hidden > 0 ? [] : [""], next: { block, text: { lines: hidden, says } } };
    return [
      first,
      ...prose.map((lines, n) => ({ lines, next: { block, text: { lines: hidden + n + 1, says } } })),
    ];
  };
  const liveLines = (text: string, layout: BlockLayout): readonly string[] => {
    const chat = deps.chat();
    const asks = chat.asks();
    return [
      ...(text === "" ? [] : (proseLines(text, layout).at(-1) ?? [])),
      ...below.flatMap((block) => blockLines(block, layout)),
      ...chat.live().calls.map((call) => liveCallLine(call, deps.now(), layout)),
      ...(deps.chooser()?.lines(styles, layout.width) ?? []),
      ...(asks === undefined ? [] : wrapLine(styles.question(asks), layout.width, "")),
    ];
  };

  let busySinceMs: number | undefined;
  /** It turns with the seconds: faster would only cost. */
  const workingFor = (nowMs: number): string => {
    busySinceMs ??= nowMs;
    const seconds = Math.max(Math.floor((nowMs - busySinceMs) / 1_000), 0);
    const time = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
    return `${SPINNER[seconds % SPINNER.length]} working ${time}, Ctrl-C stops`;
  };

  const stateOf = (chat: Chat): string => {
    // The time that the user takes to think is no work.
    const isWorking = chat.isBusy() && chat.question() === undefined;
    if (isWorking) return workingFor(deps.now());
    busySinceMs = undefined;
    if (!chat.isBusy()) return "/help";
    const question = chat.question();
    const isPlan = question !== undefined && readPlanCard(question) !== undefined;
    return `waits for your answer, ${isPlan ? "↓ chooses calls, " : ""}Ctrl-C stops`;
  };

  return {
    begin({ conversation, greeting }) {
      openedAtSeq = conversation.openedAtSeq;
      past = [];
      below = [];
      if (greeting !== undefined) add({ kind: "note", text: greeting });
    },
    item(item, more, when) {
      if (item.kind !== "event") return;
      if (when === "now") {
        takeNow(more);
        return;
      }
      const { seq } = item.event;
      past = afterAnswer(item.event, [...past, ...more.map((block) => ({ block, seq }))]);
      if (seq < openedAtSeq) return;
      add(...past.slice(-PAST_BLOCKS).map(({ block }) => block));
      past = [];
    },
    add: (block) => add(block),
    toggleDetails() {
      details = details === "short" ? "whole" : "short";
    },
    draw(width): Drawing {
      const layout = { width, styles, details };
      const { text } = deps.chat().live();
      const parts = [...settledParts(layout), ...(text === "" ? [] : textParts(text, layout))];
      const began = { start, dropped };
      return {
        lines: [...parts.flatMap(({ lines }) => lines), ...liveLines(text, layout)],
        beginAfter(count) {
          const { block, ...rest } = startAfter(parts, count, began.start);
          start = { ...rest, block: Math.max(block - (dropped - began.dropped), 0) };
          settleText(blocks.slice(start.block));
        },
      };
    },
    beginAnew() {
      start = DOCUMENT_START;
      above = new WeakMap();
      drawn = { ...drawn, lines: new WeakMap() };
    },
    status(width) {
      const chat = deps.chat();
      const state = stateOf(chat);
      const { key } = chat.conversation().session;
      const { unasked } = chat.live();
      return [
        ...(unasked.length === 0
          ? []
          : [
              cutLine(
                styles.bad(`! whatever the values: ${makeVisible(unasked.join(", "))} · /grants, /revoke`),
                width,
              ),
            ]),
        cutLine(styles.soft(`${state} · ${formatSpend(chat.spend())} · ${key}`), width),
      ];
    },
  };
}

interface PastBlock {
  readonly block: ChatBlock;
  readonly seq: number;
}

/** What was said while the model was writing this answer, which it had not read, goes below it. */
function afterAnswer(event: StoredEvent, blocks: PastBlock[]): PastBlock[] {
  const read = readEvent(event);
  if (read.kind !== "known") return blocks;
  const { type, data } = read.event;
  const answer = type === "assistant.message" || type === "cell.submitted" ? data.answer : undefined;
  if (answer === undefined) return blocks;
  const isLate = ({ block, seq }: PastBlock): boolean => block.kind === "user" && seq > answer.throughSeq;
  return [...blocks.filter((one) => !isLate(one)), ...blocks.filter(isLate)];
}

/**
 * Where a document that is drawn begins. What stands above has scrolled out of the window: it is the
 * terminal's, as it was drawn, and is not drawn again.
 */
export interface DocumentStart {
  /** What is left of the line or block that scrolled out in part, as it was drawn. */
  readonly carried: readonly string[];
  /** The first block that is drawn. */
  readonly block: number;
  /** Of the text that is being written: how many of its lines are above, and what they say. */
  readonly text: { readonly lines: number; readonly says: string };
}

/** A piece of a drawn document, and where the document begins once this piece has scrolled out. */
export interface DrawnPart {
  readonly lines: readonly string[];
  readonly next: Omit<DocumentStart, "carried">;
}

/** The start that leaves out the first `count` lines; at most all parts. */
export function startAfter(parts: readonly DrawnPart[], count: number, now: DocumentStart): DocumentStart {
  let left = count;
  let start = now;
  for (const { lines, next } of parts) {
    if (left <= 0) break;
    start = { ...next, carried: lines.slice(left) };
    left -= lines.length;
  }
  return start;
}

/** How many lines of a message were above when it was still being written. */
export function linesAbove(block: ChatBlock, { text }: DocumentStart): number {
  return block.kind === "assistant" && isOf(block.text, text) ? text.lines : 0;
}

/** False for another text, such as that of an answer which was begun anew. */
export function isOf(text: string, above: DocumentStart["text"]): boolean {
  return above.lines > 0 && text.startsWith(above.says);
}
