import { type ApprovalDesk, SuspendRequest, type TurnRunner } from "@deputy/agent";
import { type Clock, type IdSource, shorten, type TaskId, type TurnId } from "@deputy/kit";
import {
  type EventLog,
  readEvent,
  type StreamId,
  type PendingApproval,
  type DeliveryStream,
  type EventData,
  EventLogError,
  type NewEvent,
} from "@deputy/protocol";
import type { Advance, Advanced } from "@deputy/world";
import type { Outbox, Telling } from "../outbox/outbox.ts";
import { type Firing, type Outcome, type TaskEntry, type TasksView, turnOf } from "../tasks-view.ts";
import { waitName } from "./task-workflows.ts";
import { quotedMessage } from "../conversations/quoted-text.ts";

export interface FiringSteps {
  /**
   * The step of every workflow: runs the turn of a firing to its end, and reports its outcome. If the turn
   * can only wait for the user for a while, the step releases it. Rejects like `TurnRunner.run`; safe to
   * repeat.
   */
  readonly advance: Advance;
  /** Reports the result of an ended firing, and ends its task if that is over. Safe to repeat. */
  settle(entry: TaskEntry, firing: Firing): Promise<Advanced & { readonly kind: "ended" }>;
}

/** How long a turn that can only wait for the user is kept in memory for a quick answer. */
const PATIENCE_MS = 60_000;
/** Checked at least this often, in case an answer was missed. */
const LONGEST_WAIT_MS = 7 * 24 * 3_600_000;
/** A turn that could not be run this often has failed; that does not end the task. */
const MOST_TRIES = 3;
const BROKEN = { code: "internal", message: "Something went wrong inside Deputy; its log says what." };

export function createFiringSteps(deps: {
  readonly log: Pick<EventLog, "read" | "append">;
  readonly turns: TurnRunner;
  readonly approvals: Pick<ApprovalDesk, "pending">;
  readonly outbox: Pick<Outbox, "tell">;
  readonly clock: Clock;
  /** Brings entries up to date. */
  readonly look: () => Promise<TasksView>;
  readonly endTask: (entry: TaskEntry, outcome: Outcome) => Promise<void>;
  /** Called when a firing has ended and its task continues. */
  readonly onSettled: (entry: TaskEntry) => void;
}): FiringSteps {
  const { log, turns, clock, look } = deps;

  const settle: FiringSteps["settle"] = async (entry, firing) => {
    // From here on the turn does not run, and other callers see that.
    await look();
    const words = await readTurnWords(log, entry.task.stream, firing);
    await reportFiring(deps.outbox, entry, firing, words);
    const stop = words.isFinished || entry.task.kind === "one-shot" || entry.outcome !== undefined;
    const outcome = entry.outcome ?? (words.isFinished ? "succeeded" : (firing.outcome ?? "failed"));
    if (stop) await deps.endTask(entry, outcome);
    else deps.onSettled(entry);
    return { kind: "ended", outcome, stop };
  };

  /** Until the first question is answered or expires, counted from this number of answers. */
  const waitFor = async ({ stream }: TaskEntry["task"], name: string): Promise<Advanced> => {
    const asked = (await deps.approvals.pending()).filter((request) => request.stream === stream);
    // None is left if the question was answered just now: then there is nothing to wait for.
    const leftMs = asked.map(({ expiresAt }) =>
      expiresAt === undefined ? LONGEST_WAIT_MS : Date.parse(expiresAt) - clock.now(),
    );
    const timeoutMs = leftMs.length === 0 ? 0 : Math.min(...leftMs, LONGEST_WAIT_MS);
    return { kind: "waiting", approvalId: name, timeoutMs: Math.max(timeoutMs, 0) };
  };

  /** Undefined once the turn has ended. */
  const runTurn = async (
    entry: TaskEntry,
    firing: Firing,
    signal: AbortSignal,
  ): Promise<Advanced | undefined> => {
    const suspend = new AbortController();
    const onStop = (): void => suspend.abort(new SuspendRequest());
    let waiting = new AbortController();
    let answers: number | undefined;
    /** If an answer comes after the count was taken, the next count includes it. */
    const letGo = async (): Promise<void> => {
      await look();
      ({ answers } = entry);
      onStop();
    };
    const onWaiting = (isWaiting: boolean): void => {
      waiting.abort();
      if (!isWaiting) return;
      waiting = new AbortController();
      clock.sleep(PATIENCE_MS, waiting.signal).then(letGo, () => undefined);
    };
    signal.addEventListener("abort", onStop, { once: true });
    try {
      signal.throwIfAborted();
      await beginFiring(log, entry, firing);
      await turns.run({ ...turnOf(entry, firing), onWaiting }, suspend.signal);
      return undefined;
    } catch (error) {
      if (!(error instanceof SuspendRequest) || signal.aborted || answers === undefined) throw error;
      return await waitFor(entry.task, waitName(firing.turnId, answers));
    } finally {
      waiting.abort();
      signal.removeEventListener("abort", onStop);
    }
  };

  return {
    settle,
    async advance({ taskId, firingId }, signal, failures) {
      const entry = (await look()).byId.get(taskId as TaskId);
      const firing =
        entry?.task.kind === "one-shot"
          ? [...entry.firings.values()].at(-1)
          : entry?.firings.get(firingId as TurnId);
      // Tasks that ended long ago were dropped.
      if (entry === undefined || firing === undefined || entry.closed)
        return { kind: "ended", outcome: "cancelled", stop: entry?.closed !== false };
      if (firing.outcome === undefined) {
        const turn = turnOf(entry, firing);
        if (entry.outcome !== undefined) await turns.stop(turn, "owner");
        else if (failures >= MOST_TRIES) await turns.giveUp(turn, BROKEN);
        else {
          const waits = await runTurn(entry, firing, signal);
          if (waits !== undefined) return waits;
        }
      }
      return await settle(entry, firing);
    },
  };
}

/** The tool by which an agent says that its task is finished. */
const FINISH_TOOL = "tasks.finish";

/** How a turn of a task ended: whether it finished the task, and its last message. */
export interface TurnWords {
  readonly isFinished: boolean;
  /** Why it is over. */
  readonly reason: string | undefined;
  readonly message: string | undefined;
  readonly failure: string | undefined;
}

async function readTurnWords(
  log: Pick<EventLog, "read">,
  stream: StreamId,
  { turnId, seq }: Pick<Firing, "turnId" | "seq">,
): Promise<TurnWords> {
  let isFinished = false;
  let reason: string | undefined;
  let message: string | undefined;
  let failure: string | undefined;
  for await (const stored of log.read(stream, { after: seq })) {
    if (stored.turnId !== turnId) continue;
    const read = readEvent(stored);
    if (read.kind !== "known") continue;
    const { event } = read;
    if (event.type === "assistant.message") message = event.data.text;
    else if (event.type === "turn.failed") failure = event.data.message;
    else if (event.type === "call.requested" && event.data.toolPath === FINISH_TOOL)
      reason = reasonIn(event.data.input);
    else if (event.type === "call.settled" && event.data.status === "succeeded")
      isFinished ||= event.data.toolPath === FINISH_TOOL;
  }
  return { isFinished, reason, message, failure };
}

function reasonIn(input: unknown): string | undefined {
  const [first] = Array.isArray(input) ? (input as unknown[]) : [input];
  if (typeof first !== "object" || first === null || !("reason" in first)) return undefined;
  return typeof first.reason === "string" ? first.reason : undefined;
}

const LONGEST_TITLE = 60;

type Teller = Pick<Outbox, "tell">;

/** Reports the outcome of a firing to the owner, unless there is nothing to report. Each firing is reported once. */
async function reportFiring(
  outbox: Teller,
  entry: TaskEntry,
  { turnId }: Firing,
  { message, failure, isFinished, reason = "" }: TurnWords,
): Promise<void> {
  const said = message === undefined || isSilent(message) ? [] : [message];
  const failed = failure === undefined ? [] : [`It failed: ${failure}`];
  const isOver = isFinished && entry.task.kind !== "one-shot";
  const over = isOver ? [`The task has ended and will not run again: ${reason}`] : [];
  const text = [...said, ...failed, ...over].join("\n");
  if (text !== "") await outbox.tell(telling(entry, `${entry.task.id} ${turnId}`, text));
}

/** Tells the owner that a firing waits for them, once for each question. */
export async function reportAsked(outbox: Teller, entry: TaskEntry, asked: PendingApproval): Promise<void> {
  const { id, preview, expiresAt } = asked;
  const until = expiresAt === undefined ? "" : ` until ${expiresAt}`;
  const text = `It needs your approval${until}: ${preview.title}\nAnswer on the page, or with \`deputy approvals approve ${id}\` or \`deny\`.`;
  await outbox.tell({ ...telling(entry, `asks ${id}`, text), asks: id });
}

/** Tells the owner that the only time of a task passed while no process was running. */
export async function reportMissed(outbox: Teller, entry: TaskEntry, reason: string): Promise<void> {
  const text = `It did not run at its time, and will not: ${reason}.`;
  await outbox.tell(telling(entry, `missed ${entry.task.id}`, text));
}

function telling({ task, created }: TaskEntry, key: string, text: string): Telling {
  const [line = ""] = task.prompt.split("\n");
  const title = shorten(line, LONGEST_TITLE);
  return { key, to: created.sessionKey ?? "last", text, from: `the task “${title}”` };
}

const CHANNEL = "task";

/** A task is due: from here on it runs, in a turn that has not begun. */
export function firedEvent(
  taskId: EventData<"task.created">["taskId"],
  slot: {
    readonly firingId: string;
    readonly dueAt: string;
    readonly reason: string;
    readonly delivery?: DeliveryStream;
    readonly replaces?: true;
    readonly by?: string;
  },
  ids: IdSource,
): NewEvent {
  const turnId = ids.next("turn");
  return { type: "task.fired", turnId, data: { taskId, ...slot, turnId } };
}

/**
 * Begins the turn of a firing with the task's request, unless it has begun. A report comes first in it, and counts as
 * nobody's instruction. Rejects as the log does.
 */
async function beginFiring(
  log: Pick<EventLog, "read" | "append">,
  { task: { stream }, created }: TaskEntry,
  { turnId, seq, dueAt, delivery, by }: Firing,
): Promise<void> {
  const isUsers = created.writtenBy === undefined;
  const said: EventData<"user.message"> = {
    ...firingPrompt(created, dueAt, by === undefined ? "due" : "asked"),
    attachments: [],
    channel: CHANNEL,
    sender: created.requesterId ?? (isUsers ? "owner" : "client"),
    trust: isUsers ? "user" : "untrusted",
  };
  const source = created.trigger?.hook ?? "a hook";
  const reported =
    delivery === undefined
      ? []
      : [quotedMessage({ source, text: await readReport(log, delivery) }, { channel: CHANNEL, turnId })];
  for (;;) {
    let head = seq;
    for await (const event of log.read(stream, { after: seq })) {
      if (event.type === "user.message" && event.turnId === turnId) return;
      head = event.seq;
    }
    try {
      await log.append(stream, [...reported, { type: "user.message", turnId, data: said }], {
        expectedSeq: head,
      });
      return;
    } catch (error) {
      if (!(error instanceof EventLogError)) throw error;
      // Stopped before it began, so there is nothing to begin.
      if (error.code === "turn_ended") return;
      if (error.code !== "conflict") throw error;
    }
  }
}

/** A report as the agent sees it. */
async function readReport(log: Pick<EventLog, "read">, delivery: DeliveryStream): Promise<string> {
  for await (const stored of log.read(delivery)) {
    const read = readEvent(stored);
    if (read.kind !== "known" || read.event.type !== "hook.received") continue;
    const { payload } = read.event.data;
    return typeof payload === "string" ? payload : JSON.stringify(payload, null, 2);
  }
  return "(It was erased.)";
}

/** The whole answer of a firing that has nothing to report to its user. */
const NOTHING_TO_REPORT = "NOTHING_TO_REPORT";

/** The first message of a firing: the user's request, and what the agent must know about its situation. */
function firingPrompt(
  { kind, prompt }: Pick<EventData<"task.created">, "kind" | "prompt">,
  dueAt: string,
  why: "due" | "asked",
): Pick<EventData<"user.message">, "text" | "said"> {
  const when =
    why === "asked"
      ? `The user asked for it to run now, which is ${dueAt}`
      : kind === "event"
        ? "Something was reported, which is what the message before this one holds"
        : `It is due: ${dueAt}`;
  const text = [
    prompt,
    "",
    `[Deputy: this is a task that runs without anybody watching. ${when}. Your answer is sent to the user;`,
    `if there is nothing that they wanted to be told, answer ${NOTHING_TO_REPORT} and nothing else.`,
    kind === "recurring"
      ? "If what they asked for has come about and the task is over for good, call tools.tasks.finish.]"
      : kind === "event"
        ? "It runs again with the next report.]"
        : "It runs once.]",
  ].join("\n");
  return { text, said: { start: 0, end: prompt.length } };
}

export function isSilent(answer: string): boolean {
  return answer.trim() === NOTHING_TO_REPORT;
}
