import {
  createLogApprovalDesk,
  createLogGrantsDesk,
  createLogPatience,
  createTurnKeeper,
  type TurnRunner,
} from "@deputy/agent";
import { createLogSessionService } from "@deputy/agent/sessions";
import { openLater } from "@deputy/kit";
import { parseModelRef } from "@deputy/model/ref";
import type { EventLog, EventLogError, StreamId } from "@deputy/protocol";
import {
  createConversationQueue,
  createLogInbox,
  createLogOutbox,
  createLogReminders,
  createLogTaskService,
  createRepeatingTasks,
  joinTasks,
  openTasksView,
} from "@deputy/tasks";
import type { EnginePorts } from "./engine-ports.ts";
import type { Engine } from "./engine.ts";
import type { Turns } from "./turns/assemble-turns.ts";

/**
 * Puts an engine together: the keeper of turns and the services at once, the resources of turns with the
 * first turn. Ends tasks of an earlier process that lack nothing but their end. Rejects like the log, and
 * like `openTurns` if that is opened at once.
 */
export async function assembleEngine(ports: EnginePorts): Promise<Engine> {
  const { log, blobs, clock, ids, redactor, zone, warn, onBug, signal } = ports;
  const { registry, defaultAgent } = ports.agents;
  const dueBy = ports.dueBy ?? { clock, speed: 1 };
  await using opened = new AsyncDisposableStack();
  const approvals = createLogApprovalDesk({ log, clock, ids, redactor });
  const onHeldUp = (error: EventLogError | undefined): void => {
    if (error === undefined) warn("The log can be written again; waiting work continues.");
    else
      warn(
        `${error.message}. Running work waits and will continue by itself; nothing is lost. ${error.hint ?? ""}`,
      );
  };
  const patience = createLogPatience({ clock, onHeldUp });
  /** For background work: nobody can be told of a full disk, so it waits. */
  const patientLog: EventLog = {
    ...log,
    append: (...args) => patience.insist(() => log.append(...args), signal),
  };
  const keeper = opened.use(
    createTurnKeeper({
      log,
      owner: ports.owner,
      clock,
      redactor,
      costOf: async (spent, model) => {
        const { costOfSpent } = await import("@deputy/model");
        return costOfSpent(spent, parseModelRef(model), ports.prices);
      },
      onHeldUp,
    }),
  );

  // The services ask for turns, and the tools of turns for services: a turn requested before the services are
  // ready waits for them. Closed after the services.
  const ready = Promise.withResolvers<() => Promise<Turns>>();
  const late = opened.use(openLater(async () => await (await ready.promise)()));
  let working = 0;
  const turns: TurnRunner = {
    async run(...turn) {
      working++;
      try {
        return await (await late.get()).runner.run(...turn);
      } finally {
        working--;
      }
    },
    stop: keeper.stop,
    giveUp: keeper.giveUp,
  };
  const view = openTasksView(log);
  const assertAgent = async (slug: string): Promise<void> => void (await registry.read(slug, signal));
  const oneShots = opened.use(
    createLogTaskService({
      log,
      view,
      ids,
      defaultAgent,
      assertAgent,
      work: turns.run,
      stop: turns.stop,
      ends: patientLog,
      prepareProgram: async (program, cellId) => await (await late.get()).prepareProgram(program, cellId),
      resumeWork: async (task) => await (await late.get()).resumeWork(task),
      plugins: ports.plugins ?? [],
      now: dueBy.clock.now,
      onBug,
      signal,
    }),
  );
  const sessions = createLogSessionService({ log, ids });
  const outbox = opened.use(
    createLogOutbox({
      log,
      sessions,
      channels: ports.notifications?.channels ?? [],
      deliverTo: ports.notifications?.deliverTo,
      quietHours: ports.notifications?.quietHours,
      firstSession: ports.firstSession,
      redact: redactor.text,
      clock,
      onBug,
      signal,
    }),
  );
  const reminders = opened.use(createLogReminders({ log, ids, clock, defaultAgent, zone, onBug, signal }));
  const { openWorkflows } = ports;
  const repeating = opened.use(
    createRepeatingTasks({
      log,
      view,
      ids,
      openWorkflows,
      clock,
      dueBy,
      turns,
      approvals,
      outbox,
      assertAgent,
      defaultAgent,
      zone,
      reporters: ports.reporters,
      onBug,
      signal,
    }),
  );
  const tasks = joinTasks(oneShots, repeating);
  const limits = ports.waitingMessages === undefined ? {} : { waitingMessages: ports.waitingMessages };
  const conversations = opened.use(
    createConversationQueue({ log, ids, turns, sessions, approvals, limits, onBug, signal }),
  );

  ready.resolve(async () => {
    const { assembleTurns } = await import("./turns/assemble-turns.ts");
    const services = { log: keeper.log, tasks, sessions, conversations, reminders };
    const chosenOf = async (stream: StreamId) => (await sessions.find(stream)) ?? {};
    return await assembleTurns({ ...ports, keeper, approvals, chosenOf }, await ports.openTurns(services));
  });
  if (ports.turnsOpen === "at once") await late.get();
  await oneShots.endFinished();

  const owned = opened.move();
  return {
    log,
    patientLog,
    blobs,
    approvals,
    grants: createLogGrantsDesk({ log, clock }),
    tasks,
    repeating,
    outbox,
    reminders,
    inbox: createLogInbox({ log, sha256: ports.sha256, redact: redactor.json }),
    turns,
    isWorking: () => working > 0,
    sessions,
    conversations,
    agents: registry,
    defaultAgent,
    catalogue: async () => (await (await late.get()).tools()).all,
    programTools: async () => (await (await late.get()).tools()).programs,
    async keepRetention(until) {
      const { keepRetention } = await import("@deputy/tasks/retention");
      const kept = { log, blobs, clock, onBug, tasks: async () => (await view.current()).state };
      return await keepRetention(kept, ports.retention, until);
    },
    clock,
    dueBy,
    ids,
    learnSecret: redactor.learn,
    redact: redactor.text,
    onBug,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
