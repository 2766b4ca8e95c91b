import type { SessionId } from "@deputy/kit";
import { readNote, type StreamId } from "@deputy/protocol";
import { setUpConversations } from "../conversations/conversation-queue.fixture.ts";
import { createLogOutbox } from "../outbox/log-outbox.ts";
import { createLogReminders } from "../reminders/log-reminders.ts";
import { activeHours } from "./active-hours.ts";
import { createCheckStates } from "./check-states.ts";
import { createHeartbeat } from "./heartbeat.ts";

export const MINUTE_MS = 60_000;
export const EVERY_MS = 30 * MINUTE_MS;

/** Heartbeats and reminders over real conversations, over a model that answers when the test says so. */
export function setUpHeartbeat(
  options: { readonly hours?: string; readonly regular?: "on" | "off"; readonly deliverTo?: string } = {},
) {
  const conversations = setUpConversations();
  const { clock, ids, log, sessions, bugs } = conversations;
  /** Their current content: HEARTBEAT.md, and what it names. */
  const files = { heartbeat: "", states: new Map<string, string>() };

  /** A process over the same log: everything except the turns that an earlier one left. */
  const open = () => {
    const process = new AbortController();
    const { signal } = process;
    const { queue } = conversations.open(process);
    const onBug = (error: unknown) => void bugs.push(error);
    const outbox = createLogOutbox({
      log,
      sessions,
      channels: [],
      firstSession: { key: "terminal--default", agentId: "main", channel: "terminal" },
      redact: (text) => text,
      clock,
      onBug,
      signal,
    });
    const reminders = createLogReminders({
      log,
      ids,
      clock,
      defaultAgent: "main",
      zone: "UTC",
      onBug,
      signal,
    });
    const heartbeat = createHeartbeat({
      log,
      clock,
      sessions,
      conversations: queue,
      outbox,
      checks: createCheckStates({ log, fileState: async (path) => files.states.get(path) ?? "missing" }),
      instructionsOf: async () => files.heartbeat,
      agents: async () => ["main"],
      defaultAgent: "main",
      sha256: (text) => text.length.toString(16).padStart(64, "0"),
      regular:
        options.regular === "off"
          ? undefined
          : { everyMs: EVERY_MS, hours: activeHours(options.hours ?? "0-24", "UTC") },
      deliverTo: options.deliverTo ?? "last",
      onBug,
      signal,
    });
    const close = async () => {
      process.abort();
      await heartbeat[Symbol.asyncDispose]();
      await reminders[Symbol.asyncDispose]();
      await queue[Symbol.asyncDispose]();
    };
    return { queue, outbox, reminders, heartbeat, close };
  };

  const ofType = async (stream: StreamId, ...types: string[]) =>
    (await Array.fromAsync(log.read(stream)))
      .filter(({ type }) => types.includes(type))
      .map(({ data }) => data);
  const notes = async (session: SessionId) =>
    (await ofType(session, "user.message")).flatMap(
      (data) => readNote(data as Parameters<typeof readNote>[0]) ?? [],
    );
  return { ...conversations, files, open, ofType, notes };
}
