import { type CellId, type EventId, throwIfAborted, type TurnId } from "@deputy/kit";
import { type EventLog, type KeptOnForgetting, readEvent, type StoredEvent } from "@deputy/protocol";
import type { WishMatcher } from "./wish.ts";

/** What was said, done, shown, noted and told. The rest says that something happened, or is still needed. */
const ERASABLE =
  /^(?:user|assistant|cell|call|approval|plan|outbox)\.|^(?:session\.(?:compacted|updated)|memory\.(?:recalled|written)|system\.noted|hook\.received|error)$/;
const NEEDED: Readonly<Record<string, string>> = {
  "task.created": "A task still has it as its prompt: cancelling the task ends its use, and its record stays",
  "cron.added": "A reminder has it as its text: remove the reminder",
  "cron.updated": "A reminder has it as its text: remove the reminder",
  "grant.created": "A permission is for it: revoke the permission",
};
/** Events that are erased in one transaction. */
const AT_ONCE = 500;

export interface ForgottenInLog {
  readonly events: number;
  readonly recalled: number;
  readonly sessions: ReadonlySet<string>;
  readonly kept: readonly KeptOnForgetting[];
}

/**
 * Erases the payloads of all events that a wish is about, and the raw values of the programs in their turns. `do`:
 * `count` erases nothing. Idempotent. Rejects as the log does.
 */
export async function forgetInLog(
  deps: {
    readonly log: Pick<EventLog, "readAll" | "erase" | "journal">;
    /** True while a turn is going on there: what it knows cannot be taken from it. */
    readonly isBusy: (stream: string) => Promise<boolean>;
    /** A wish may be about one agent. */
    readonly isMeant: (event: StoredEvent) => Promise<boolean>;
  },
  { fits }: Pick<WishMatcher, "fits">,
  options: { readonly do: "erase" | "count"; readonly by: string; readonly except: ReadonlySet<string> },
  signal: AbortSignal,
): Promise<ForgottenInLog> {
  const { log } = deps;
  const chosen: EventId[] = [];
  const sessions = new Set<string>();
  const turns = new Set<TurnId>();
  const cells = new Map<CellId, TurnId | undefined>();
  const kept = new Map<string, KeptOnForgetting>();
  let recalled = 0;
  const keep = (what: string, why: string): void =>
    void kept.set(what, { what, why, count: (kept.get(what)?.count ?? 0) + 1 });
  for await (const { event } of log.readAll()) {
    throwIfAborted(signal);
    if (event.data === null || options.except.has(event.id)) continue;
    const read = readEvent(event);
    if (read.kind === "known" && read.event.type === "cell.submitted")
      cells.set(read.event.data.cellId, event.turnId);
    const isKnown = ERASABLE.test(event.type);
    if (!isKnown && NEEDED[event.type] === undefined) continue;
    const item = { text: wordsIn(event.data), at: timeOf(event), sources: sourcesOf(event) };
    if (!fits(item) || !(await deps.isMeant(event))) continue;
    if (!isKnown) keep(event.type, NEEDED[event.type] ?? "");
    else if (await deps.isBusy(event.stream))
      keep(event.stream, "The conversation is at work: forget again once it has ended");
    else {
      chosen.push(event.id);
      if (event.type === "memory.recalled") recalled += 1;
      if (event.stream.startsWith("ses_")) sessions.add(event.stream);
      if (event.turnId !== undefined) turns.add(event.turnId);
    }
  }
  if (options.do === "erase") {
    for (let at = 0; at < chosen.length; at += AT_ONCE)
      await log.erase(chosen.slice(at, at + AT_ONCE), options.by, "It was to be forgotten");
    for (const [cell, turn] of cells)
      if (turn !== undefined && turns.has(turn)) await log.journal.erase(cell);
  }
  return { events: chosen.length, recalled, sessions, kept: [...kept.values()] };
}

/** All strings in a value, and its keys. */
function wordsIn(value: unknown): string {
  const words: string[] = [];
  const add = (one: unknown): void => {
    if (typeof one === "string") words.push(one);
    else if (typeof one === "number") words.push(String(one));
    else if (Array.isArray(one)) one.forEach(add);
    else if (typeof one === "object" && one !== null)
      for (const [key, inner] of Object.entries(one)) {
        words.push(key);
        add(inner);
      }
  };
  add(value);
  return words.join("\n");
}

/** A copy in a fork is as old as what it is a copy of. */
function timeOf({ at, data }: StoredEvent): string {
  const { copyOf } = data as { readonly copyOf?: { readonly at?: unknown } };
  return typeof copyOf?.at === "string" ? copyOf.at : at;
}

function sourcesOf(event: StoredEvent): readonly string[] {
  const read = readEvent(event);
  const own = [event.stream];
  if (read.kind !== "known") return own;
  const { type, data } = read.event;
  switch (type) {
    case "user.message":
      return [...own, data.sender, `${data.channel} ${data.sender}`];
    case "call.settled":
      return [
        ...own,
        ...data.labels.filter(({ trust }) => trust === "untrusted").map(({ source }) => source),
      ];
    case "memory.recalled":
      return [...own, ...data.hits.flatMap(({ foreign, path }) => [...foreign, path])];
    case "memory.written":
      return [...own, data.path, ...data.toldBy];
    case "hook.received":
      return [...own, data.label.source];
    default:
      return own;
  }
}
