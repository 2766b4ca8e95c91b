import type { SessionService, TranscriptLine } from "@deputy/agent/sessions";
import { parseId, type SessionId } from "@deputy/kit";
import { type EventLog, isSessionStream, readEvent } from "@deputy/protocol";
import { describeSchedule, localStamp } from "@deputy/protocol/schedule";
import {
  type Conversations,
  describeUnknownReporter,
  type Reminder,
  type Reminders,
  type Reporters,
  type TaskService,
} from "@deputy/tasks";
import {
  type OwnHooks,
  type OwnMemory,
  type OwnServices,
  type SessionLine,
  todoInputSchema,
} from "@deputy/builtins";
import { ToolsError } from "@deputy/tools";

/** The parts of an engine that this needs. */
export interface EngineServices {
  readonly tasks: Pick<TaskService, "create" | "list" | "get" | "plan" | "cancel">;
  readonly sessions: Pick<SessionService, "list" | "find" | "search" | "transcript">;
  readonly conversations: Pick<Conversations, "send">;
  readonly reminders: Pick<Reminders, "add" | "list" | "update" | "remove">;
  readonly reporters: () => Reporters;
  readonly hooks: OwnHooks;
  /** Absent if it is switched off. */
  readonly memory?: OwnMemory | undefined;
}

/** Sessions, tasks and lists of an engine, for its own tools. */
export function openOwnServices(
  deps: EngineServices & { readonly log: Pick<EventLog, "read"> },
): OwnServices {
  const { log, tasks, sessions, conversations, reminders, memory } = deps;

  const lastLines = async (session: SessionId, limit: number, signal: AbortSignal) => {
    const lines: SessionLine[] = [];
    let count = 0;
    for await (const line of sessions.transcript(session, signal)) {
      const told = toLine(line);
      if (told === undefined) continue;
      count += 1;
      lines.push(told);
      if (lines.length > limit) lines.shift();
    }
    return { lines, isCut: count > lines.length };
  };

  return {
    tasks: {
      create: ({ prompt, agentId, from }) =>
        tasks.create({
          prompt,
          ...(agentId === undefined ? {} : { agentId }),
          requesterId: from,
          writtenBy: "model",
        }),
      async createRepeating({ prompt, agentId, when, from }) {
        const agent = agentId === undefined ? {} : { agentId };
        const request = { prompt, ...agent, ...whenOf(when), requesterId: from, writtenBy: "model" } as const;
        const task = await tasks.create(request);
        const plan = await tasks.plan(task.id);
        return { ...task, runs: plan?.runs ?? "", next: (plan?.next ?? []).map(localStamp) };
      },
      async finish(session) {
        const stream = parseId("session", session);
        const task = (await tasks.list()).find((one) => one.stream === stream);
        return task?.kind === "recurring" ? "finishing" : "not_recurring";
      },
      whyNeverReported(name) {
        const problem = describeUnknownReporter(name, deps.reporters());
        return problem === undefined
          ? undefined
          : `${problem.message} ${problem.hint} hooks.create proposes one to the user.`;
      },
      list: () => tasks.list(),
      async cancel(taskId) {
        const id = parseId("task", taskId);
        return id === undefined ? "unknown" : (await tasks.cancel(id, "agent")).kind;
      },
      async history(taskId, limit, signal) {
        const id = parseId("task", taskId);
        const task = id === undefined ? undefined : await tasks.get(id);
        if (task === undefined || !isSessionStream(task.stream)) return undefined;
        return (await lastLines(task.stream, limit, signal)).lines;
      },
    },
    sessions: {
      list: (limit) => sessions.list({ limit, which: "conversations" }),
      async read(session, limit, signal) {
        const found = await sessions.find(session);
        if (found === undefined) return undefined;
        return { id: found.id, key: found.key, ...(await lastLines(found.id, limit, signal)) };
      },
      search: async (query, limit, signal) => (await sessions.search(query, { hits: limit }, signal)).hits,
      async send({ session, text, from }) {
        const found = await sessions.find(session);
        if (found === undefined) return undefined;
        // Its turn is running, and not always through the queue, so a second one must not begin beside it.
        if (found.id === from) throw new ToolsError("request_invalid", "This is the same session");
        const { stream } = await conversations.send({
          session: found.id,
          text: `[Not written by the user; an agent says this, from the session ${from}:]\n${text}`,
          channel: "session",
          sender: from,
          trust: "untrusted",
        });
        return { session: stream };
      },
    },
    reminders: {
      add: async (request) => toListed(await reminders.add(request)),
      list: async () => (await reminders.list()).map(toListed),
      async update(id, change) {
        const reminder = parseId("reminder", id);
        const changed = reminder === undefined ? undefined : await reminders.update(reminder, change);
        return changed === undefined ? undefined : toListed(changed);
      },
      async remove(id, from) {
        const reminder = parseId("reminder", id);
        return reminder !== undefined && (await reminders.remove(reminder, from));
      },
    },
    hooks: deps.hooks,
    get memory() {
      if (memory !== undefined) return memory;
      throw new ToolsError("not_available", "Memory is switched off in the settings", { quotes: [] });
    },
    async todo(session, signal) {
      const stream = parseId("session", session);
      return stream === undefined ? [] : await lastList(log, stream, signal);
    },
  };
}

function whenOf(when: Parameters<OwnServices["tasks"]["createRepeating"]>[0]["when"]) {
  if ("schedule" in when) return { schedule: when.schedule };
  const { hook, filter } = when;
  return { kind: "event", hook, ...(filter === undefined ? {} : { filter: { ...filter } }) } as const;
}

/** The input of the last successful `todo.write` in a session. */
async function lastList(log: Pick<EventLog, "read">, session: SessionId, signal: AbortSignal) {
  const asked = new Map<string, unknown>();
  let last: unknown;
  for await (const stored of log.read(session)) {
    signal.throwIfAborted();
    if (stored.type !== "call.requested" && stored.type !== "call.settled") continue;
    const read = readEvent(stored);
    if (read.kind !== "known") continue;
    const { event } = read;
    if (event.type === "call.requested" && event.data.toolPath === "todo.write")
      asked.set(event.data.callId, event.data.input);
    if (event.type === "call.settled" && event.data.status === "succeeded")
      last = asked.get(event.data.callId) ?? last;
  }
  const parsed = todoInputSchema.safeParse(last);
  return parsed.success ? parsed.data.items : [];
}

function toListed({ id, name, text, schedule, isEnabled, nextAt }: Reminder) {
  const next = nextAt === undefined ? {} : { nextAt: localStamp(nextAt) };
  return { id, name, text, runs: describeSchedule(schedule), isEnabled, ...next };
}

function toLine(line: TranscriptLine): SessionLine | undefined {
  const { seq, timestamp: at } = line;
  if ("role" in line) {
    const toolPath = "toolName" in line ? { toolPath: line.toolName } : {};
    return { seq, at, kind: line.role, text: line.content, ...toolPath };
  }
  if (line.type === "compaction") return { seq, at, kind: "note", text: line.summary };
  if (line.type === "turn") return { seq, at, kind: "note", text: line.error.message };
  return undefined;
}
