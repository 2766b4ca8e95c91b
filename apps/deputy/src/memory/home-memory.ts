import { hash as digest } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type GrantsDesk, isAgentSlug } from "@deputy/agent";
import { localDay } from "@deputy/protocol/schedule";
import type { SessionService } from "@deputy/agent/sessions";
import { type Clock, type IdSource, type Later, openLater, parseId } from "@deputy/kit";
import {
  createForgetting,
  createNoteKeeper,
  type Forgetting,
  type Memory,
  type NoteFiles,
  type NoteKeeper,
} from "@deputy/memory";
import { createFileSource, createNoteFiles } from "@deputy/memory/node";
import { type EventLog, readEvent, type StoredEvent, type UnusedBlobs } from "@deputy/protocol";
import type { Reminders, TaskService } from "@deputy/tasks";
import type { Home } from "../home.ts";
import { filesHolding, findTraces } from "./find-traces.ts";
import { agentPaths, extraPathsOf, INDEX_FILE } from "./memory-paths.ts";

/** The memory of a home: its index, which is opened at the first use, its notes, and how it forgets. */
export interface HomeMemory extends AsyncDisposable {
  readonly index: Later<Memory>["get"];
  readonly files: NoteFiles;
  readonly notes: NoteKeeper;
  readonly forgetting: Forgetting;
  /** Takes a deleted conversation out of the index at once, also if a crash comes in between. */
  removeSession(session: string, by: string, signal: AbortSignal): Promise<void>;
  /** Finishes what an earlier process began. Rejects as the log does. */
  recover(signal: AbortSignal): Promise<void>;
}

export interface HomeMemoryDeps {
  readonly home: Pick<Home, "directory" | "config">;
  readonly agentsDirectory: string;
  /** Where `.claude/skills` is looked for. */
  readonly workingDirectory: string;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly openIndex: () => Promise<Memory>;
  readonly blobs: Pick<UnusedBlobs, "removeUnused">;
  readonly blobsDirectory: string;
  /** Ready once the engine is. */
  readonly engine: () => MemoryEngine;
}

/** What forgetting has to know of an engine. */
export interface MemoryEngine {
  readonly sessions: Pick<SessionService, "find" | "remove">;
  readonly tasks: Pick<TaskService, "get">;
  readonly reminders: Pick<Reminders, "list">;
  readonly grants: Pick<GrantsDesk, "list">;
}

const ENDED: ReadonlySet<string> = new Set(["succeeded", "failed", "cancelled"]);
const DAILY_WAIT_MS = 250;
const DAILY_PATIENCE_MS = 5_000;

export function openHomeMemory(deps: HomeMemoryDeps): HomeMemory {
  const { home, agentsDirectory, log, clock } = deps;
  const skillsDirectory = join(deps.workingDirectory, ".claude", "skills");
  const later = openLater(deps.openIndex);
  const hash = (text: string): string => digest("sha256", text, "hex");
  const agentNames = (): readonly string[] =>
    existsSync(agentsDirectory)
      ? readdirSync(agentsDirectory, { withFileTypes: true })
          .filter((entry) => entry.isDirectory() && isAgentSlug(entry.name))
          .map(({ name }) => name)
      : [];
  const files = createNoteFiles((name) => {
    if (name === ".claude") return join(deps.workingDirectory, ".claude");
    return isAgentSlug(name) ? join(agentsDirectory, name) : undefined;
  }, agentNames);
  let isOpened = false;
  const index = async (): Promise<Memory> => {
    isOpened = true;
    return await later.get();
  };
  const notes = createNoteKeeper({
    log,
    files,
    hash,
    clock,
    today: () => localDay(new Date(clock.now()).toISOString()),
    onChange: () => {
      // An index that nobody has opened finds it at the first search.
      if (isOpened) void later.get().then((memory) => memory.noteChange());
    },
  });
  const find = async (stream: string) => {
    const id = parseId("session", stream);
    return id === undefined ? undefined : await deps.engine().sessions.find(id);
  };
  const forgetting = createForgetting({
    log,
    files,
    memory: index,
    documents: createFileSource(() => [...agentPaths(agentsDirectory), ...extraPathsOf(home)]),
    hash,
    isBusy: async (stream) => ((await find(stream))?.openTurns ?? 0) > 0,
    isInUse: (event) => isInUse(deps.engine(), event),
    attached: {
      holding: (texts, signal) => filesHolding(deps.blobsDirectory, texts, signal),
      async remove(blobIds) {
        for (const blobId of blobIds) await deps.blobs.removeUnused(blobId, Infinity);
      },
    },
    agentOf: async (stream) => (await find(stream))?.agentId,
    async removeSession(session, by) {
      const found = await find(session);
      if (found !== undefined) await deps.engine().sessions.remove(found.id, by);
      return found !== undefined;
    },
    async findTraces(texts, isKept, signal) {
      for (let waitedMs = 0; ; waitedMs += DAILY_WAIT_MS) {
        const found = [
          ...(await findTraces(home.directory, texts, signal)),
          ...(await findTraces(skillsDirectory, texts, signal)).map(({ what }) => ({
            what: `.claude/skills/${what}`,
            why: "It is in a skill of the working directory: edit or delete it",
            count: 1,
          })),
        ];
        // The daily files follow the log from behind. They keep what it keeps.
        const isBehind = !isKept && found.some(({ what }) => what.startsWith("daily/"));
        if (!isBehind || waitedMs >= DAILY_PATIENCE_MS) return found;
        await clock.sleep(DAILY_WAIT_MS, signal);
      }
    },
  });
  return {
    index,
    files,
    notes,
    forgetting,
    async removeSession(session, by, signal) {
      if (!existsSync(join(home.directory, INDEX_FILE))) {
        const found = await find(session);
        if (found !== undefined) await deps.engine().sessions.remove(found.id, by);
        return;
      }
      const forgetId = deps.ids.next("event");
      await forgetting.forget({ wish: { source: session }, by, forgetId }, signal);
    },
    async recover(signal) {
      await notes.recover(signal);
      await forgetting.recover(signal);
    },
    [Symbol.asyncDispose]: () => later[Symbol.asyncDispose](),
  };
}

/** True while the task, the reminder or the permission of an event can still run, remind or allow. */
async function isInUse({ tasks, reminders, grants }: MemoryEngine, stored: StoredEvent): Promise<boolean> {
  const read = readEvent(stored);
  if (read.kind !== "known") return false;
  const { type, data } = read.event;
  switch (type) {
    case "task.created":
    case "task.edited": {
      const task = await tasks.get(data.taskId);
      return task !== undefined && !ENDED.has(task.status);
    }
    case "cron.added":
    case "cron.updated":
      return (await reminders.list()).some(({ id }) => id === data.reminderId);
    case "grant.created":
      return (await grants.list()).some(({ id }) => id === data.grantId);
    default:
      return false;
  }
}
