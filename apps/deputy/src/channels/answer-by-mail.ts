import { createMailAnswers } from "@deputy/notify/mail";
import type { Inbox } from "@deputy/tasks";
import type { Engine } from "../engine.ts";
import type { Home } from "../home.ts";
import { openAnswerCodes } from "./open-mail.ts";

/**
 * The inbox, which also answers questions by mails of the mailbox that the settings name. A mail answers before it is in
 * the log: interrupted in between, it comes again, and its question has its one answer already.
 */
export function answerByMail({
  home,
  engine,
}: {
  readonly home: Home;
  readonly engine: Pick<Engine, "inbox" | "approvals" | "outbox" | "clock">;
}): Inbox {
  const { answersFrom, to } = home.config.adapters.mail;
  const answers = createMailAnswers({
    codes: openAnswerCodes(home.directory, engine.clock),
    from: to,
    answer: async (approval, answer, by) => {
      const { kind } = await engine.approvals.resolve(approval, answer, by);
      if (kind === "resolved") return "recorded";
      return kind === "unknown" || kind === "invalid" ? "unknown" : "too_late";
    },
  });
  return {
    async accept(delivery) {
      const isFromThere = delivery.scheme === "imap" && delivery.hook === answersFrom;
      const text = isFromThere ? await answers.take(delivery.payload) : undefined;
      if (text !== undefined) {
        const key = `mail answer ${delivery.hookId} ${delivery.key}`;
        await engine.outbox.tell({ key, to: "mail", from: "your mail", text, isAskedFor: true });
      }
      return await engine.inbox.accept(delivery);
    },
  };
}
