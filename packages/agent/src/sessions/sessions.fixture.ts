import { createIdSource, type SessionId, type TurnId } from "@deputy/kit";
import type { NewEvent } from "@deputy/protocol";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { createLogSessionService } from "./session-service.ts";

export const live = new AbortController().signal;
export const TERMINAL = { key: "terminal--default", agentId: "main", channel: "terminal" };

/** A session service over a log in memory, and sessions that write themselves. */
export function setUpSessions() {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const sessions = createLogSessionService({ log, ids });

  const said = (text: string, turnId: TurnId): NewEvent => ({
    type: "user.message",
    turnId,
    data: { text, attachments: [], channel: "terminal", sender: "owner", trust: "user" },
  });
  const begun = (text: string, turnId: TurnId): NewEvent[] => [
    said(text, turnId),
    { type: "turn.started", turnId, data: { agentId: "main", model: "test/x" } },
  ];
  const ended = (text: string, turnId: TurnId): NewEvent[] => [
    { type: "assistant.message", turnId, data: { itemId: ids.next("item"), text } },
    {
      type: "turn.completed",
      turnId,
      data: { usage: { inputTokens: 1, outputTokens: 1, modelCalls: 1 } },
    },
  ];
  /** One whole turn; returns the `seq` of its end. */
  const talk = async (id: SessionId, question: string, answer: string): Promise<number> => {
    const turnId = ids.next("turn");
    await clock.advance(1_000);
    const stored = await log.append(id, [...begun(question, turnId), ...ended(answer, turnId)]);
    return stored.at(-1)?.seq ?? 0;
  };
  const events = (id: SessionId) => Array.fromAsync(log.read(id));
  return { clock, ids, log, sessions, begun, ended, talk, events };
}
