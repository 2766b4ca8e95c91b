import type { AuditedEvent, EventType } from "@deputy/protocol";
import { browserName } from "./browser-name.ts";
import { inWords } from "./short-value.ts";
import { shortTime } from "./times.ts";
import { wordsOfScope } from "./words.ts";

/** What kinds of events there are, in the reader's words, and the types behind each. */
export const EVENT_KINDS = {
  talk: { label: "Conversations", types: ["session", "user", "assistant", "turn", "error"] },
  calls: { label: "Programs and calls", types: ["cell", "call", "plan", "sandbox"] },
  approvals: { label: "Approvals", types: ["approval", "grant"] },
  tasks: { label: "Tasks and reminders", types: ["task", "cron", "heartbeat", "system"] },
  outside: { label: "Reports and notifications", types: ["hook", "outbox", "channel"] },
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
  "turn.started": "Started working",
  "turn.completed": "Finished",
  "turn.failed": "Failed",
  "turn.aborted": "Stopped",
  "cell.submitted": "Program written",
  "cell.checked": "Program checked",
  "cell.completed": "Program ended",
  "call.requested": "Call requested",
  "call.decided": "Call decided",
  "call.started": "Call started",
  "call.progress": "Call progress",
  "call.settled": "Call ended",
  "approval.requested": "Asked you",
  "approval.resolved": "Answered",
  "grant.created": "Permission given",
  "grant.revoked": "Permission revoked",
  "task.created": "Task created",
  "task.scheduled": "Next run set",
  "task.fired": "Task ran",
  "task.skipped": "Task skipped",
  "task.paused": "Task paused",
  "task.resumed": "Task resumed",
  "task.edited": "Task changed",
  "task.cancelled": "Task cancelled",
  "task.completed": "Task ended",
  "cron.added": "Reminder set",
  "cron.updated": "Reminder changed",
  "cron.removed": "Reminder removed",
  "cron.fired": "Reminder due",
  "cron.skipped": "Reminder skipped",
  "system.noted": "Note for an agent",
  "heartbeat.began": "Heartbeat began",
  "heartbeat.skipped": "Heartbeat skipped",
  "heartbeat.ended": "Heartbeat ended",
  "heartbeat.paused": "Heartbeat paused",
  "heartbeat.resumed": "Heartbeat resumed",
  "hook.received": "Report received",
  "outbox.queued": "Notification queued",
  "outbox.sent": "Notification sent",
  "outbox.failed": "Notification failed",
  "outbox.held": "Notification waits for the end of quiet hours",
  "outbox.released": "Quiet hours ended",
  "auth.accepted": "Signed in",
  "auth.rejected": "Sign-in refused",
  "net.request": "Network request",
  "sandbox.ran": "Command run",
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
  "turn.claimed": "Work resumed",
  "turn.facts": "Told the time",
  "turn.suspended": "Work paused",
  "cell.suspended": "Program waits",
  "cell.resumed": "Program resumed",
  "plan.proposed": "Plan made",
  "memory.applied": "Memory changed",
  "memory.forgetting": "Forgetting",
  "setup.changed": "Settings changed",
  "channel.code": "Pairing code made",
  "channel.paired": "Chat app paired",
  "channel.unpaired": "Chat app unpaired",
  "channel.home": "Notifications may go to a chat",
  "channel.again": "To be posted again in a chat app",
  "channel.posting": "Posting to a chat app",
  "channel.posted": "Posted to a chat app",
  "channel.shown": "Shown in a chat app",
  error: "Error",
};

/** An event's type in words; a type that this page does not know as it is. */
export function wordsOfEvent({ type, summary }: Pick<AuditedEvent, "type" | "summary">): string {
  if (type === "auth.rejected" && summary.includes(AT_A_HOOK)) return "Report refused";
  return (EVENT_WORDS as Readonly<Record<string, string>>)[type] ?? type;
}

const DECIDED: Readonly<Record<string, string>> = { allow: "allowed", ask: "asked you", deny: "denied" };
const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g;
const ID = /\b[a-z]{3}_[0-9a-z]{10,}\b/gi;
const PLACES: Readonly<Record<string, string>> = {
  web: "on the page",
  ws: "over the network",
  terminal: "in the terminal",
  task: "for a task",
  acp: "in an editor",
};
const LINE_CHARS = 240;
const AT_A_HOOK = " /api/hooks/";

/** What is told about an event besides its type, in one line: no times of another zone, no ids, no JSON, nothing twice. */
export function aboutEvent({ type, summary }: Pick<AuditedEvent, "type" | "summary">, nowMs: number): string {
  const line = withoutIds(summary.replaceAll(/\s+/g, " "));
  // “Task paused” says it already.
  if (type === "call.started" || type.endsWith(`.${line}`)) return "";
  return wordsAbout(type, line)
    .replaceAll(INSTANT, (at) => shortTime(at, nowMs))
    .slice(0, LINE_CHARS);
}

/** JSON without what has an id, a hash or nothing for its value. */
function withoutIds(line: string): string {
  return line
    .replaceAll(/"\w+":(?:null|"(?:[a-z]{3}_[0-9a-z]{10,}|[0-9a-f]{32,})(?:"|…|$))(?:,|(?=[}\]]|$))/gi, "")
    .replaceAll(/,(?=[}\]])/g, "");
}

function wordsAbout(type: string, line: string): string {
  switch (type) {
    case "session.started":
      return line.replace(
        /^agent (\S+), .*, by (\S+)$/,
        (_all, agent: string, channel: string) =>
          `${PLACES[channel] ?? `by ${channel}`}, with the agent ${agent}`,
      );
    case "turn.started":
      return line.replace(/^agent (\S+), model /, "$1, with ");
    case "turn.claimed":
      return line.includes("gone") ? "after Deputy had stopped unexpectedly" : "after a restart";
    case "turn.completed":
      return usageWords(line);
    case "cell.submitted":
      return line.replace(/^(?:typescript|javascript): /, "");
    case "cell.checked":
      return line === "nothing is wrong with it" ? "no errors" : line;
    case "call.decided":
      return line
        .replace(
          /^(allow|ask|deny) by \S+?(; |$)/,
          (_all, decision: string, more: string) => `${DECIDED[decision] ?? ""}${more === "" ? "" : ": "}`,
        )
        .replaceAll(".; ", ". ");
    case "call.settled":
      return line.replace(/^succeeded(: )?(.*)$/, (_all, _colon, rest: string) =>
        rest === "" ? "" : readableJson(rest),
      );
    case "assistant.message":
      return line.replaceAll(/(?:^| )(?:#{1,6}|>|\|[-: |]*\|) |\*\*|`+/g, " ").trim();
    case "user.message":
      return line
        .replace(/^(?:ws|web|terminal|acp|note): /, "")
        .replace(/^\[Not written by the user[^\]]*\] ?/, "");
    case "approval.resolved":
      return line.replace(/ for (\S+?)(?=:|$)/, (_all, scope: string) =>
        scope === "once" || scope === "plan" ? "" : `, ${wordsOfScope(scope)}`,
      );
    case "grant.created":
      return line.replace(
        /^(\S+): ([^:]+)/,
        (_all, scope: string, tools: string) =>
          `${counted(tools)}, ${wordsOfScope(scope, false, new Set(tools.split(", ")).size)}`,
      );
    case "plan.proposed":
      return counted(line);
    case "outbox.queued":
    case "outbox.sent":
      return line
        .replaceAll(ID, "")
        .replace(/^session\s*:\s*(.*)$/, (_all, text: string) =>
          text === "" ? "to its conversation" : `to its conversation: ${text}`,
        );
    case "task.fired":
      return wordsOfReason(line);
    case "hook.received":
      return readableJson(line.replace(/^\S+ \S+: /, ""));
    case "auth.accepted":
    case "auth.rejected":
      return doorWords(line);
    case "net.request":
      return line
        .replace(/^allow /, "")
        .replace(/^(?:deny|ask) (.*)$/, "refused: $1")
        .replace(/: (\d{3})$/, " answered $1");
    case "task.scheduled":
      return line.replace(/^due next at /, "");
    default:
      return readableJson(line.replaceAll(ID, "").replace(/^[\s:,]+|(?<=: )of /g, ""));
  }
}

/** Who came, from where and with what; of a refusal, why. */
function doorWords(line: string): string {
  const [, from, route = "", how = "", rest = ""] =
    /^from (\S+), (\S+ [^,]+), ([^,]+)(?:, (.*))?$/.exec(line) ?? [];
  if (from === undefined) return line;
  const [, why] = /(?:^|, )([a-z]+(?:_[a-z]+)+(?: \(and \d+ more\))?)$/.exec(rest) ?? [];
  const client = why === undefined ? rest : rest.slice(0, -why.length).replace(/, $/, "");
  const by = client === "" ? "" : client.startsWith("Mozilla/") ? browserName(client) : client;
  const at = route.includes(AT_A_HOOK) ? how : "";
  return [why?.replaceAll("_", " "), at, by, `from ${from}`].filter(Boolean).join(" · ");
}

/** “mail.send × 2, notes.note” of a list that names some twice. */
function counted(list: string): string {
  const names = Map.groupBy(list.split(", "), (name) => name);
  return [...names].map(([name, all]) => (all.length === 1 ? name : `${name} × ${all.length}`)).join(", ");
}

/** “to: ada@example.org · subject: Rows” of an object that JSON spells out; anything else as it is. */
export function readableJson(text: string): string {
  if (!/^[[{"]/.test(text)) return text;
  try {
    return inWords(JSON.parse(text), 0);
  } catch {
    // Cut at its end: what is whole of it, or else what is there without the signs of JSON.
    const whole = wholePart(text);
    if (whole !== undefined) return `${inWords(whole, 0)} …`;
    return text
      .replace(/^[[{]+/, "")
      .replaceAll(/"(\w+)":/g, "$1: ")
      .replaceAll(/(?<!\\)"/g, "");
  }
}

/** JSON that was cut, through its last whole value. */
function wholePart(text: string): unknown {
  const open: string[] = [];
  let isInText = false;
  let whole: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '"') isInText = !isInText;
    else if (isInText) at += sign === "\\" ? 1 : 0;
    else if (sign === "{") open.push("}");
    else if (sign === "[") open.push("]");
    else if (sign === "}" || sign === "]") open.pop();
    else if (sign === ",") whole = text.slice(0, at) + open.toReversed().join("");
  }
  try {
    return whole === undefined ? undefined : JSON.parse(whole);
  } catch {
    return undefined;
  }
}

/** Why a task ran, as the reader says it. */
export function wordsOfReason(reason: string): string {
  return reason.replace(/\bowner asked for it$/, "you asked for it");
}

/** Who did it, as the reader says it. */
export function wordsOfWho(who: string): string {
  if (who === "owner") return "you";
  return who === "assistant" || who === "deputy" ? "Deputy" : who;
}

function usageWords(json: string): string {
  try {
    const { inputTokens = 0, outputTokens = 0 } = JSON.parse(json) as Readonly<Record<string, number>>;
    return `${inputTokens.toLocaleString()} tokens read, ${outputTokens.toLocaleString()} written`;
  } catch {
    return json;
  }
}
