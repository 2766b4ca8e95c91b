import { type ItemId, parseId, type TurnId } from "@deputy/kit";
import type { StoredEvent } from "../canonical-event.ts";
import type { LogItem } from "../log/event-log.ts";
import type { ApprovalPreview } from "../events/call-events.ts";
import { projectCard } from "../card/project-card.ts";
import { createProjection } from "./projection.ts";
import type { Push } from "../wire/push.ts";
import { readNote } from "../wire/session-note.ts";

/**
 * What `/ws` says for one item of a session's log; `event` comes last and is for those who
 * subscribed to the stream. Pure, and never throws.
 */
export function projectPushes(item: LogItem): readonly Push[] {
  if (item.kind === "event") return [...projectKnown(item.event), { event: "event", data: item.event }];
  const { turnId, itemId, itemType, offset, text } = item.delta;
  return itemType === "message" ? [chatDelta(turnId, itemId, offset, text)] : [];
}

const projectKnown = createProjection<Push>({
  "user.message": ({ stream, seq, data }) => {
    const note = readNote(data);
    const sessionId = parseId("session", stream);
    return note === undefined || sessionId === undefined
      ? []
      : [{ event: "chat.notice", data: { sessionId, ...note, seq } }];
  },
  "assistant.message": ({ turnId, data }) =>
    ofRun(turnId, (runId) => chatDelta(runId, data.itemId, 0, data.text)),
  "turn.completed": ({ turnId, data }) =>
    ofRun(turnId, (runId) => ({ event: "chat.final", data: { runId, usage: data.usage } })),
  "turn.failed": (event) => chatError(event, event.data.message),
  "turn.aborted": (event) => chatError(event, event.data.reason ?? `Stopped by ${event.data.by}`),
  "call.progress": ({ turnId, data }) =>
    ofRun(turnId, (runId) => ({
      event: "tool.progress",
      data: { runId, tool: data.toolPath, message: data.message },
    })),
  "call.settled": ({ turnId, data: { toolPath, callId, attachments } }) =>
    attachments.length === 0
      ? []
      : ofRun(turnId, (runId) => ({
          event: "tool.attachments",
          data: { runId, tool: toolPath, callId, attachments },
        })),
  "approval.requested": ({ data }) => [
    {
      event: "exec.approval_request",
      data: {
        approvalId: data.approvalId,
        toolName: data.toolPath,
        summary: data.preview.title,
        details: data.input,
        ...explained(data.preview),
        card: projectCard(data),
      },
    },
  ],
});

/** Everything a client is to show besides title and input, as one text. */
function explained({ reasons = [], details, changes = [] }: ApprovalPreview): { explanation?: string } {
  const parts = [...reasons, ...(details === undefined ? [] : [details]), ...changes.map(({ diff }) => diff)];
  return parts.length === 0 ? {} : { explanation: parts.join("\n\n") };
}

function ofRun(turnId: TurnId | undefined, push: (runId: TurnId) => Push): readonly Push[] {
  return turnId === undefined ? [] : [push(turnId)];
}

function chatError(event: StoredEvent, message: string): readonly Push[] {
  return ofRun(event.turnId, (runId) => ({ event: "chat.error", data: { runId, message } }));
}

function chatDelta(runId: TurnId, itemId: ItemId, offset: number, text: string): Push {
  return { event: "chat.delta", data: { runId, text, itemId, offset } };
}
