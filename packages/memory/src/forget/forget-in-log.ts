import { type CellId, throwIfAborted, type TurnId } from "@deputy/kit";
import { type EventLog, type KeptOnForgetting, readEvent, type StoredEvent } from "@deputy/protocol";
import { nameOfNote, type WishMatcher } from "./wish.ts";

/** What was said, done, shown, noted and told. The rest says that something happened, or is still needed. */
const ERASABLE =
  /^(?:user|assistant|cell|call|approval|plan|outbox)\.|^(?:session\.(?:compacted|updated)|turn\.facts|memory\.(?:recalled|written)|system\.noted|hook\.received|error)$/;
/** Belong to something that may still be in use; once it is not, they are erased. */
const OWNED = /^(?:task\.(?:created|edited)|cron\.(?:added|updated)|grant\.created)$/;
const WHY_NEEDED: Readonly<Record<string, string>> = {
  task: "A task still has it as its prompt: cancel the task, and forget again",
  cron: "A reminder has it as its text: remove the reminder, and forget again",
  grant: "A permission is for it: revoke the permission, and forget again",
  session: "A conversation is called that by the program that began it: delete the conversation",
  turn: "It is in how a turn ended, which the log must keep",
  workspace: "It is in the name of a file in the agents' copy of your files",
};
const WHY_KEPT = "It is in a record that the log must keep";
/** Say which event is gone, or what was forgotten: they have none of its words. */
const RECORDS: ReadonlySet<string> = new Set(["event.erased", "memory.forgotten", "memory.forgetting"]);
/** What is in place of a prompt as long as this process knows the task. */
const FORGOTTEN = "(forgotten)";
/** Events that are erased in one transaction. */
const AT_ONCE = 500;

export interface ForgottenInLog {
  readonly events: number;
  readonly recalled: number;
  readonly attachments: number;
  readonly sessions: ReadonlySet<string>;
  readonly kept: readonly KeptOnForgetting[];
}

/** Files that came with messages. */
export interface AttachedFiles {
  /** Those that have one of these texts. Rejects with the signal's reason on abort. */
  holding(texts: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** Idempotent. */
  remove(files: readonly string[]): Promise<void>;
}

/**
 * Erases the payloads of all events that a wish is about, and the raw values of the programs in their turns. `do`:
 * `count` erases nothing. Idempotent. Rejects as the log does.
 */
export async function forgetInLog(
  deps: {
    readonly log: Pick<EventLog, "append" | "readAll" | "erase" | "journal">;
    /** True while a task, a reminder or a permission that an event belongs to is in use. */
    readonly isInUse: (event: StoredEvent) => Promise<boolean>;
    readonly attached: AttachedFiles;
    /** True while a turn is going on there: what it knows cannot be taken from it. */
    readonly isBusy: (stream: string) => Promise<boolean>;
    /** A wish may be about one agent. */
    readonly isMeant: (event: StoredEvent) => Promise<boolean>;
  },
  { fits, traces }: Pick<WishMatcher, "fits" | "traces">,
  options: { readonly do: "erase" | "count"; readonly by: string; readonly except: ReadonlySet<string> },
  signal: AbortSignal,
): Promise<ForgottenInLog> {
  const { log, attached } = deps;
  const holding = await attached.holding(traces, signal);
  const chosen: StoredEvent[] = [];
  const sessions = new Set<string>();
  const turns = new Set<TurnId>();
  const cells = new Map<CellId, TurnId | undefined>();
  const kept = new Map<string, KeptOnForgetting>();
  /** Attached files of what goes, and of what stays. */
  const [going, staying] = [new Set<string>(), new Set<string>()];
  let recalled = 0;
  const keep = (what: string, why: string): void =>
    void kept.set(what, { what, why, count: (kept.get(what)?.count ?? 0) + 1 });
  const isMeant = async (event: StoredEvent, files: readonly string[]): Promise<boolean> => {
    if (options.except.has(event.id) || RECORDS.has(event.type) || isDeletion(event)) return false;
    const item = { text: wordsIn(event.data), at: timeOf(event), ...placeOf(event) };
    const isFitting = fits(item) || files.some((file) => holding.has(file));
    // That something happened at a time, or somewhere, is a record; only its words can be meant.
    if (traces.length === 0 && !OWNED.test(event.type) && !ERASABLE.test(event.type)) return false;
    return isFitting && (await deps.isMeant(event));
  };
  const whyKept = async (event: StoredEvent): Promise<readonly [what: string, why: string] | undefined> => {
    const [kind = ""] = event.type.split(".");
    const isOwned = OWNED.test(event.type);
    if (!isOwned && !ERASABLE.test(event.type)) return [event.type, WHY_NEEDED[kind] ?? WHY_KEPT];
    if (isOwned && (await deps.isInUse(event))) return [event.type, WHY_NEEDED[kind] ?? WHY_KEPT];
    if (await deps.isBusy(event.stream))
      return [event.stream, "The conversation is at work: forget again once it has ended"];
    return undefined;
  };
  for await (const { event } of log.readAll()) {
    throwIfAborted(signal);
    if (event.data === null) continue;
    const read = readEvent(event);
    if (read.kind === "known" && read.event.type === "cell.submitted")
      cells.set(read.event.data.cellId, event.turnId);
    const files = filesIn(event.data);
    const why = (await isMeant(event, files)) ? await whyKept(event) : "not meant";
    if (why !== undefined) {
      if (why !== "not meant") keep(...why);
      for (const file of files) staying.add(file);
      continue;
    }
    chosen.push(event);
    for (const file of files) going.add(file);
    if (event.type === "memory.recalled") recalled += 1;
    if (event.stream.startsWith("ses_")) sessions.add(event.stream);
    if (event.turnId !== undefined) turns.add(event.turnId);
  }
  for (const file of holding) if (!staying.has(file)) going.add(file);
  const removable = [...going].filter((file) => !staying.has(file));
  if (options.do === "erase") {
    // First the files: what names them is how the next start would find them.
    await attached.remove(removable);
    await overwriteInViews(log, chosen, options.by);
    const ids = chosen.map(({ id }) => id);
    for (let at = 0; at < ids.length; at += AT_ONCE)
      await log.erase(ids.slice(at, at + AT_ONCE), options.by, "It was to be forgotten");
    for (const [cell, turn] of cells)
      if (turn !== undefined && turns.has(turn)) await log.journal.erase(cell);
  }
  const attachments = removable.length;
  return { events: chosen.length, recalled, attachments, sessions, kept: [...kept.values()] };
}

/** A running process knows titles and prompts from the log: it is told that they are others now. */
async function overwriteInViews(
  log: Pick<EventLog, "append">,
  chosen: readonly StoredEvent[],
  by: string,
): Promise<void> {
  const overwritten = new Set<string>();
  for (const event of chosen) {
    const read = readEvent(event);
    if (read.kind !== "known") continue;
    const { type, data } = read.event;
    const [kind] = type.split(".");
    if (overwritten.has(`${kind} ${event.stream}`)) continue;
    const isTask = type === "task.created" || type === "task.edited";
    const isTitle = type === "session.updated" && typeof data.title === "string";
    if (isTask)
      await log.append(event.stream, [
        { type: "task.edited", data: { taskId: data.taskId, by, prompt: FORGOTTEN } },
      ]);
    if (isTitle) await log.append(event.stream, [{ type: "session.updated", data: { by, title: null } }]);
    if (isTask || isTitle) overwritten.add(`${kind} ${event.stream}`);
  }
}

/** A conversation that is gone from all lists must not come back. */
function isDeletion({ type, data }: StoredEvent): boolean {
  return type === "session.updated" && (data as { readonly deleted?: unknown }).deleted === true;
}

/** The attached files that an event names. */
function filesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(filesIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    key === "blobId" && typeof inner === "string" ? [inner] : filesIn(inner),
  );
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

function placeOf(event: StoredEvent): {
  readonly sources: readonly string[];
  readonly names: readonly string[];
} {
  const [who, paths] = [whoIn(event), pathsIn(event)];
  return { sources: [event.stream, ...who, ...paths], names: [...who, ...paths.flatMap(nameOfNote)] };
}

function whoIn(event: StoredEvent): readonly string[] {
  const read = readEvent(event);
  if (read.kind !== "known") return [];
  const { type, data } = read.event;
  switch (type) {
    case "user.message":
      return [data.sender, `${data.channel} ${data.sender}`];
    case "call.settled":
      return data.labels.filter(({ trust }) => trust === "untrusted").map(({ source }) => source);
    case "memory.recalled":
      return data.hits.flatMap(({ foreign }) => foreign);
    case "memory.written":
      return data.toldBy;
    case "hook.received":
      return [data.label.source];
    default:
      return [];
  }
}

function pathsIn(event: StoredEvent): readonly string[] {
  const read = readEvent(event);
  if (read.kind !== "known") return [];
  const { type, data } = read.event;
  if (type === "memory.recalled") return data.hits.map(({ path }) => path);
  return type === "memory.written" ? [data.path] : [];
}
