import { type EventOf, type EventType, readEvent, type StoredEvent } from "../canonical-event.ts";
import { LOST_EVENT_TYPE } from "../log/event-chain.ts";
import { describeSchedule } from "../schedule/describe-schedule.ts";
import { ScheduleError } from "../schedule/zone-time.ts";

/** What an audit says about one event. */
export interface AuditEntry {
  /** Who did it, where the event says so. */
  readonly who?: string;
  readonly toolPath?: string;
  /** One line, not yet made visible: it may hold whatever a tool or a model said. */
  readonly summary: string;
}

/**
 * Left out of the daily files: how work went on, as opposed to what was said, asked, decided and done.
 * Types that this version does not know are in: an audit had rather say too much.
 */
const UNAUDITED: ReadonlySet<string> = new Set([
  "assistant.reasoning",
  "call.progress",
  "cell.checked",
  "cell.suspended",
  "cell.resumed",
  "memory.applied",
  "memory.forgetting",
  "memory.indexed",
  "memory.recalled",
  "turn.claimed",
  "turn.suspended",
] satisfies readonly EventType[]);

/** True if events of this type have a line in the daily files. */
export function isAudited(type: string): boolean {
  return !UNAUDITED.has(type) && type !== LOST_EVENT_TYPE;
}

/** Pure and total: every event has an entry, also erased, unknown and malformed ones. */
export function projectAudit(event: StoredEvent): AuditEntry {
  const read = readEvent(event);
  if (read.kind === "known") return describe(read.event);
  return { summary: read.why === "erased" ? "(erased)" : brief(event.data) };
}

type Table = { readonly [T in EventType]?: (data: EventOf<T>["data"]) => AuditEntry };

const table: Table = {
  "session.started": ({ agentId, key, channel }) => ({ summary: `agent ${agentId}, ${key}, by ${channel}` }),
  "user.message": ({ sender, channel, text }) => ({ who: sender, summary: `${channel}: ${text}` }),
  "assistant.message": ({ text }) => ({ who: "assistant", summary: text }),
  "assistant.reasoning": ({ text }) => ({ who: "assistant", summary: text }),
  "session.imported": () => ({ summary: "what came before was imported" }),
  "session.updated": ({ by, title, archived, deleted }) => ({
    who: by,
    summary: [
      ...(title === undefined ? [] : [title === null ? "name removed" : `named ${title}`]),
      ...(archived === undefined ? [] : [archived ? "archived" : "taken out of the archive"]),
      ...(deleted === undefined ? [] : ["deleted"]),
    ].join(", "),
  }),
  "session.compacted": ({ fromSeq, throughSeq }) => ({ summary: `events ${fromSeq} to ${throughSeq}` }),
  "event.erased": ({ by, seq, ranges = [[seq, seq]], reason }) => {
    const what = ranges
      .map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`))
      .join(", ");
    return { who: by, summary: `event ${what}${suffix(reason)}` };
  },
  error: ({ code, message }) => ({ summary: `${code}: ${message}` }),
  "turn.started": ({ agentId, model }) => ({ summary: `agent ${agentId}, model ${model}` }),
  "turn.claimed": ({ epoch, lost }) => ({
    summary: `owner ${epoch}${lost ? ", as the one before is gone" : ""}`,
  }),
  "turn.suspended": () => ({ summary: "suspended" }),
  "turn.completed": ({ usage }) => ({ summary: brief(usage) }),
  "turn.failed": ({ code, message }) => ({ summary: `${code}: ${message}` }),
  "turn.aborted": ({ by, reason }) => ({ who: by, summary: `stopped${suffix(reason)}` }),
  "cell.submitted": ({ language, code }) => ({ summary: `${language}: ${code}` }),
  "cell.checked": ({ diagnostics }) => ({
    summary:
      diagnostics.length === 0
        ? "nothing is wrong with it"
        : diagnostics.map(({ message }) => message).join("; "),
  }),
  "cell.suspended": ({ why }) => ({ summary: why }),
  "cell.resumed": ({ why }) => ({ summary: why }),
  "cell.completed": ({ error, result }) => ({
    summary: error === undefined ? brief(result) : `${error.code}: ${error.message}`,
  }),
  "call.requested": ({ toolPath, input }) => ({ toolPath, summary: brief(input) }),
  "call.decided": ({ decision, rule, provenance }) => ({
    summary: [`${decision} by ${rule}`, ...provenance].join("; "),
  }),
  "call.started": ({ toolPath }) => ({ toolPath, summary: "started" }),
  "call.progress": ({ toolPath, message }) => ({ toolPath, summary: message }),
  "call.settled": ({ toolPath, status, preview, error }) => ({
    toolPath,
    summary: `${status}${suffix(error?.message ?? preview)}`,
  }),
  "approval.requested": ({ toolPath, preview }) => ({ toolPath, summary: preview.title }),
  "approval.resolved": ({ decision, by, scope, reason }) => ({
    who: by,
    summary: `${decision} for ${scope}${suffix(reason)}`,
  }),
  "plan.proposed": ({ calls }) => ({ summary: calls.map(({ toolPath }) => toolPath).join(", ") }),
  "grant.created": ({ scope, bindings, expiresAt }) => ({
    summary: `${scope}: ${bindings.map(({ toolPath }) => toolPath).join(", ")}${suffix(expiresAt)}`,
  }),
  "grant.revoked": ({ by, grantId }) => ({ who: by, summary: grantId }),
  "retention.pruned": ({ what, count, reason }) => ({
    who: "deputy",
    summary: `${count} ${what}${suffix(reason)}`,
  }),
  "auth.accepted": (data) => ({ who: data.who, summary: signIn(data) }),
  "auth.rejected": (data) => ({ who: data.who, summary: signIn(data) }),
  "setup.changed": ({ by, what, name }) => ({ who: by, summary: `${what.replace("_", " ")} ${name}` }),
  "net.request": ({ verdict, method, host, status, reason }) => ({
    summary: `${verdict} ${method} ${host}${suffix(reason ?? status?.toString())}`,
  }),
  "hook.received": ({ hook, scheme, deliveryId, payload }) => ({
    who: `hook ${hook}`,
    summary: `${scheme} ${deliveryId}: ${brief(payload)}`,
  }),
  "cron.added": ({ from, name, text }) => ({ who: from, summary: `${name}: ${text}` }),
  "cron.removed": ({ from, reminderId }) => ({ who: from, summary: reminderId }),
  "cron.fired": ({ reminderId, dueAt, reason }) => ({ summary: `${reminderId} of ${dueAt}, ${reason}` }),
  "system.noted": ({ source, text }) => ({ who: source, summary: text }),
  "heartbeat.skipped": ({ reason }) => ({ who: "heartbeat", summary: reason }),
  "heartbeat.paused": ({ by }) => ({ who: by, summary: "paused" }),
  "heartbeat.resumed": ({ by }) => ({ who: by, summary: "resumed" }),
  "heartbeat.ended": ({ outcome }) => ({ who: "heartbeat", summary: outcome }),
  "outbox.queued": (data) => ({ summary: `${data.channel} ${data.conversation}: ${data.messageRef}` }),
  "outbox.sent": (data) => ({ summary: `${data.channel} ${data.conversation}: ${data.messageRef}` }),
  "outbox.failed": (data) => ({
    summary: `${data.channel} ${data.conversation}: ${data.messageRef}${suffix(data.reason)}`,
  }),
  "task.created": ({ requesterId, prompt, schedule }) => ({
    ...(requesterId === undefined ? undefined : { who: requesterId }),
    summary: `${prompt}${schedule === undefined ? "" : ` (${whenWords(schedule)})`}`,
  }),
  "task.scheduled": ({ dueAt }) => ({ summary: `due next at ${dueAt}` }),
  "task.fired": ({ dueAt, reason }) => ({ summary: `due at ${dueAt}${suffix(reason)}` }),
  "task.skipped": ({ dueAt, untilAt, count, reason }) => ({
    summary: `due at ${dueAt}${untilAt === undefined ? "" : ` and on until ${untilAt}, ${count ?? "several"} times`}${suffix(reason)}`,
  }),
  "task.paused": ({ by }) => ({ who: by, summary: "paused" }),
  "task.resumed": ({ by }) => ({ who: by, summary: "resumed" }),
  "task.edited": ({ by, prompt, schedule }) => ({
    who: by,
    summary: [prompt, schedule && whenWords(schedule)].filter((part) => part !== undefined).join(" · "),
  }),
  "task.cancelled": ({ by }) => ({ who: by, summary: "cancelled" }),
  "task.completed": ({ outcome }) => ({ summary: outcome }),
  "memory.written": ({ by, path, edit: { added, removed } }) => ({
    who: by,
    summary: `${path}: ${[...removed.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)].join(" ")}`,
  }),
  "memory.indexed": ({ sources, chunks }) => ({
    summary: `${sources.length} sources, ${chunks} pieces`,
  }),
  "memory.recalled": ({ hits, by }) => ({ summary: `${hits.length} pieces, found by ${by}` }),
  "memory.applied": ({ outcome }) => ({ summary: outcome === "written" ? "written" : "given up" }),
  "memory.forgotten": ({ by, removed: { lines, events, pieces } }) => ({
    who: by,
    summary: `${lines} lines of notes, ${events} events, ${pieces} pieces of the index`,
  }),
};

function describe<T extends EventType>(event: EventOf<T>): AuditEntry {
  return table[event.type]?.(event.data) ?? { summary: brief(event.data) };
}

/** Earlier versions kept the text that was typed; a zone may have gone since. */
function whenWords(schedule: NonNullable<EventOf<"task.created">["data"]["schedule"]>): string {
  if (typeof schedule === "string") return schedule;
  try {
    return describeSchedule(schedule);
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    return brief(schedule);
  }
}

function signIn(data: EventOf<"auth.rejected">["data"]): string {
  const { from, route, how, client, reason, unrecorded } = data;
  const told = [`from ${from}`, route, how, client, reason].filter((part) => part !== undefined);
  return told.join(", ") + (unrecorded === undefined ? "" : ` (and ${unrecorded} more)`);
}

const suffix = (text: string | undefined): string => (text === undefined || text === "" ? "" : `: ${text}`);

function brief(value: unknown): string {
  return JSON.stringify(value) ?? "";
}
