import type { Connection } from "../wire/connection.ts";
import { RequestFailed } from "../wire/request-failed.ts";
import type { Lists } from "./lists.ts";
import type { Answerer, Effort, Outbox } from "./outbox.ts";
import type { Router } from "./route.ts";
import type { Attachment, Row } from "./transcript-rows.ts";

/** What people do. All methods that wait reject with `RequestFailed`. */
export interface Actions {
  /** Begins a conversation with this message, as soon as there is a connection, and goes there. */
  begin(text: string, attachments: readonly Attachment[], who: Answerer): void;
  rename(id: string, title: string): Promise<void>;
  /** Which model answers from the next turn on; null: its agent's. */
  chooseModel(id: string, model: string | null): Promise<void>;
  /** Null: as its agent is set. */
  chooseEffort(id: string, effort: Effort | null): Promise<void>;
  archive(id: string, isArchived: boolean): Promise<void>;
  /** For good. */
  remove(id: string): Promise<void>;
  /** A copy of the conversation through that event, and goes there. Absent: all of it. */
  fork(id: string, throughSeq?: number): Promise<string>;
  /** Says something else instead of an earlier message, in a copy of what came before it. */
  resend(id: string, seq: number, text: string, attachments: readonly Attachment[]): Promise<void>;
  answer(id: string, answer: Answer): Promise<void>;
  revoke(grantId: string): Promise<void>;
}

export interface Answer {
  readonly decision: "approved" | "denied";
  readonly reason?: string;
  /** How far it reaches; absent: as far as the question says. */
  readonly scope?: string;
  /** Only for the scope `task`. */
  readonly expiresAt?: string;
  /** Of a plan: the approved calls, if not all are. */
  readonly calls?: readonly string[];
  /** What a running call asked for. */
  readonly value?: unknown;
}

export function createActions(deps: {
  readonly connection: Connection;
  readonly router: Router;
  readonly outbox: Outbox;
  readonly lists: Lists;
}): Actions {
  const { connection, router, outbox } = deps;

  const begin: Actions["begin"] = (text, attachments, who) => {
    const id = outbox.begin(text, attachments, who);
    router.go({ page: "conversation", id });
  };

  return {
    begin,
    async rename(id, title) {
      await connection.call("sessions.update", { sessionKey: id, title });
    },
    async chooseModel(id, model) {
      await connection.call("sessions.update", { sessionKey: id, model });
    },
    async chooseEffort(id, effort) {
      await connection.call("sessions.update", { sessionKey: id, effort });
    },
    async archive(id, isArchived) {
      await connection.call("sessions.update", { sessionKey: id, archived: isArchived });
    },
    async remove(id) {
      await connection.call("sessions.delete", { sessionKey: id });
    },
    async fork(id, throughSeq) {
      const { sessionId } = await connection.call("sessions.fork", {
        sessionKey: id,
        ...(throughSeq !== undefined && { throughSeq }),
      });
      router.go({ page: "conversation", id: sessionId });
      return sessionId;
    },
    async resend(id, seq, text, attachments) {
      const session = deps.lists.sessions.peek()?.find((one) => one.id === id);
      try {
        const { sessionId } = await connection.call("sessions.fork", { sessionKey: id, throughSeq: seq - 1 });
        outbox.send(sessionId, text, attachments);
        router.go({ page: "conversation", id: sessionId });
      } catch (error) {
        if (!(error instanceof RequestFailed) || error.code !== "not_found") throw error;
        // Nothing was answered before it: it is the first message of a new conversation.
        const { agentId, model, effort } = session ?? {};
        begin(text, attachments, {
          ...(agentId !== undefined && { agentId }),
          ...(model !== undefined && { model }),
          ...(effort !== undefined && { effort }),
        });
      }
    },
    async answer(id, { decision, reason, scope, expiresAt, calls, value }) {
      const said = reason === undefined ? {} : { reason };
      if (decision === "denied") {
        await connection.call("exec.deny", { approvalId: id as never, ...said });
        return;
      }
      await connection.call("exec.approve", {
        approvalId: id as never,
        ...said,
        ...(scope !== undefined && { scope: scope as never }),
        ...(expiresAt !== undefined && { expiresAt }),
        ...(calls !== undefined && { calls: calls as never }),
        ...(value !== undefined && { result: { value } }),
      });
    },
    async revoke(grantId) {
      await connection.call("exec.revoke", { grantId: grantId as never });
    },
  };
}

/** A conversation as Markdown, for a file. */
export function exportMarkdown(title: string, rows: readonly Row[]): string {
  const parts = rows.flatMap((row) => {
    switch (row.kind) {
      case "said":
        return [`## You\n\n${row.text}`];
      case "answer":
        return [`## Deputy\n\n${row.text}`];
      case "activity":
        return row.cells.filter(({ code }) => code !== "").map(({ code }) => `\`\`\`ts\n${code}\n\`\`\``);
      case "question":
        return [`> ${row.title}: ${row.answer?.decision ?? "not answered"}`];
      case "note":
        return [`> ${row.from}: ${row.text}`];
      case "end":
        return [`> ${row.text}`];
      default:
        return [];
    }
  });
  return [`# ${title}`, ...parts].join("\n\n") + "\n";
}
