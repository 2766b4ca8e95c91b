import type { ApprovalAnswer, ApprovalId } from "@deputy/protocol";
import { z } from "zod";
import type { AnswerCodes } from "./answer-codes.ts";

/** What somebody answers by mail. */
export interface MailAnswers {
  /**
   * Looks whether a mail answers a question, and answers it. Gives what the owner is told about it; nothing for any
   * other mail, and for whatever was not signed here. Idempotent. Rejects as the log does; then nothing was answered.
   */
  take(mail: unknown): Promise<string | undefined>;
}

const mailSchema = z.object({
  from: z.object({ address: z.string() }),
  text: z.string(),
});
/** It must be how the mail begins: what is quoted, or said in passing, answers nothing. */
const ANSWER = /^\s*(approve|deny)\s+(deputy-answer-[\w-]+)([^]*)$/i;
/** Where mail programs begin to quote. */
const QUOTE = /^(?:>|On .{0,200}wrote:|-{2,}\s|_{5,}|From: )/m;
const MOST_REASON = 1_000;

export function createMailAnswers(deps: {
  readonly codes: AnswerCodes;
  /** The owner's addresses. That alone proves nothing: anybody can write any sender. */
  readonly from: readonly string[];
  /** Records an answer; says what became of it. */
  readonly answer: (approval: ApprovalId, answer: ApprovalAnswer, by: string) => Promise<Answered>;
}): MailAnswers {
  const own = new Set(deps.from.map((address) => address.toLowerCase()));
  return {
    async take(mail) {
      const read = mailSchema.safeParse(mail);
      if (!read.success) return undefined;
      const { from, text } = read.data;
      const [, word = "", code = "", rest = ""] = ANSWER.exec(text) ?? [];
      const address = from.address.toLowerCase();
      if (word === "" || !own.has(address)) return undefined;
      const known = deps.codes.read(code);
      if (known.kind === "wrong") return undefined;
      if (known.kind === "expired") return "The code in your mail has expired: answer on the page.";
      const decision = word.toLowerCase() === "approve" ? "approved" : "denied";
      const reason = decision === "denied" ? reasonIn(rest) : "";
      const answer = { decision, ...(reason !== "" && { reason }) } as const;
      const answered = await deps.answer(known.approval, answer, `mail:${address}`);
      if (answered === "recorded") return `By your mail: ${decision}.`;
      return answered === "too_late"
        ? "Your mail came too late: it was already answered."
        : "The question of your mail is not there any more.";
    },
  };
}

export type Answered = "recorded" | "too_late" | "unknown";

function reasonIn(rest: string): string {
  const at = rest.search(QUOTE);
  return (at === -1 ? rest : rest.slice(0, at)).trim().slice(0, MOST_REASON);
}
