import { stoppedBy } from "@deputy/agent";
import { CodedError, isAbort, makeVisible } from "@deputy/kit";
import { projectTaskEvents } from "@deputy/protocol";
import { NOBODY } from "../approver.ts";
import type { LineReader } from "../output/output.ts";
import type { Output } from "../output/output.ts";
import { createMessageReader } from "../read-message.ts";
import { showApproval, showCardLines } from "../show/show-approval.ts";
import { showTaskEvent } from "../show/show-task-event.ts";
import { createChat } from "./chat.ts";
import type { ApprovalRequest } from "./chat-block.ts";
import type { ChatSetting } from "./chat-setting.ts";
import type { ChatView } from "./chat-view.ts";

/**
 * A chat over lines that are there already: each message is answered before the next is read. Ends with the
 * first that was not taken.
 */
export async function chatInPipe(
  setting: ChatSetting,
  streams: {
    readonly output: Output;
    readonly reader: LineReader;
    /** Without a person who types them, nothing asks for the next line; questions are shown all the same. */
    readonly isTyped: boolean;
  },
): Promise<"done" | "not_taken"> {
  const { output, reader, isTyped } = streams;
  const { host, clock, signal } = setting;
  const messages = createMessageReader(reader, isTyped ? undefined : "");
  const over = new AbortController();
  let dropped = new AbortController();
  const view: ChatView = {
    begin: ({ greeting }) => void (greeting !== undefined && output.note(greeting)),
    item(item, blocks, when) {
      if (when === "past" || item.kind === "delta" || item.event.type === "turn.started") return;
      for (const block of blocks) if (block.kind === "told") output.result(makeVisible(block.text));
      for (const event of projectTaskEvents(item.event)) showTaskEvent(output, event, blocks);
    },
    notice: (text) => output.note(text),
    refresh: () => dropped.abort(),
    asks: (lines) => output.note(showCardLines(lines, undefined, output.width)),
    details: (request) => output.note(showApproval(request, undefined, "whole", output.width)),
    toggleDetails: () => undefined,
  };
  output.note(
    "Deputy. Say what you want; a ```ts block runs as a program. /new begins a new session, /exit leaves.",
  );
  const chat = createChat({ host, clock, view, commands: setting.commands }, setting.first);
  const stop = (): void => chat.conversation().stop(signal.aborted ? stoppedBy(signal) : "user");
  signal.addEventListener("abort", stop, { once: true });
  // Stops the turn; with none under way, there is nobody to press it twice.
  using _interrupts = setting.intercept(() => {
    if (!chat.isBusy()) return "leave";
    stop();
    return "handled";
  });

  /**
   * Asks the open questions, until it is the person's turn again. A question that is answered elsewhere is dropped.
   */
  const settle = async (): Promise<void> => {
    for (;;) {
      await chat.untilYours(over.signal);
      const question = chat.question();
      if (question === undefined) return;
      await ask(question);
    }
  };
  const ask = async (question: ApprovalRequest): Promise<void> => {
    while (chat.question()?.id === question.id) {
      const next = await nextLine();
      if (next === "dropped") continue;
      const { line } = next;
      if (line === undefined) return await chat.answer(question, NOBODY);
      await chat.reply(question, line).catch((error: unknown) => {
        if (isAbort(error) || !(error instanceof CodedError)) throw error;
        output.note(`  That does not fit. ${makeVisible(error.message)}`);
      });
    }
  };
  /** No line: there is none, or nobody waits for it any more. */
  const nextLine = async (): Promise<{ readonly line: string | undefined } | "dropped"> => {
    dropped = new AbortController();
    try {
      const line = await reader.next(`  ${chat.asks()} `, AbortSignal.any([signal, dropped.signal]));
      return { line };
    } catch (error) {
      if (!isAbort(error)) throw error;
      return signal.aborted ? { line: undefined } : "dropped";
    }
  };
  const talk = async (): Promise<"done" | "not_taken"> => {
    await settle();
    while (!signal.aborted) {
      const message = await messages.next(isTyped ? "> " : "", signal);
      if (message.kind !== "message") break;
      const outcome = await chat.submit(message.text, over.signal);
      if (outcome === "not_taken") return outcome;
      if (outcome === "leave") break;
      await settle();
    }
    return "done";
  };
  const following = chat.follow(over.signal);
  let outcome: "done" | "not_taken" = "done";
  try {
    outcome = (await Promise.race([talk(), following])) ?? outcome;
    await chat.end(stoppedBy(signal));
  } finally {
    signal.removeEventListener("abort", stop);
    over.abort();
  }
  await following;
  return outcome;
}
