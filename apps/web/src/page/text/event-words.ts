import type { AuditedEvent, EventType } from "@deputy/protocol";
import { shortTime } from "./times.ts";

/** What kinds of events there are, in the reader's words, and the types behind each. */
export const EVENT_KINDS = {
  talk: { label: "Conversations", types: ["session", "user", "assistant", "turn", "error"] },
  calls: { label: "Programs and calls", types: ["cell", "call", "plan"] },
  approvals: { label: "Approvals", types: ["approval", "grant"] },
  tasks: { label: "Tasks and reminders", types: ["task", "cron", "heartbeat", "system"] },
  outside: { label: "Reports and notifications", types: ["hook", "outbox"] },
  network: { label: "Sign-ins and network", types: ["auth", "net"] },
  files: { label: "Files and memory", types: ["workspace", "memory"] },
  log: { label: "The log itself", types: ["event", "retention", "setup"] },
} as const satisfies Readonly<Record<string, { readonly label: string; readonly types: readonly string[] }>>;

export type EventKind = keyof typeof EVENT_KINDS;

export const EVENT_WORDS: Readonly<Record<EventType, string>> = {
  "session.started": "Conversation began",
  "session.updated": "Conversation changed",
  "user.message": "Message",
  "assistant.message": "Answer",
  "assistant.reasoning": "Thought",
  "turn.started": "Began to work",
  "turn.completed": "Was done",
  "turn.failed": "Failed",
  "turn.aborted": "Was stopped",
  "cell.submitted": "Program written",
  "cell.checked": "Program checked",
  "cell.completed": "Program ended",
  "call.requested": "Call wanted",
  "call.decided": "Call decided",
  "call.started": "Call began",
  "call.progress": "Call goes on",
  "call.settled": "Call ended",
  "approval.requested": "Asked you",
  "approval.resolved": "Was answered",
  "grant.created": "Allowed for longer",
  "grant.revoked": "Permission revoked",
  "task.created": "Task created",
  "task.scheduled": "Task is due next",
  "task.fired": "Task ran",
  "task.skipped": "Task was skipped",
  "task.paused": "Task paused",
  "task.resumed": "Task resumed",
  "task.edited": "Task changed",
  "task.cancelled": "Task cancelled",
  "task.completed": "Task ended",
  "cron.added": "Reminder set",
  "cron.updated": "Reminder changed",
  "cron.removed": "Reminder removed",
  "cron.fired": "Reminder was due",
  "cron.skipped": "Reminder was skipped",
  "system.noted": "Noted for an agent",
  "heartbeat.began": "Heartbeat began",
  "heartbeat.skipped": "Heartbeat was skipped",
  "heartbeat.ended": "Heartbeat ended",
  "heartbeat.paused": "Heartbeat paused",
  "heartbeat.resumed": "Heartbeat resumed",
  "hook.received": "Report received",
  "outbox.queued": "Notification queued",
  "outbox.sent": "Notification sent",
  "outbox.failed": "Notification failed",
  "auth.accepted": "Signed in",
  "auth.rejected": "Sign-in refused",
  "net.request": "Network request",
  "workspace.imported": "Files imported",
  "workspace.changed": "Files changed",
  "workspace.committed": "Files written",
  "workspace.reverted": "Changes given up",
  "memory.indexed": "Memory indexed",
  "memory.recalled": "Memory recalled",
  "memory.written": "Memory written",
  "memory.forgotten": "Memory forgotten",
  "event.erased": "Erased",
  "retention.pruned": "Old data removed",
  "session.compacted": "Conversation shortened",
  "session.imported": "Conversation imported",
  "turn.claimed": "Taken on",
  "turn.suspended": "Stands still",
  "cell.suspended": "Program waits",
  "cell.resumed": "Program goes on",
  "plan.proposed": "Plan made",
  "memory.applied": "Memory changed",
  "memory.forgetting": "Memory forgets",
  "setup.changed": "Settings changed",
  error: "Error",
};

/** An event's type in words; a type that this page does not know as it is. */
export function wordsOfEvent(type: string): string {
  return (EVENT_WORDS as Readonly<Record<string, string>>)[type] ?? type;
}

const DECIDED: Readonly<Record<string, string>> = { allow: "allowed", ask: "asks you", deny: "denied" };
const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** What is told about an event besides its type, in one line: no times of another zone, no ids, nothing twice. */
export function aboutEvent({ type, summary }: Pick<AuditedEvent, "type" | "summary">, nowMs: number): string {
  const line = summary.replaceAll(/\s+/g, " ").slice(0, 240);
  // “Task paused” says it already.
  if (type === "call.started" || type.endsWith(`.${line}`)) return "";
  if (type === "session.started") return line.replace(/, \S+(?=, by )/, "");
  if (type === "turn.completed") return usageWords(line);
  if (type === "call.decided")
    return line.replace(
      /^(allow|ask|deny) by \S+?(?=;|$)/,
      (_all, decision: string) => DECIDED[decision] ?? "",
    );
  if (type === "user.message") return line.replace(/^ws: /, "");
  return line.replaceAll(INSTANT, (at) => shortTime(at, nowMs));
}

function usageWords(json: string): string {
  try {
    const { inputTokens = 0, outputTokens = 0 } = JSON.parse(json) as Readonly<Record<string, number>>;
    return `${inputTokens.toLocaleString()} tokens read, ${outputTokens.toLocaleString()} written`;
  } catch {
    return json;
  }
}
