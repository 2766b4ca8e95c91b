import {
  type CanonicalEvent,
  type ApprovalId,
  type LogItem,
  projectTaskEvents,
  readEvent,
  readNote,
  readPlanCard,
  showNote,
} from "@deputy/protocol";
import type { AssistantDelta, StoredEvent } from "@deputy/protocol";
import { toldByHeartbeat } from "@deputy/tasks/heartbeat";
import type { ApprovalRequest, ChatBlock, LiveCall, LiveState } from "./chat-block.ts";

/** A session as the screen shows it, put together from its log as it comes. */
export interface ChatTranscript {
  /**
   * The blocks that the item adds, in order; empty when it only changes the live state. Repeated deltas are harmless.
   */
  take(item: LogItem): readonly ChatBlock[];
  /**
   * True for a heartbeat in this session: its prompt, and its text until it is known whether the user should see it.
   */
  hides(item: LogItem): boolean;
  live(nowMs?: number): LiveState;
  /** Questions without an answer, the oldest first. */
  questions(): readonly ApprovalRequest[];
}

interface OpenText {
  readonly itemId: string;
  readonly text: string;
}

export function createChatTranscript(): ChatTranscript {
  const inputs = new Map<string, string>();
  const running = new Map<string, LiveCall>();
  const open = new Map<ApprovalId, ApprovalRequest>();
  /** Running calls whose own questions are open, by the question. */
  const asking = new Map<ApprovalId, string>();
  /** Grants whatever the values. */
  const wide = new Map<
    string,
    { readonly tools: readonly string[]; readonly expiresAt: string | undefined }
  >();
  /** Turns of a heartbeat. */
  const unasked = new Set<string>();
  let writing: OpenText | undefined;

  const takeDelta = ({ itemId, itemType, offset, text }: AssistantDelta): void => {
    if (itemType !== "message") return;
    const known = writing?.itemId === itemId ? writing.text : "";
    // Beyond a gap nothing can be shown; the whole message comes when it is complete.
    if (offset > known.length) return;
    const joined = known.slice(0, offset) + text;
    writing = { itemId, text: joined.length >= known.length ? joined : known };
  };
  /** The time that the user takes to answer is none of the call's. */
  const goOn = (id: ApprovalId, nowMs: number): void => {
    const callId = asking.get(id);
    const call = callId === undefined ? undefined : running.get(callId);
    asking.delete(id);
    if (callId === undefined || call?.waitsSinceMs === undefined) return;
    const { waitsSinceMs, ...rest } = call;
    running.set(callId, { ...rest, startedAtMs: call.startedAtMs + nowMs - waitsSinceMs });
  };
  const endTurn = (): void => {
    writing = undefined;
    running.clear();
    asking.clear();
    inputs.clear();
    open.clear();
  };
  const takeEvent = (stored: StoredEvent, event: CanonicalEvent): readonly ChatBlock[] => {
    switch (event.type) {
      case "user.message": {
        const note = readNote(event.data);
        return [
          note === undefined
            ? { kind: "user", text: event.data.text }
            : { kind: "told", text: showNote(note) },
        ];
      }
      case "heartbeat.began":
        if (event.turnId !== undefined) unasked.add(event.turnId);
        return [];
      case "assistant.message":
        writing = undefined;
        return event.data.text === "" ? [] : [{ kind: "assistant", text: event.data.text }];
      case "cell.submitted":
        return event.data.call === undefined ? [{ kind: "program", code: event.data.code }] : [];
      case "call.requested":
        inputs.set(event.data.callId, JSON.stringify(event.data.input, null, 2));
        return [];
      case "call.started":
        running.set(event.data.callId, { toolPath: event.data.toolPath, startedAtMs: Date.parse(event.at) });
        return [];
      case "call.progress": {
        const call = running.get(event.data.callId);
        if (call !== undefined) running.set(event.data.callId, { ...call, progress: event.data.message });
        return [];
      }
      case "call.settled": {
        const { callId, toolPath, status, durationMs, error } = event.data;
        const input = inputs.get(callId);
        const preview = status === "unknown" ? "outcome unknown" : (event.data.preview ?? error?.message);
        running.delete(callId);
        inputs.delete(callId);
        return [
          {
            kind: "call",
            toolPath,
            status,
            durationMs,
            ...(input === undefined ? {} : { input }),
            ...(preview === undefined ? {} : { preview }),
          },
        ];
      }
      case "approval.requested": {
        const asker = event.data.askedBy === undefined ? undefined : running.get(event.data.askedBy);
        if (asker !== undefined) {
          asking.set(event.data.approvalId, event.data.askedBy as string);
          running.set(event.data.askedBy as string, { ...asker, waitsSinceMs: Date.parse(event.at) });
        }
        return projected(stored);
      }
      case "approval.resolved": {
        const { approvalId: id, decision, by, calls } = event.data;
        goOn(id, Date.parse(event.at));
        const asked = open.get(id);
        const card = asked === undefined ? undefined : readPlanCard(asked);
        open.delete(id);
        const part =
          calls === undefined || card === undefined
            ? {}
            : { part: { approved: calls.length, of: card.calls.length } };
        return [{ kind: "decision", id, decision, by, ...part }];
      }
      case "grant.created": {
        const { grantId, bindings, expiresAt } = event.data;
        const tools = bindings.filter(({ anyValues }) => anyValues === true).map(({ toolPath }) => toolPath);
        if (tools.length > 0) wide.set(grantId, { tools, expiresAt });
        return projected(stored);
      }
      case "grant.revoked":
        wide.delete(event.data.grantId);
        return [];
      case "turn.completed":
        endTurn();
        return [];
      case "turn.failed":
      case "turn.aborted":
        endTurn();
        return projected(stored);
      // What a plan holds is on its card.
      case "turn.started":
      case "plan.proposed":
        return [];
      default:
        return projected(stored);
    }
  };
  const projected = (stored: StoredEvent): readonly ChatBlock[] =>
    projectTaskEvents(stored).flatMap((event): readonly ChatBlock[] => {
      if (event.type === "approval_request") {
        open.set(event.id, event);
        return [{ kind: "approval", request: event }];
      }
      if (event.type === "status") return [{ kind: "note", text: event.message }];
      if (event.type === "error") return [{ kind: "error", text: event.error }];
      return event.type === "agent_message" ? [{ kind: "assistant", text: event.text }] : [];
    });

  const hides = (item: LogItem): boolean => {
    const { turnId } = item.kind === "delta" ? item.delta : item.event;
    if (turnId === undefined || !unasked.has(turnId)) return false;
    if (item.kind === "delta") return true;
    const read = readEvent(item.event);
    if (read.kind !== "known") return false;
    if (read.event.type === "user.message") return read.event.data.channel === "heartbeat";
    return read.event.type === "assistant.message" && toldByHeartbeat(read.event.data.text) === undefined;
  };

  return {
    hides,
    take(item) {
      if (hides(item)) return [];
      if (item.kind === "delta") {
        takeDelta(item.delta);
        return [];
      }
      const read = readEvent(item.event);
      return read.kind === "known" ? takeEvent(item.event, read.event) : [];
    },
    live: (now = 0) => ({
      text: writing?.text ?? "",
      calls: [...running.values()],
      unasked: [
        ...new Set(
          [...wide.values()].flatMap(({ tools, expiresAt }) =>
            expiresAt === undefined || Date.parse(expiresAt) > now ? tools : [],
          ),
        ),
      ],
    }),
    questions: () => [...open.values()],
  };
}
