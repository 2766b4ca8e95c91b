import { stoppedBy } from "@deputy/agent";
import { isAbort, makeVisible } from "@deputy/kit";
import { projectTaskEvents } from "@deputy/protocol";
import type { LineReader } from "../output/output.ts";
import { createMessageReader } from "../read-message.ts";
import type { Output } from "../output/output.ts";
import { showApproval, showCardLines } from "../show/show-approval.ts";
import { showTaskEvent } from "../show/show-task-event.ts";
import { type Chat, createChat } from "./chat.ts";
import type { ChatSetting } from "./chat-setting.ts";
import type { ChatView } from "./chat-view.ts";

/**
 * A chat in a terminal, line by line and nothing drawn twice, for screen readers and simple terminals: text
 * comes a line at a time as it is written. Lines typed while a turn is under way are heard in it.
 */
export async function chatOnLines(
  setting: ChatSetting,
  streams: { readonly output: Output; readonly reader: LineReader },
): Promise<void> {
  const { output, reader } = streams;
  const leaving = new AbortController();
  const over = AbortSignal.any([setting.signal, leaving.signal]);
  const text = createLineStream((line) => output.result(makeVisible(line)));
  const messages = createMessageReader(reader);
  let stateChanged = new AbortController();
  let state = "";

  const view: ChatView = {
    begin: ({ greeting }) => void (greeting !== undefined && output.note(greeting)),
    item(item, blocks, when) {
      if (when === "past") return;
      if (item.kind === "delta") {
        if (item.delta.itemType === "message") text.piece(item.delta);
        return;
      }
      const { event } = item;
      if (event.type === "turn.started") return;
      for (const block of blocks) if (block.kind === "told") output.result(makeVisible(block.text));
      if (event.type === "assistant.message") text.whole(event.data as { itemId: string; text: string });
      else for (const shown of projectTaskEvents(event)) showTaskEvent(output, shown, blocks);
    },
    notice: (notice) => output.note(makeVisible(notice)),
    refresh() {
      const now = promptOf(talking);
      if (now === state) return;
      state = now;
      stateChanged.abort();
      stateChanged = new AbortController();
    },
    asks: (lines) => output.note(showCardLines(lines, undefined, output.width)),
    details: (request) => output.note(showApproval(request, undefined, "whole", output.width)),
    toggleDetails: () => output.note("This view always shows whole programs and calls."),
  };
  const talking = createChat({ ...setting, view }, setting.first);
  output.note("Deputy. Say what you want; /help shows the commands.");
  using _interrupts = setting.intercept(() => {
    if (talking.interrupt() === "leave") leaving.abort();
    return "handled";
  });

  const listen = async (): Promise<void> => {
    while (!over.aborted) {
      const message = await messages.next(promptOf(talking), AbortSignal.any([over, stateChanged.signal]));
      if (message.kind === "stopped") continue;
      if (message.kind === "ended" || (await talking.submit(message.text, over)) === "leave") return;
    }
  };
  const following = talking.follow(over);
  following.catch(() => leaving.abort());
  try {
    await listen();
  } catch (error) {
    if (!(over.aborted && isAbort(error))) throw error;
  } finally {
    leaving.abort();
    await talking.end(setting.signal.aborted ? stoppedBy(setting.signal) : "user");
  }
  await following;
}

/** Nothing while a turn is under way: what it says would come in the middle of the line. */
function promptOf(chat: Chat): string {
  const asks = chat.asks();
  if (asks !== undefined) return `  ${asks} `;
  return chat.isBusy() ? "" : "> ";
}

/** Text that comes in pieces, given on in whole lines as soon as they are whole. */
export interface LineStream {
  /** A piece of an item; a repeat or one beyond a gap is harmless. */
  piece(piece: { readonly itemId: string; readonly offset: number; readonly text: string }): void;
  /** The item is complete: the part that was not shown yet follows. */
  whole(item: { readonly itemId: string; readonly text: string }): void;
}

export function createLineStream(give: (line: string) => void): LineStream {
  let itemId: string | undefined;
  let known = "";
  let given = 0;

  const begin = (id: string): void => {
    if (id === itemId) return;
    itemId = id;
    known = "";
    given = 0;
  };
  const giveLines = (): void => {
    for (let end = known.indexOf("\n", given); end !== -1; end = known.indexOf("\n", given)) {
      give(known.slice(given, end));
      given = end + 1;
    }
  };
  return {
    piece({ itemId: id, offset, text }) {
      begin(id);
      if (offset > known.length) return;
      const joined = known.slice(0, offset) + text;
      if (joined.length > known.length) known = joined;
      giveLines();
    },
    whole({ itemId: id, text }) {
      begin(id);
      known = text;
      giveLines();
      if (given < text.length) give(text.slice(given));
      itemId = undefined;
    },
  };
}
