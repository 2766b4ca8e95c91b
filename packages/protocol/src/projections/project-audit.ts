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
  "turn.facts",
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

/** What entries say in words of Deputy's own: it need not be in the event. */
const OWN_WORDS =
  "agent by name removed named archived taken out of the archive the agent's model again deleted events to event " +
  "owner as the one before is gone suspended stopped nothing is wrong with it started for deputy assistant hook " +
  "heartbeat paused resumed due next at due at and on until several times cancelled sources pieces found by lines of " +
  "notes pieces of the index written given up what came before was imported erased from more exit";
/** Types whose entries say when something is due, in words. */
const WITH_SCHEDULE: readonly string[] = ["task.created", "task.edited"] satisfies readonly EventType[];

/** What finds all events whose type or entry has a text in it, and others too: for a search that reads none of them. */
export interface AuditNeedles {
  /** Each is in the type or in the JSON of the data, in whatever case; they are ASCII or have no cases. */
  readonly all: readonly string[];
  /** Events of these types may have the text in their entry, whatever is in them. */
  readonly orTypes: readonly string[];
}

export function auditNeedles(text: string): AuditNeedles {
  const runs = text.toLowerCase().match(/[a-z0-9]+|[^\P{L}a-z]+/gu) ?? [];
  const isInEvent = (run: string): boolean =>
    (/^[a-z0-9]+$/.test(run) || run === run.toUpperCase()) &&
    // Small numbers may have been counted.
    !/^\d{1,4}$/.test(run) &&
    !OWN_WORDS.includes(run);
  return { all: runs.filter(isInEvent), orTypes: WITH_SCHEDULE };
}

type Table = { readonly [T in EventType]?: (data: EventOf<T>["data"]) => AuditEntry };

const table: Table = {
  "session.started": ({ agentId, key, channel }) => ({ summary: `agent ${agentId}, ${key}, by ${channel}` }),
  "user.message": ({ sender, channel, text }) => ({ who: sender, summary: `${channel}: ${text}` }),
  "assistant.message": ({ text }) => ({ who: "assistant", summary: text }),
  "assistant.reasoning": ({ text }) => ({ who: "assistant", summary: text }),
  "session.imported": () => ({ summary: "what came before was imported" }),
  "session.updated": ({ by, title, archived, model, deleted }) => ({
    who: by,
    summary: [
      ...(title === undefined ? [] : [title === null ? "name removed" : `named ${title}`]),
      ...(archived === undefined ? [] : [archived ? "archived" : "taken out of the archive"]),
      ...(model === undefined ? [] : [model === null ? "the agent's model again" : `model ${model}`]),
      ...(deleted === undefined ? [] : ["deleted"]),
    ].join(", "),
  }),
  "session.compacted": ({ fromSeq, throughSeq, messagesBefore, messagesAfter }) => ({
    summary: `events ${fromSeq} to ${throughSeq}${messagesBefore === undefined ? "" : `, ${messagesBefore} messages to ${messagesAfter}`}`,
  }),
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
  "turn.facts": ({ at, zone }) => ({ summary: `${at}, ${zone}` }),
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
  "channel.code": ({ channel, expiresAt }) => ({ summary: `${channel}, until ${expiresAt}` }),
  "channel.paired": ({ channel, person, name }) => ({ who: `${channel} ${person}`, summary: name }),
  "channel.unpaired": ({ channel, person }) => ({ summary: `${channel} ${person}` }),
  "channel.home": ({ channel, person, session }) => ({ summary: `${channel} ${person}: ${session}` }),
  "channel.again": ({ channel, item }) => ({ summary: `${channel}: ${item}` }),
  "channel.posting": ({ channel, item, part }) => ({ summary: `${channel}: ${item} ${part}` }),
  "channel.posted": ({ channel, item, part, ref }) => ({ summary: `${channel}: ${item} ${part} as ${ref}` }),
  "channel.shown": ({ channel, item, through, failed }) => ({
    summary: `${channel}: ${item ?? `up to event ${through ?? 0}`}${suffix(failed)}`,
  }),
  "net.request": ({ verdict, method, host, status, reason }) => ({
    summary: `${verdict} ${method} ${host}${suffix(reason ?? status?.toString())}`,
  }),
  "sandbox.ran": ({ sandbox, line, exitCode, denied }) => ({
    summary: `${sandbox}: ${line}: ${[`exit ${exitCode}`, ...denied].join("; ")}`,
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
  "outbox.held": (data) => ({ summary: `${data.channel} ${data.conversation}: ${data.messageRef}` }),
  "outbox.released": ({ messageRefs }) => ({ summary: messageRefs.join(", ") }),
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
  "memory.recalled": ({ hits, by }) => ({
    summary: `${hits.length === 1 ? "1 piece" : `${hits.length} pieces`}, found by ${by}`,
  }),
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
