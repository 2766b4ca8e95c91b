import { type AgentContext, methods, RequestError } from "@agentclientprotocol/sdk";
import type { CanonicalEvent, EventData } from "@deputy/protocol";
import type { Conversation } from "@deputy/client";
import { answerOf, permissionFor } from "./permission.ts";
import { promptEndOf } from "./stop-reason.ts";

/** The questions that wait for an answer. An answer from elsewhere withdraws the question from the editor. */
export interface Questions {
  take(event: CanonicalEvent): void;
  /** Asks open questions that were not asked yet. */
  ask(signal: AbortSignal): void;
}

type Question = EventData<"approval.requested">;

export function createQuestions(deps: {
  readonly conversation: Conversation;
  readonly client: Pick<AgentContext, "request">;
  readonly onBug: (error: unknown) => void;
}): Questions {
  const { conversation, client, onBug } = deps;
  const open = new Map<string, { readonly question: Question; asked?: AbortController }>();

  const close = (id: string): void => {
    open.get(id)?.asked?.abort();
    open.delete(id);
  };
  const askOne = async (question: Question, withdrawn: AbortSignal): Promise<void> => {
    const request = permissionFor(conversation.session.id, question);
    try {
      const { outcome } = await client.request(methods.client.session.requestPermission, request, {
        cancellationSignal: withdrawn,
        stopWaitingOnCancel: true,
      });
      if (!withdrawn.aborted) await conversation.answer(question.approvalId, answerOf(question, outcome));
    } catch (error) {
      if (withdrawn.aborted || !(error instanceof RequestError)) throw error;
      // It cannot be asked there, and nothing may happen without asking.
      const reason = "The editor could not ask.";
      await conversation.answer(question.approvalId, { decision: "denied", reason });
    }
  };

  return {
    take(event) {
      if (event.type === "approval.requested") open.set(event.data.approvalId, { question: event.data });
      else if (event.type === "approval.resolved") close(event.data.approvalId);
      else if (promptEndOf(event) !== undefined) for (const id of open.keys()) close(id);
    },
    ask(signal) {
      for (const entry of open.values()) {
        if (entry.asked !== undefined) continue;
        const asked = new AbortController();
        entry.asked = asked;
        const withdrawn = AbortSignal.any([asked.signal, signal]);
        askOne(entry.question, withdrawn).catch((error: unknown) => {
          if (!withdrawn.aborted) onBug(error);
        });
      }
    },
  };
}
