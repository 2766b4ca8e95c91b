import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import {
  type AgentRegistry,
  type ApprovalDesk,
  createAgentCatalogue,
  createCallCounter,
  createCellRunner,
  createGate,
  createGrantsView,
  createLogApprovalDesk,
  createLogGrantsDesk,
  createTurnRunner,
  type GrantsDesk,
  type TurnRunner,
} from "@deputy/agent";
import { createLogSessionService, type SessionService } from "@deputy/agent/sessions";
import { DEFAULT_CELL_LIMITS } from "@deputy/codemode";
import { createNodeTypeChecker, createNodeTypeStripper, createWorkerSandbox } from "@deputy/codemode/node";
import { type Clock, createIdSource, createSystemClock, type IdSource } from "@deputy/kit";
import { createPolicy, createRedactor } from "@deputy/policy";
import type { BlobStore, EventLog } from "@deputy/protocol";
import { openBlobDirectory } from "@deputy/store/blobs";
import {
  type Conversations,
  createConversationQueue,
  createLogTaskService,
  type LogTaskService,
} from "@deputy/tasks";
import { type Catalogue, createCatalogue, ToolsError } from "@deputy/tools";
import { pricesOf } from "./config/prices.ts";
import { createAgentModels } from "./agents/agent-models.ts";
import { openAgents } from "./agents/open-agents.ts";
import { createProfiles } from "./agents/profiles.ts";
import { seedAgents } from "./agents/seed-agents.ts";
import { withBuiltins } from "./builtins/builtin-sources.ts";
import { openBuiltins } from "./builtins/open-builtins.ts";
import { secretsOf } from "./config/secret-places.ts";
import type { Home } from "./home.ts";
import { demoSources } from "./demo/demo-source.ts";
import { loadSources } from "./load-catalogue.ts";
import { openStore } from "./open-store.ts";
import { shadowedRuleWarnings } from "./policy/policy-settings.ts";
import { createProgramPreparer } from "./prepare-program.ts";
import { secretsIn } from "./secrets-in-env.ts";

/** Everything one process needs to run turns over a home; holds the home's lock until it is disposed. */
export interface Engine extends AsyncDisposable {
  readonly log: EventLog;
  readonly approvals: ApprovalDesk;
  readonly grants: GrantsDesk;
  readonly tasks: LogTaskService;
  readonly turns: TurnRunner;
  readonly sessions: SessionService;
  readonly conversations: Conversations;
  readonly agents: AgentRegistry;
  /** Who answers when nobody is named. */
  readonly defaultAgent: string;
  readonly blobs: BlobStore;
  /** Every tool there is, whoever may use it. */
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** From now on this value is never shown. Idempotent. */
  readonly learnSecret: (value: string) => void;
}

export interface EngineOptions {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  /** Plugin files besides those of the config; relative to the working directory. */
  readonly plugins: readonly string[];
  /** `provider/model` for all agents, whatever else says so. */
  readonly model?: string;
  /** More values that must never be shown, such as the gateway's token. */
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
  /** Told what the user should mend: an agent's file that cannot be read, a skill that is none. */
  readonly warn: (text: string) => void;
  readonly onBug: (error: unknown) => void;
}

/** The composition root of the engine: the one place that knows which implementation stands behind each port. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { home, env, signal, warn, onBug } = options;
  await using opened = new AsyncDisposableStack();
  const agents = openAgents(home, process.cwd());
  const { defaultAgent, bySlug } = agents.settings;
  const models = createAgentModels(home, env, agents.settings, options.model);
  const model = models.ofDefault();
  const clock = createSystemClock();
  const ids = createIdSource({ clock });
  const { log } = opened.use(await openStore({ directory: home.directory, clock, ids, warn }));
  seedAgents(agents.directory, [defaultAgent, ...bySlug.keys()], warn);
  // The home is ours before any plugin's code runs.
  const named = options.plugins.map((file) => resolve(file));
  const sources = await loadSources([...home.config.toolSources, ...named], home.directory);
  const demo = demoSources(model.ref, sources, { home: home.directory, clock });
  const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
  const redactor = createRedactor([
    ...secretsIn(env),
    ...secretsOf(home.config, env, home.directory),
    ...options.secrets,
  ]);
  const approvals = createLogApprovalDesk({ log, clock, ids, redactor });
  const grants = createGrantsView(log);
  const policy = createPolicy(home.config.policy);
  shadowedRuleWarnings(home.config.policy).forEach(warn);
  const counter = home.config.policy.budgets.length === 0 ? undefined : createCallCounter({ log, clock });
  const plans = home.config.policy.plans ? "on" : "off";
  const { expireMinutes } = home.config.approvals;
  const approvalTtlMs = expireMinutes === undefined ? undefined : expireMinutes * 60_000;
  const checker = opened.use(createNodeTypeChecker());
  const sandbox = opened.use(createWorkerSandbox());
  const stripper = createNodeTypeStripper();
  const limits = DEFAULT_CELL_LIMITS;
  const cellsOver = (tools: Catalogue) => {
    const shared = { log, catalogue: tools, redactor, clock, ids, sha256 };
    const gate = createGate({ ...shared, policy, approvals, grants, counter, approvalTtlMs });
    return createCellRunner({ ...shared, gate, checker, stripper, sandbox, limits, plans });
  };
  const builtins = await openBuiltins(home, env);
  const userTools = createCatalogue(withBuiltins(builtins, sources));
  const tools = createCatalogue(demo, userTools.list());
  const profileOf = createProfiles({ agents, tools, cellsOver, modelOf: models.of, warn });
  const turns = createTurnRunner({
    log,
    profileOf,
    redactor,
    clock,
    ids,
    prices: pricesOf(home.config),
  });
  // The demo is for the rehearsal: programs of the user's own see the user's own tools.
  const ownTools = createAgentCatalogue(userTools, ["**"], agents.shelvesOf(defaultAgent));
  const programs = createProgramPreparer({
    log,
    clock,
    redactor,
    sources,
    builtins,
    cells: cellsOver(ownTools),
    cellsOver,
    signal,
  });
  const tasks = opened.use(
    createLogTaskService({
      log,
      ids,
      defaultAgent,
      assertAgent: async (slug) => void (await agents.registry.read(slug, signal)),
      work: turns.run,
      prepareProgram: programs.prepare,
      resumeWork: async ({ program, plugins = [] }) => {
        if (program !== undefined) return await programs.resume({ ...program, plugins });
        assertLoaded(plugins, named);
        return turns.run;
      },
      plugins: named,
      onBug,
      signal,
    }),
  );
  await tasks.endFinished();
  const sessions = createLogSessionService({ log, ids });
  const conversations = opened.use(
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
    approvals,
    grants: createLogGrantsDesk({ log, clock }),
    tasks,
    turns,
    sessions,
    conversations,
    agents: agents.registry,
    defaultAgent,
    blobs: openBlobDirectory(join(home.directory, "blobs")),
    catalogue: tools,
    clock,
    ids,
    learnSecret: redactor.learn,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Without its tools a task would only fail: it waits for a start that has them. */
function assertLoaded(needed: readonly string[], loaded: readonly string[]): void {
  const missing = needed.find((file) => !loaded.includes(file));
  if (missing === undefined) return;
  throw new ToolsError("plugin_not_found", `It was started with the plugin ${missing}, which is not loaded`, {
    hint: `Start with --tools ${missing}, or name it in toolSources of config.json.`,
  });
}
