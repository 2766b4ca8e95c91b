import { hash } from "node:crypto";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { PROGRAM_AGENT } from "@deputy/agent";
import { assembleEngine, type Engine as AssembledEngine } from "@deputy/engine";
import {
  type CodedError,
  createIdSource,
  createSystemClock,
  type IdSource,
  type SessionId,
  openLater,
} from "@deputy/kit";
import type { EventLog } from "@deputy/protocol";
import { createRedactor, type Redactor } from "@deputy/secrets";
import type { ModelRef, Price } from "@deputy/model";
import { openBlobDirectory } from "@deputy/store/blobs";
import type { SqliteStore } from "@deputy/store/sqlite";
import { agentsSettings } from "./agents/agents-settings.ts";
import { openAgents } from "./agents/open-agents.ts";
import { assertOwnPlugins } from "./sources/home-plugins.ts";
import { seedAgents } from "./agents/seed-agents.ts";
import { AppError } from "./app-error.ts";
import { defaultModelRef } from "./choose-model-ref.ts";
import type { Config } from "./config.ts";
import { openDemoClock } from "@deputy/demo-world/clock";
import { DEMO_MAILBOX } from "@deputy/demo-world/mark";
import { createSwitchableClock, type SwitchableClock } from "@deputy/demo-world/switchable-clock";
import { secretsOf, secretsIn } from "./config/secret-places.ts";
import { toolSourcesOf } from "./config/tool-source-schema.ts";
import type { Home } from "./home.ts";
import type { EmbeddedParts } from "./open-turns.ts";
import { hasLeftProcesses } from "./own-services/left-processes.ts";
import { openStore } from "./open-store.ts";
import type { MemoryDoor } from "./memory/describe-memory.ts";
import { openEngineMemory } from "./memory/engine-memory.ts";
import { homeWorkflows } from "./repeating/home-workflows.ts";
import { TERMINAL_CHANNEL, terminalKey } from "@deputy/client/terminal-key";
import { resolveSecret } from "./config/secret-reference.ts";
import { createReporters, readHooks } from "./hooks/hooks-file.ts";
import { recordBugs } from "./process/record-bugs.ts";
import { type LogLevel, logLevelOf } from "./logging/log-level.ts";
import { VERSION } from "./version.ts";

/** An engine over a home; holds the home's lock until it is disposed. */
export interface Engine extends AssembledEngine {
  /** Why the log would refuse an append now, or refused the last one. */
  readonly trouble: SqliteStore["trouble"];
  /** The default agent's model. */
  readonly defaultModel: ModelRef;
  /** Opened at its first use; undefined if it is switched off. */
  readonly memory: MemoryDoor | undefined;
  /** The demo's time; undefined without the rehearsal. */
  readonly demo: SwitchableClock | undefined;
}

export interface EngineOptions {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  /** Plugin files in addition to those of the config; relative to the working directory. */
  readonly plugins: readonly string[];
  /** `provider/model` for all agents; overrides all other settings. */
  readonly model?: string;
  readonly embedded?: EmbeddedParts | undefined;
  /** The speed of tasks and of the demo's days; refused without the rehearsal. Undefined: as before. */
  readonly demoSpeed?: number | undefined;
  /** What a source of tools means that cannot be loaded. Default: `refused`, nothing opens without it. */
  readonly brokenSources?: "refused" | "left_out" | undefined;
  /** More values that must never be shown, such as the gateway's token. */
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
  /** Names this process in the log, for all engines that it opens one after the other. Default: a new name. */
  readonly owner?: string | undefined;
  /**
   * Called when nothing more can be stored until the files are opened again: dispose of this engine then. Must not
   * throw.
   */
  readonly onFailed?: ((error: CodedError<string>) => void) | undefined;
  /** Called with problems that the user should fix: an agent's file that cannot be read, an invalid skill. */
  readonly warn: (text: string) => void;
  readonly onBug: (error: unknown) => void;
}

/** Opens a home's files and hands them to the engine: only this file knows what is behind each port. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { home, env, signal, warn, onFailed } = options;
  const { directory, config } = home;
  assertOwnPlugins(home);
  await using opened = new AsyncDisposableStack();
  const agents = openAgents(home, process.cwd());
  const { defaultAgent, bySlug } = agents.settings;
  const { embedded } = options;
  const defaultModel = embedded?.model?.ref ?? defaultModelRef(agentsSettings(config), env, options.model);
  const isDemo = defaultModel.provider === "rehearsal";
  if (options.demoSpeed !== undefined && !isDemo)
    throw new AppError("usage", "--demo-speed works only with the rehearsal model", {
      hint: "Leave --demo-speed out, or set DEPUTY_MODEL=rehearsal/tour.",
    });
  const clock = createSystemClock();
  const ids = createIdSource({ clock });
  const { log: stored, trouble } = opened.use(await openStore({ directory, clock, ids, warn, onFailed }));
  const demo = isDemo
    ? createSwitchableClock((speed) => openDemoClock({ home: directory, clock, speed }), options.demoSpeed)
    : undefined;
  const dueBy = demo ?? { clock, speed: 1 };
  seedAgents(agents.directory, [defaultAgent, ...bySlug.keys()], warn);
  const plugins = options.plugins.map((file) => resolve(file));
  const redactor = createRedactor([
    ...secretsIn(env),
    ...secretsOf(config, env, directory),
    ...hookSecrets(directory, env),
    ...options.secrets,
  ]);
  const level = logLevelOf(env, config.logging.level, warn);
  const log = level === "silent" ? stored : await withLines(stored, level, redactor);
  const onBug = recordBugs({ log, redactor, tell: options.onBug });
  const agentsDirectory = agents.directory;
  const blobsDirectory = join(directory, "blobs");
  const blobs = openBlobDirectory(blobsDirectory);
  const assembled: { engine?: AssembledEngine } = {};
  const { maxResults, enabled: isSearched } = config.memory.search;
  const isWorking = (): boolean => assembled.engine?.isWorking() ?? false;
  const embedders = opened.use(
    openLater(async () => {
      const { openHomeEmbedders } = await import("./embedders/home-embedders.ts");
      return openHomeEmbedders({ home, env, clock, learn: redactor.learn, isWorking });
    }),
  );
  const memory = config.memory.enabled
    ? opened.use(
        openEngineMemory({
          home,
          agentsDirectory,
          workingDirectory: process.cwd(),
          log,
          clock,
          ids,
          defaultAgent,
          maxResults,
          openIndex: async () => {
            const { openMemory } = await import("./memory/open-memory.ts");
            const shared = { home, agentsDirectory, log, clock, warn, onBug };
            return await openMemory({ ...shared, embedders: await embedders.get(), follow: "changes" });
          },
          blobs,
          blobsDirectory,
          engine: () => {
            if (assembled.engine === undefined) throw new Error("The engine is not ready");
            return assembled.engine;
          },
        }),
      )
    : undefined;
  /** The user's own programs have the memory of the default agent. */
  const agentOrDefault = (agent = defaultAgent): string => (agent === PROGRAM_AGENT ? defaultAgent : agent);
  const reporters = createReporters(home, isDemo ? [DEMO_MAILBOX] : []);
  const { runs, runDays: days, deliveryDays, blobDays } = config.retention;
  const notifications = isDefault(config)
    ? undefined
    : await (
        await import("./channels/open-notifications.ts")
      ).openNotifications({
        home,
        env,
        clock,
        learn: redactor.learn,
        question: async (id) => (await assembled.engine?.approvals.pending())?.find((one) => one.id === id),
      });
  const engine = opened.use(
    await assembleEngine({
      log,
      blobs,
      clock,
      dueBy,
      ids,
      sha256: (text) => hash("sha256", text, "hex"),
      redactor,
      owner: options.owner ?? nameOwner(ids),
      agents: { ...agents, defaultAgent },
      prices: pricesOf(config),
      plugins,
      firstSession: { key: terminalKey("default"), agentId: defaultAgent, channel: TERMINAL_CHANNEL },
      notifications,
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      reporters,
      user: config.user,
      waitingMessages: config.gateway.maxQueueSize,
      retention: { deliveryDays: deliveryDays || undefined, blobDays: blobDays || undefined },
      openWorkflows: homeWorkflows({
        home: directory,
        retention: { runs, days },
        clock,
        log,
        onBug,
        onFailed,
      }),
      openTurns: async (services) => {
        const { openTurns } = await import("./open-turns.ts");
        const { model } = options;
        const shared = { home, env, agents, redactor, clock, signal, warn, plugins, model, defaultModel };
        const more = { demoTime: dueBy.clock, brokenSources: options.brokenSources };
        const turns = { ...shared, ...more, embedded, services, embedders: embedders.get };
        const agentOf = async (session: string): Promise<string> =>
          agentOrDefault((await services.sessions.find(session))?.agentId);
        return await openTurns({
          ...turns,
          memory: isSearched ? memory?.own(agentOf) : undefined,
          // The rehearsal reads no prompt.
          recall: config.memory.recall && !isDemo ? await memory?.recall() : undefined,
          reporters,
        });
      },
      // We hold the home before any plugin's code runs.
      turnsOpen:
        plugins.length > 0 ||
        embedded?.tools !== undefined ||
        hasLeftProcesses(directory) ||
        hasSomethingToCheck(config)
          ? "at once"
          : "when needed",
      warn,
      onBug,
      signal,
    }),
  );
  assembled.engine = engine;
  const sessions =
    memory === undefined
      ? engine.sessions
      : {
          ...engine.sessions,
          remove: (session: SessionId, by: string) => memory.removeSession(session, by, signal),
        };
  // What is to be forgotten is gone before anybody can ask for it.
  await memory?.recover(signal);
  const owned = opened.move();
  return {
    ...engine,
    sessions,
    trouble,
    defaultModel,
    memory: memory?.door,
    demo,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Names a process in the log, uniquely. */
export function nameOwner(ids: IdSource): string {
  return `${hostname()} ${process.pid} ${ids.next("event")}`;
}

/**
 * True if errors in parts of the configuration show only when they are loaded; these are then checked at the
 * start.
 */
function hasSomethingToCheck(config: Config): boolean {
  const { policy } = config;
  return toolSourcesOf(config).length > 0 || policy.deny.length > 0 || policy.rules.length > 0;
}

/** The user's own prices; by default a cache costs as much as fresh input. */
function pricesOf({ prices }: Pick<Config, "prices">): Readonly<Record<string, Price>> {
  return Object.fromEntries(
    Object.entries(prices).map(([model, { input, output, cacheRead = input, cacheWrite = input }]) => [
      model,
      { input, output, cacheRead, cacheWrite },
    ]),
  );
}

/**
 * The hooks' secrets, as far as they can be read, so that they are never shown. The code that uses them reports
 * problems.
 */
function hookSecrets(home: string, env: NodeJS.ProcessEnv): readonly string[] {
  const orNone = <T>(read: () => readonly T[]): readonly T[] => {
    try {
      return read();
    } catch (error) {
      if (error instanceof AppError) return [];
      throw error;
    }
  };
  return orNone(() => readHooks(home)).flatMap(({ secret, secretFrom }) => {
    if (secret !== undefined) return [secret];
    return secretFrom === undefined ? [] : orNone(() => [resolveSecret(secretFrom, env, home)]);
  });
}

function isDefault({ notifications, adapters }: Home["config"]): boolean {
  const { deliverTo, ...more } = notifications;
  if (adapters.mail.enabled || adapters.push.enabled) return false;
  return deliverTo === "last" && Object.values(more).every((value) => value === undefined);
}

/** For whoever wants lines on stderr; loaded only then. */
async function withLines(
  log: EventLog,
  level: Exclude<LogLevel, "silent">,
  { text: redact }: Pick<Redactor, "text">,
): Promise<EventLog> {
  const { writeLines } = await import("./logging/write-lines.ts");
  return writeLines(log, {
    level,
    version: VERSION,
    redact,
    write: (line) => void process.stderr.write(line),
  });
}
