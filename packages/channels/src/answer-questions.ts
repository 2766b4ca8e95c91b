import { ClientError } from "@deputy/client";
import type { SessionId } from "@deputy/kit";
import type { PendingApproval } from "@deputy/protocol";
import type { ChatApp, Pressed, Said } from "./chat-app.ts";
import { findItem, wholeCard } from "./conversation/find-item.ts";
import type { KeptConversation } from "./conversation/keep-conversation.ts";
import { itemIds } from "./conversation/session-items.ts";
import type { Door } from "./door.ts";
import { plainText } from "./text/styled-text.ts";

/** The place where something was pressed or said, and its conversation. */
interface Where {
  readonly session: SessionId;
  readonly conversation: KeptConversation;
  /** Items of before this process that may still change. */
  readonly open: readonly { readonly item: string }[];
}

export interface Questions {
  /** A button under a message. What was answered already says so, everywhere. */
  press(pressed: Pressed, where: Where): Promise<void>;
  /** A “no, because …” that answers a card. False if it is anything else. */
  denyByReply(said: Said, where: Where): Promise<boolean>;
}

/** Answers questions of a chat. A question is answered only where it is shown: its id alone is worth nothing. */
export function createQuestions(
  deps: { readonly app: ChatApp; readonly door: Pick<Door, "call"> },
  signal: AbortSignal,
): Questions {
  const { app, door } = deps;
  const { name: channel } = app;
  const safely = "safe_to_repeat";

  const findPending = async (id: string, { conversation, open }: Where) => {
    const isHere = conversation.asks(id) || open.some(({ item }) => item === itemIds.question(id));
    if (!isHere) return undefined;
    const { approvals } = await door.call("exec.pending", {}, safely, signal);
    return approvals.find((one) => one.id === id);
  };

  /** Gives what whoever answered is told. */
  const decide = async (
    { id: approvalId }: PendingApproval,
    what: "yes" | "no",
    person: string,
    reason?: string,
  ): Promise<string> => {
    const params = { approvalId, by: `${channel}:${person}`, ...(reason !== undefined && { reason }) };
    try {
      if (what === "yes") await door.call("exec.approve", params, safely, signal);
      else await door.call("exec.deny", params, safely, signal);
      return what === "yes" ? "Approved" : "Denied";
    } catch (error) {
      if (!(error instanceof ClientError) || error.code === "daemon_gone") throw error;
      return error.code === "already_decided" ? "It was already answered." : error.message;
    }
  };

  /** What may not have arrived, from the session itself. */
  const showAgain = async (pressed: Pressed, { session, conversation }: Where, wanted: string) => {
    const item = await findItem(door, { stream: session, channel, wanted }, signal);
    if (item === undefined) return await pressed.tell("It is not there any more.");
    if (item.state === "open") conversation.show(item.id, item.message);
    else {
      const message = { runs: plainText("Shown again below.") };
      await app.edit?.(pressed.place, pressed.ref, message, signal).catch(() => undefined);
      conversation.finish(`again ${pressed.ref}`, item.message);
    }
    await pressed.tell("Here it is.");
  };

  return {
    async press(pressed, where) {
      const [, what = "", id = ""] = /^(yes|no|all|again) (.+)$/.exec(pressed.data) ?? [];
      if (what === "again") return await showAgain(pressed, where, id);
      const approval = await findPending(id, where);
      if (approval === undefined) {
        const message = { runs: plainText("This was already answered.") };
        await app.edit?.(pressed.place, pressed.ref, message, signal).catch(() => undefined);
        return await pressed.tell("It was already answered.");
      }
      where.conversation.isShownAt(id, pressed.ref);
      if (what === "all") {
        where.conversation.show(itemIds.details(id), wholeCard(approval));
        return await pressed.tell("All of it is below.");
      }
      await pressed.tell(
        await decide(approval, what === "yes" ? "yes" : "no", pressed.by.id, pressed.reason),
      );
    },
    async denyByReply({ answers, text, by }, where) {
      const reason = NO.exec(text.trim())?.[1];
      if (answers === undefined || reason === undefined) return false;
      const id = where.conversation.questionAt(answers);
      const approval = id === undefined ? undefined : await findPending(id, where);
      if (approval === undefined) return false;
      await decide(approval, "no", by.id, reason === "" ? undefined : reason.slice(0, MOST_REASON));
      return true;
    },
  };
}

/** Only a button approves: a word that was meant otherwise must not. */
const NO = /^(?:no|nope|deny|denied|don['’]t)\b[\s,.:;!–—-]*([\s\S]*)$/i;
const MOST_REASON = 1_000;
