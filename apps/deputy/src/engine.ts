import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import {
  type AgentRegistry,
  type ApprovalDesk,
  createLogApprovalDesk,
  createLogGrantsDesk,
  createLogPatience,
  createTurnKeeper,
  type GrantsDesk,
  type TurnRunner,
} from "@deputy/agent";
import { createLogSessionService, type SessionService } from "@deputy/agent/sessions";
import { type Clock, type CodedError, createIdSource, createSystemClock, type IdSource } from "@deputy/kit";
import { createRedactor } from "@deputy/policy/secrets";
import type { ModelRef } from "@deputy/model";
import { parseModelRef } from "@deputy/model/ref";
import type { BlobStore, EventLog, EventLogError } from "@deputy/protocol";
import { openBlobDirectory } from "@deputy/store/blobs";
import type { SqliteStore } from "@deputy/store/sqlite";
import {
  type Conversations,
  createConversationQueue,
  createLogInbox,
  createLogOutbox,
  createLogReminders,
  createLogTaskService,
  type Inbox,
  joinTasks,
  keepRetention,
  type LogTaskService,
  openTasksView,
  type Outbox,
  type Reminders,
  type RepeatingTasks,
  type RetentionRules,
} from "@deputy/tasks";
import type { Catalogue } from "@deputy/tools";
import { openAgents } from "./agents/open-agents.ts";
import { seedAgents } from "./agents/seed-agents.ts";
import { AppError } from "./app-error.ts";
import { defaultModelRef } from "./choose-model-ref.ts";
import type { Config } from "./config.ts";
import { pricesOf } from "./config/prices.ts";
import { openDemoClock } from "./demo-world/demo-clock.ts";
import { secretsOf } from "./config/secret-places.ts";
import { toolSourcesOf } from "./config/tool-sources-of.ts";
import type { Home } from "./home.ts";
import { hookSecrets } from "./hooks/hook-secrets.ts";
import { hasLeftProcesses } from "./office/left-processes.ts";
import { openLater } from "./open-later.ts";
import { openStore } from "./open-store.ts";
import { openRepeating } from "./repeating/open-repeating.ts";
import { secretsIn } from "./secrets-in-env.ts";
import { TERMINAL_CHANNEL, terminalKey } from "./terminal-key.ts";

/** Everything one process needs to run turns over a home; holds the home's lock until it is disposed. */
export interface Engine extends AsyncDisposable {
  readonly log: EventLog;
  /** The same for what goes on in the background: an append waits while the disk is full. */
  readonly patientLog: EventLog;
  /** Why the log would refuse an append now, or refused the last one. */
  readonly trouble: SqliteStore["trouble"];
  readonly approvals: ApprovalDesk;
  readonly grants: GrantsDesk;
  readonly tasks: LogTaskService;
  /** Its `keep` makes this process the one that runs what is due. */
  readonly repeating: RepeatingTasks;
  readonly outbox: Outbox;
  /** Its `keep` makes this process the one that notes what is due. */
  readonly reminders: Reminders;
  readonly turns: TurnRunner;
  readonly sessions: SessionService;
  readonly conversations: Conversations;
  readonly agents: AgentRegistry;
  /** Who answers when nobody is named. */
  readonly defaultAgent: string;
  readonly blobs: BlobStore;
  /** Removes what nobody needs any more, by the settings, until the signal aborts. */
  readonly keepRetention: (signal: AbortSignal) => Promise<never>;
  readonly inbox: Inbox;
  /** Every tool there is, whoever may use it. Rejects when a source cannot be loaded. */
  readonly catalogue: () => Promise<Catalogue>;
  /** Those that programs which are tasks can use. Rejects as `catalogue` does. */
  readonly programTools: () => Promise<Catalogue>;
  readonly clock: Clock;
  /** What tasks are due by: the machine's time, unless the demo's was sped up. */
  readonly dueBy: { readonly clock: Clock; readonly speed: number };
  /** What the default agent thinks with. */
  readonly defaultModel: ModelRef;
  readonly ids: IdSource;
  /** From now on this value is never shown. Idempotent. */
  readonly learnSecret: (value: string) => void;
  /** Takes out of a text what must not be shown. */
  readonly redact: (text: string) => string;
  /** Told of bugs, which no outcome can carry. */
  readonly onBug: (error: unknown) => void;
}

export interface EngineOptions {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  /** Plugin files besides those of the config; relative to the working directory. */
  readonly plugins: readonly string[];
  /** `provider/model` for all agents, whatever else says so. */
  readonly model?: string;
  /** Tasks are due, and the demo's days pass, so much faster; refused without the rehearsal. Undefined: as before. */
  readonly demoSpeed?: number | undefined;
  /** More values that must never be shown, such as the gateway's token. */
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
  /** Names this process in the log, whatever number of engines it opens one after the other; one of its own unless told. */
  readonly owner?: string | undefined;
  /** Told when nothing is acknowledged any more before the files are opened anew: dispose of this engine then. Must not throw. */
  readonly onFailed?: ((error: CodedError<string>) => void) | undefined;
  /** Told what the user should mend: an agent's file that cannot be read, a skill that is none. */
  readonly warn: (text: string) => void;
  readonly onBug: (error: unknown) => void;
}

/** The composition root of the engine: the one place that knows which implementation stands behind each port. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { home, env, signal, warn, onBug, onFailed } = options;
  await using opened = new AsyncDisposableStack();
  const agents = openAgents(home, process.cwd());
  const { defaultAgent, bySlug } = agents.settings;
  const defaultModel = defaultModelRef(agents.settings, env, options.model);
  if (options.demoSpeed !== undefined && defaultModel.provider !== "rehearsal")
    throw new AppError("usage", "Only the demo can be sped up, which is for the rehearsal model", {
      hint: "Leave --demo-speed out, or set DEPUTY_MODEL=rehearsal/tour.",
    });
  const clock = createSystemClock();
  const ids = createIdSource({ clock });
  const { log, trouble } = opened.use(await openStore({ directory: home.directory, clock, ids, warn, onFailed }));
  const dueBy =
    defaultModel.provider === "rehearsal"
      ? openDemoClock({ home: home.directory, clock, speed: options.demoSpeed })
      : { clock, speed: 1 };
  seedAgents(agents.directory, [defaultAgent, ...bySlug.keys()], warn);
  const plugins = options.plugins.map((file) => resolve(file));
  const redactor = createRedactor([
    ...secretsIn(env),
    ...secretsOf(home.config, env, home.directory),
    ...hookSecrets(home.directory, env),
    ...options.secrets,
  ]);
  const blobs = openBlobDirectory(join(home.directory, "blobs"));
  const approvals = createLogApprovalDesk({ log, clock, ids, redactor });
  const onHeldUp = (error: EventLogError | undefined): void => {
    if (error === undefined) warn("The log takes what happens again; what waited goes on.");
    else
      warn(`${error.message}. What runs waits, and goes on by itself; nothing is lost. ${error.hint ?? ""}`);
  };
  const patience = createLogPatience({ clock, onHeldUp });
  /** For what goes on in the background: nobody is there to be told of a full disk, so it waits. */
  const patientLog: EventLog = {
    ...log,
    append: (...args) => patience.insist(() => log.append(...args), signal),
  };
  const keeper = opened.use(
    createTurnKeeper({
      log,
      owner: options.owner ?? nameOwner(ids),
      clock,
      redactor,
      costOf: async (spent, model) => {
        const { costOfSpent } = await import("@deputy/agent/turns");
        const ref = parseModelRef(model);
        return costOfSpent(spent, ref, pricesOf(home.config));
      },
      onHeldUp,
    }),
  );
  const later = opened.use(
    openLater(async () => {
      const { openTurnEngine } = await import("./turn-engine.ts");
      const { model } = options;
      const shared = { home, env, agents, keeper, blobs, approvals, redactor, clock, ids, signal, warn };
      const demoTime = dueBy.clock;
      const services = () => ({ tasks, sessions, conversations, reminders });
      return await openTurnEngine({ ...shared, services, plugins, model, defaultModel, demoTime });
    }),
  );
  // The home is ours before any plugin's code runs.
  const hasLeft = hasLeftProcesses(home.directory);
  if (plugins.length > 0 || hasLeft || hasSomethingToCheck(home.config)) await later.get();
  const turns: TurnRunner = {
    run: async (...turn) => await (await later.get()).turns.run(...turn),
    stop: keeper.stop,
    giveUp: keeper.giveUp,
  };
  const view = openTasksView(log);
  const assertAgent = async (slug: string): Promise<void> => void (await agents.registry.read(slug, signal));
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
      prepareProgram: async (program, cellId) => await (await later.get()).prepareProgram(program, cellId),
      resumeWork: async (task) => await (await later.get()).resumeWork(task),
      plugins,
      now: dueBy.clock.now,
      onBug,
      signal,
    }),
  );
  await oneShots.endFinished();
  const sessions = createLogSessionService({ log, ids });
  const outbox = opened.use(
    createLogOutbox({
      log,
      sessions,
      channels: [],
      firstSession: { key: terminalKey("default"), agentId: defaultAgent, channel: TERMINAL_CHANNEL },
      redact: redactor.text,
      clock,
      onBug,
      signal,
    }),
  );
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const reminders = opened.use(createLogReminders({ log, ids, clock, defaultAgent, zone, onBug, signal }));
  const repeating = opened.use(
    openRepeating({
      home: home.directory,
      log,
      view,
      turns,
      approvals,
      outbox,
      clock,
      dueBy,
      ids,
      defaultAgent,
      assertAgent,
      retention: { runs: home.config.retention.runs, days: home.config.retention.runDays },
      onBug,
      onFailed,
      signal,
    }),
  );
  const tasks = joinTasks(oneShots, repeating);
  const conversations: Conversations = opened.use(
    createConversationQueue({
      log,
      ids,
      turns,
      sessions,
      limits: { waitingMessages: home.config.gateway.maxQueueSize },
      onBug,
      signal,
    }),
  );

  const owned = opened.move();
  return {
    log,
    patientLog,
    trouble,
    approvals,
    grants: createLogGrantsDesk({ log, clock }),
    tasks,
    repeating,
    outbox,
    reminders,
    turns,
    sessions,
    conversations,
    agents: agents.registry,
    defaultAgent,
    blobs,
    keepRetention: (until) =>
      keepRetention(
        { log, blobs, clock, onBug, tasks: async () => (await view.current()).state },
        retentionRules(home.config),
        until,
      ),
    inbox: createLogInbox({ log, sha256, redact: redactor.json }),
    catalogue: async () => await (await later.get()).catalogue(),
    programTools: async () => await (await later.get()).programTools(),
    clock,
    dueBy,
    defaultModel,
    ids,
    learnSecret: redactor.learn,
    redact: redactor.text,
    onBug,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Names a process in the log: no other has the same. */
export function nameOwner(ids: IdSource): string {
  return `${hostname()} ${process.pid} ${ids.next("event")}`;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

function retentionRules({ retention: { deliveryDays, blobDays } }: Config): RetentionRules {
  return { deliveryDays: deliveryDays || undefined, blobDays: blobDays || undefined };
}

/** What of the configuration may be wrong in a way that only loading it shows: that is said at the start. */
function hasSomethingToCheck(config: Config): boolean {
  const { policy } = config;
  return toolSourcesOf(config).length > 0 || policy.deny.length > 0 || policy.rules.length > 0;
}
