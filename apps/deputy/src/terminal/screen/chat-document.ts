import type { LogItem } from "@deputy/protocol";
import type { Chat } from "../../chat/chat.ts";
import type { ChatBlock } from "../../chat/chat-block.ts";
import type { OpenedConversation } from "../../chat/conversation.ts";
import { formatSpend } from "../../chat/spend-meter.ts";
import { askFor } from "../approver.ts";
import type { Styles } from "../styles.ts";
import { type BlockLayout, blockLines, liveCallLine, proseLines } from "./block-lines.ts";
import { cutLine, wrapLine } from "./wrap.ts";

/** What a chat looks like: everything that happened, what is going on, and a status. */
export interface ChatDocument {
  begin(opened: OpenedConversation): void;
  item(item: LogItem, blocks: readonly ChatBlock[], when: "past" | "now"): void;
  add(block: ChatBlock): void;
  toggleDetails(): void;
  lines(width: number): readonly string[];
  status(width: number): readonly string[];
}

/** Of a session that is gone on with, so much is shown; of a long chat, so much is kept. */
const PAST_BLOCKS = 30;
const MOST_BLOCKS = 2_000;
const DROPPED_AT_ONCE = 500;

/** Lines of the first `count` blocks. */
interface Drawn {
  readonly width: number;
  readonly details: BlockLayout["details"];
  count: number;
  readonly lines: string[];
}

export function createChatDocument(deps: {
  readonly styles: Styles;
  readonly now: () => number;
  readonly chat: () => Chat;
}): ChatDocument {
  const { styles } = deps;
  let details: BlockLayout["details"] = "short";
  let blocks: ChatBlock[] = [];
  let past: ChatBlock[] = [];
  let openedAtSeq = 0;
  let drawn: Drawn = { width: 0, details, count: 0, lines: [] };

  const add = (...more: readonly ChatBlock[]): void => {
    blocks.push(...more);
    if (blocks.length <= MOST_BLOCKS) return;
    blocks = blocks.slice(DROPPED_AT_ONCE);
    drawn = { ...drawn, count: 0, lines: [] };
  };
  const settledLines = (layout: BlockLayout): readonly string[] => {
    const { width } = layout;
    if (drawn.width !== width || drawn.details !== details) drawn = { width, details, count: 0, lines: [] };
    for (const block of blocks.slice(drawn.count)) drawn.lines.push(...blockLines(block, layout));
    drawn.count = blocks.length;
    return drawn.lines;
  };
  const liveLines = (layout: BlockLayout): readonly string[] => {
    const chat = deps.chat();
    const { text, calls } = chat.live();
    const question = chat.question();
    return [
      ...(text === "" ? [] : ["", ...proseLines(text, layout)]),
      ...calls.map((call) => liveCallLine(call, deps.now(), layout)),
      ...(question === undefined ? [] : wrapLine(styles.question(askFor(question)), layout.width, "")),
    ];
  };

  return {
    begin({ conversation, greeting }) {
      openedAtSeq = conversation.openedAtSeq;
      past = [];
      if (greeting !== undefined) add({ kind: "note", text: greeting });
    },
    item(item, more, when) {
      if (when === "now") {
        add(...more);
        return;
      }
      past.push(...more);
      if (item.kind !== "event" || item.event.seq < openedAtSeq) return;
      add(...past.slice(-PAST_BLOCKS));
      past = [];
    },
    add: (block) => add(block),
    toggleDetails() {
      details = details === "short" ? "whole" : "short";
    },
    lines(width) {
      const layout = { width, styles, details };
      const settled = settledLines(layout);
      return [...settled, ...liveLines(layout)];
    },
    status(width) {
      const chat = deps.chat();
      const state = chat.isBusy() ? "working, Ctrl-C stops" : "/help";
      const { key } = chat.conversation().session;
      return [cutLine(styles.soft(`${state} · ${formatSpend(chat.spend())} · ${key}`), width)];
    },
  };
}
