import type { CardLine, LogItem } from "@deputy/protocol";
import type { ApprovalRequest, ChatBlock } from "./chat-block.ts";
import type { OpenedConversation } from "@deputy/client";

/** Where a chat is shown. None of it throws. */
export interface ChatView {
  /** This session is on show from here on. */
  begin(opened: OpenedConversation): void;
  /** An item of it, in order, and what it adds. `past`: it happened before the session was opened. */
  item(item: LogItem, blocks: readonly ChatBlock[], when: "past" | "now"): void;
  /** Said by the terminal itself. */
  notice(text: string): void;
  /** Called when the state has changed, such as whether a turn is running or a question is open. */
  refresh(): void;
  /** What a question asks for, piece by piece. */
  asks(lines: readonly CardLine[]): void;
  /** Shows all of a question. */
  details(request: ApprovalRequest): void;
  /** Shows programs and calls whole, or short again, where it can. */
  toggleDetails(): void;
}
