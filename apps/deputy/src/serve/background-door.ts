import type { BackgroundDoor } from "@deputy/gateway";
import type { Clock } from "@deputy/kit";
import { type EventLog, readEvent } from "@deputy/protocol";
import { describeSchedule } from "@deputy/protocol/schedule";
import type { Reminder, Reminders } from "@deputy/tasks";
import { type HeartbeatState, openHeartbeatView } from "@deputy/tasks/heartbeat";
import { openLastDeliveries } from "@deputy/tasks/readers";
import { AppError } from "../app-error.ts";
import { readCurrent } from "../config/read-current.ts";
import { describeState, readStates, type ShownState } from "../events/states-file.ts";
import type { Home } from "../home.ts";
import { type DraftedHook, draftHook } from "../hooks/draft-hook.ts";
import { dropHook, keepHook, readHooks } from "../hooks/hooks-file.ts";
import { renewHook } from "../hooks/renew-hook.ts";

type Listed = Awaited<ReturnType<BackgroundDoor["list"]>>;
type Watched = Listed["watched"][number];

/** What is watched follows the file; while that is invalid, what it was before counts. */
function currentEvents(home: Home): Home["config"]["events"] {
  try {
    return readCurrent(home).config.events;
  } catch (error) {
    if (error instanceof AppError) return home.config.events;
    throw error;
  }
}

/** Hooks, mailboxes, folders, reminders and the heartbeat of a home, as its files and its log have them. */
export function createBackgroundDoor(deps: {
  readonly home: Home;
  readonly log: EventLog;
  readonly clock: Pick<Clock, "now">;
  readonly reminders: Pick<Reminders, "list" | "update" | "remove">;
}): BackgroundDoor {
  const { home, log, clock, reminders } = deps;
  const heartbeats = openHeartbeatView(log);
  const delivered = openLastDeliveries(log);

  const watched = async (): Promise<Watched[]> => {
    const { state: byHook } = await delivered.current();
    const deliveriesOf = (name: string) => (byHook.get(name) ?? []).toReversed();
    const states = readStates(home.directory);
    const hooks = readHooks(home.directory).map(({ name, scheme }): Watched => {
      const about = scheme === "none" ? "unsigned" : `signed (${scheme})`;
      return { name, kind: "hook", about, deliveries: deliveriesOf(name) };
    });
    const sources = currentEvents(home).map((source): Watched => {
      const { name } = source;
      const state = states?.get(name);
      return {
        name,
        kind: source.type === "imap" ? "mailbox" : "folder",
        about: source.type === "imap" ? `${source.mailbox} of ${source.user}` : source.path,
        state: shownState(state),
        deliveries: deliveriesOf(name),
      };
    });
    return [...hooks, ...sources];
  };

  const noteChange = (name: string, by: string) =>
    log.append("system", [{ type: "setup.changed", data: { by, what: "hook", name } }]);

  /** What is shown once of a hook that was just made. */
  const tell = async ({ record, token, madeSecret }: DraftedHook, by: string) => {
    const { name, publicUrl } = record;
    await noteChange(name, by);
    return {
      path: `/api/hooks/${token}`,
      ...(publicUrl === undefined ? {} : { publicUrl }),
      ...(madeSecret === undefined ? {} : { secret: madeSecret }),
    };
  };

  return {
    async list() {
      const { state } = await heartbeats.current();
      return {
        watched: await watched(),
        reminders: (await reminders.list()).map(shownReminder),
        heartbeat: await shownHeartbeat(home, log, state),
      };
    },
    async pauseHeartbeat(isPaused, by) {
      const { state } = await heartbeats.current();
      if ((state.pausedAt !== undefined) === isPaused) return;
      await log.append("system", [
        { type: isPaused ? "heartbeat.paused" : "heartbeat.resumed", data: { by } },
      ]);
    },
    switchReminder: async (id, isEnabled) => (await reminders.update(id, { isEnabled })) !== undefined,
    removeReminder: (id, by) => reminders.remove(id, by),
    async addHook({ name, scheme }, by) {
      const drafted = draftHook({ name, scheme, secret: undefined }, clock.now());
      keepHook(home.directory, drafted.record, currentEvents(home));
      return await tell(drafted, by);
    },
    async renewHook(name, by) {
      if (!readHooks(home.directory).some((hook) => hook.name === name)) return undefined;
      return await tell(renewHook(home.directory, name, clock.now()), by);
    },
    async removeHook(name, by) {
      if (!dropHook(home.directory, name)) return false;
      await noteChange(name, by);
      return true;
    },
  };
}

function shownState(state: ShownState | undefined): NonNullable<Watched["state"]> {
  if (state?.kind !== "failed") {
    const kind = state?.kind === "watching" ? "ok" : "connecting";
    return { kind, text: describeState(state) };
  }
  const { reason, hint, retryAtMs } = state;
  const text = hint === undefined ? reason : `${reason}. ${hint}`;
  return { kind: "failed", text, retryAt: new Date(retryAtMs).toISOString() };
}

function shownReminder({ schedule, ...reminder }: Reminder): Listed["reminders"][number] {
  const { id, name, text, agentId, isEnabled, nextAt } = reminder;
  const next = nextAt === undefined ? {} : { nextAt };
  return { id, name, text, agentId, isEnabled, runs: describeSchedule(schedule), ...next };
}

async function shownHeartbeat(
  { config: { heartbeat } }: Home,
  log: EventLog,
  { pausedAt, lastStandardAt, last, skipped }: HeartbeatState,
): Promise<Listed["heartbeat"]> {
  const text = last === undefined ? undefined : await answerOf(log, last);
  return {
    isEnabled: heartbeat.enabled,
    everyMinutes: heartbeat.intervalMinutes,
    ...(pausedAt === undefined ? {} : { pausedAt }),
    ...(lastStandardAt === undefined ? {} : { lastAt: lastStandardAt }),
    ...(last === undefined
      ? {}
      : {
          last: {
            at: last.at,
            agentId: last.agentId,
            outcome: last.outcome,
            stream: last.stream,
            ...(text === undefined ? {} : { text }),
          },
        }),
    skipped: [...skipped].map(([agentId, reason]) => ({ agentId, reason })),
  };
}

/** What the agent said last in that turn. */
async function answerOf(
  log: EventLog,
  { stream, turnId, seq }: NonNullable<HeartbeatState["last"]>,
): Promise<string | undefined> {
  let text: string | undefined;
  for await (const stored of log.read(stream, { after: seq })) {
    if (stored.turnId !== turnId) continue;
    const read = readEvent(stored);
    if (read.kind === "known" && read.event.type === "assistant.message") ({ text } = read.event.data);
  }
  return text;
}
