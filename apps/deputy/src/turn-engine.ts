import { createHash } from "node:crypto";
import { type ApprovalDesk, createGrantsView, type TurnKeeper, type TurnRunner } from "@deputy/agent";
import {
  createAgentCatalogue,
  createCallCounter,
  createCellRunner,
  createGate,
  createTurnRunner,
} from "@deputy/agent/turns";
import { DEFAULT_CELL_LIMITS } from "@deputy/codemode";
import { createNodeTypeChecker, createNodeTypeStripper, createWorkerSandbox } from "@deputy/codemode/node";
import type { Clock, IdSource } from "@deputy/kit";
import type { ModelRef } from "@deputy/model";
import { createPolicy } from "@deputy/policy";
import type { Redactor } from "@deputy/policy/secrets";
import type { BlobStore } from "@deputy/protocol";
import type { InterruptedTask, TaskWork } from "@deputy/tasks";
import { type Catalogue, createCatalogue, type ToolSource, ToolsError } from "@deputy/tools";
import { createAgentModels } from "./agents/agent-models.ts";
import type { HomeAgents } from "./agents/open-agents.ts";
import { createProfiles } from "./agents/profiles.ts";
import { createNetAudit } from "./audit/net-audit.ts";
import { withBuiltins } from "./builtins/builtin-sources.ts";
import { openBrowsers } from "./builtins/open-browsers.ts";
import { openBuiltins } from "./builtins/open-builtins.ts";
import { pricesOf } from "./config/prices.ts";
import { createCredentialIssuer } from "./credentials/credential-issuer.ts";
import { openDemo } from "./demo-world/open-demo.ts";
import type { EmbeddedParts } from "./engine.ts";
import type { Home } from "./home.ts";
import type { SourceDeps } from "./load-catalogue.ts";
import { hasLeftProcesses } from "./office/left-processes.ts";
import { type EngineServices, openOffice } from "./office/open-office.ts";
import { openProcesses } from "./office/open-processes.ts";
import { describeSuspect } from "./doctor/check-calls.ts";
import { shadowedRuleWarnings } from "./policy/policy-settings.ts";
import { openLater } from "./open-later.ts";
import { openLiveSources } from "./sources/live-sources.ts";
import { openMeaning } from "./sources/open-meaning.ts";
import { openSeenTypes } from "./sources/seen-types-file.ts";
import { createProgramPreparer, type ProgramPreparer } from "./prepare-program.ts";

/** What turns and programs run on: tools, policy, sandbox, checker, models. */
export interface TurnEngine extends AsyncDisposable {
  readonly turns: TurnRunner;
  readonly prepareProgram: ProgramPreparer["prepare"];
  /** Rejects with a `ToolsError` when a plugin it needs is not there. */
  resumeWork(task: InterruptedTask): Promise<TaskWork>;
  /** Every tool there is, whoever may use it. */
  readonly catalogue: () => Promise<Catalogue>;
  /** Those that programs which are tasks can use. */
  readonly programTools: () => Promise<Catalogue>;
}

export interface TurnEngineDeps {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly agents: HomeAgents;
  readonly defaultModel: ModelRef;
  /** `provider/model` for all agents, whatever else says so. */
  readonly model?: string | undefined;
  readonly own?: EmbeddedParts | undefined;
  /** Plugin files besides those of the config, as whole paths. */
  readonly plugins: readonly string[];
  /** Owns the turns; what works on one writes to its log. */
  readonly keeper: TurnKeeper;
  readonly blobs: BlobStore;
  readonly approvals: ApprovalDesk;
  /** Asked when a tool needs it: the engine's services may be made after this. */
  readonly services: () => EngineServices;
  readonly redactor: Redactor;
  readonly clock: Clock;
  /** The demo's own time. */
  readonly demoTime: Clock;
  readonly ids: IdSource;
  readonly signal: AbortSignal;
  readonly warn: (text: string) => void;
}

/** Loads plugins, whose code runs in processes of their own: the home must be ours. Rejects as `loadSources` does. */
export async function openTurnEngine(deps: TurnEngineDeps): Promise<TurnEngine> {
  const { home, env, agents, keeper, blobs, approvals, redactor, clock, ids, signal, warn } = deps;
  const { log } = keeper;
  const { config } = home;
  await using opened = new AsyncDisposableStack();
  const models = createAgentModels(home, env, agents.settings, deps.model, redactor.learn);
  const ownModel = deps.own?.model;
  const modelOf: typeof models.of = (slug, ref) => ownModel ?? models.of(slug, ref);
  const audit = opened.use(createNetAudit({ log, redactor, warn }));
  const ofSources = opened.use(new AsyncDisposableStack());
  const source: SourceDeps = {
    home: home.directory,
    env,
    warn,
    learnSecret: redactor.learn,
    own: (resource) => void ofSources.use(resource),
    audit: audit.note,
    signal,
  };
  const ownTree = deps.own?.tools;
  const own: readonly ToolSource[] =
    ownTree === undefined ? [] : [{ source: "the tools of this program", tree: ownTree }];
  const live = await openLiveSources({ home, plugins: deps.plugins, own, source });
  const seen = openSeenTypes(home.directory);
  const meaning = openMeaning(home, env, { clock, warn, learn: redactor.learn });
  const net = { audit: audit.note, learnSecret: redactor.learn };
  const demoDeps = { home: home.directory, clock, time: deps.demoTime, warn, ...net };
  const demo = opened.use(await openDemo(deps.defaultModel, await live.current(), demoDeps));
  const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
  const grants = createGrantsView(log);
  const policy = createPolicy(config.policy);
  shadowedRuleWarnings(config.policy).forEach(warn);
  const counter = config.policy.budgets.length === 0 ? undefined : createCallCounter({ log, clock });
  const plans = config.policy.plans ? "on" : "off";
  const { expireMinutes } = config.approvals;
  const approvalTtlMs = expireMinutes === undefined ? undefined : expireMinutes * 60_000;
  const checker = opened.use(createNodeTypeChecker());
  const sandbox = opened.use(createWorkerSandbox());
  const stripper = createNodeTypeStripper();
  const limits = DEFAULT_CELL_LIMITS;
  const credentials = createCredentialIssuer(config.credentials, env, home.directory);
  const cellsOver = (tools: Catalogue) => {
    const shared = { log, catalogue: tools, redactor, clock, ids, sha256 };
    const gate = createGate({
      ...shared,
      policy,
      approvals,
      grants,
      counter,
      approvalTtlMs,
      blobs,
      credentials,
      onSuspect: ({ request }, deaths) => warn(describeSuspect({ ...request, deaths })),
    });
    return createCellRunner({ ...shared, gate, checker, stripper, sandbox, limits, plans });
  };
  const browsers = opened.use(openLater(() => openBrowsers(home, env, audit.note)));
  const processes = opened.use(
    openLater(() => openProcesses({ home: home.directory, log, redactor, clock, warn, signal })),
  );
  if (hasLeftProcesses(home.directory)) await processes.get();
  const parts = { processes: processes.get, office: () => openOffice({ log, ...deps.services() }) };
  const builtins = await openBuiltins(home, env, net, browsers.get, parts);
  /** All that follows from what sources there are; a turn keeps what it began with. */
  const assemble = (sources: readonly ToolSource[]) => {
    const userTools = createCatalogue(withBuiltins(builtins, sources), [], seen, meaning);
    const taken = new Set(sources.flatMap(({ tree }) => Object.keys(tree)));
    const shown = demo.sources.filter(({ tree }) => !Object.keys(tree).some((name) => taken.has(name)));
    const catalogue = createCatalogue(shown, userTools.list(), seen, meaning);
    const profileOf = createProfiles({ agents, tools: catalogue, cellsOver, modelOf, warn });
    // The demo is for the rehearsal: programs of the user's own see the user's own tools.
    const ownTools = createAgentCatalogue(userTools, ["**"], agents.shelvesOf(agents.settings.defaultAgent));
    return { sources, catalogue, profileOf, ownTools, cells: cellsOver(ownTools) };
  };
  let assembled = assemble(await live.current());
  let refused: readonly ToolSource[] | undefined;
  const now = async (): Promise<typeof assembled> => {
    const sources = await live.current();
    if (sources === assembled.sources || sources === refused) return assembled;
    try {
      assembled = assemble(sources);
    } catch (error) {
      if (!(error instanceof ToolsError)) throw error;
      refused = sources;
      warn(`${error.message}; the tools stay as they were`);
    }
    return assembled;
  };
  const profileOf: typeof assembled.profileOf = async (agentId, stop) =>
    await (await now()).profileOf(agentId, stop);
  const turns = createTurnRunner({ keeper, profileOf, redactor, clock, ids, prices: pricesOf(config) });
  const programs = createProgramPreparer({
    keeper,
    env,
    sources: () => assembled.sources,
    builtins,
    cells: () => assembled.cells,
    cellsOver,
    own: (resource) => void ofSources.use(resource),
    signal,
  });

  const owned = opened.move();
  return {
    turns,
    catalogue: async () => (await now()).catalogue,
    programTools: async () => (await now()).ownTools,
    async prepareProgram(program, cellId) {
      await now();
      return await programs.prepare(program, cellId);
    },
    async resumeWork({ program, plugins = [] }) {
      await now();
      if (program !== undefined) return await programs.resume({ ...program, plugins });
      assertLoaded(plugins, deps.plugins);
      return turns.run;
    },
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
