import type { HomeEmbedders } from "./embedders/home-embedders.ts";
import { createNodeTypeChecker, createNodeTypeStripper, createWorkerSandbox } from "@deputy/codemode/node";
import type { Recall } from "@deputy/agent/turns";
import type { OwnMemory } from "@deputy/builtins";
import type { TurnPorts, TurnServices } from "@deputy/engine";
import type { Clock } from "@deputy/kit";
import type { Model, ModelRef } from "@deputy/model";
import { createPolicy } from "@deputy/policy/create-policy";
import type { Redactor } from "@deputy/secrets";
import type { Reporters } from "@deputy/tasks";
import type { ToolTree } from "@deputy/tools";
import { createAgentModels } from "./agents/agent-models.ts";
import type { HomeAgents } from "./agents/open-agents.ts";
import type { Home } from "./home.ts";
import { openHomeTools } from "./sources/home-tools.ts";
import { createNetAudit } from "./net-audit.ts";

/** The parts that an embedding program provides. */
export interface EmbeddedParts {
  /** They run in this process. */
  readonly tools?: ToolTree | undefined;
  /** The model of every agent. */
  readonly model?: Model | undefined;
}

export interface TurnsDeps {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly agents: HomeAgents;
  readonly defaultModel: ModelRef;
  /** `provider/model` for all agents; overrides all other settings. */
  readonly model?: string | undefined;
  /** Plugin files in addition to those of the config, as absolute paths. */
  readonly plugins: readonly string[];
  readonly embedded?: EmbeddedParts | undefined;
  /** See `EngineOptions`. */
  readonly brokenSources?: "refused" | "left_out" | undefined;
  readonly services: TurnServices;
  /** Absent if agents have none. */
  readonly memory?: OwnMemory | undefined;
  /** Absent if nothing is recalled by itself. */
  readonly recall?: Recall | undefined;
  readonly reporters: () => Reporters;
  readonly redactor: Redactor;
  readonly embedders: () => Promise<HomeEmbedders>;
  readonly clock: Clock;
  /** The demo's own time. */
  readonly demoTime: Clock;
  readonly signal: AbortSignal;
  readonly warn: (text: string) => void;
}

/**
 * The parts that a home's turns need: tools, policy, sandbox, checker, models. It loads plugins, whose code runs in
 * processes of their own, so this process must hold the home's lock. Rejects as `loadSources` does.
 */
export async function openTurns(deps: TurnsDeps): Promise<TurnPorts> {
  const { home, env, agents, services, redactor, clock, warn } = deps;
  const { log } = services;
  const { policy, approvals, credentials } = home.config;
  await using opened = new AsyncDisposableStack();
  const models = createAgentModels(home, env, agents.settings, deps.model, redactor.learn);
  const audit = opened.use(createNetAudit({ log, redactor, warn }));
  if (policy.rules.length > 0) {
    const { shadowedRuleWarnings } = await import("./policy/policy-settings.ts");
    shadowedRuleWarnings(policy).forEach(warn);
  }
  const tools = opened.use(await openHomeTools({ ...deps, audit: audit.note }));
  const checker = opened.use(createNodeTypeChecker());
  const sandbox = opened.use(createWorkerSandbox());
  const { expireMinutes } = approvals;

  const owned = opened.move();
  return {
    tools: tools.current,
    plugins: tools.plugins,
    modelOf: (slug, ref, chosen, fallbacks) =>
      deps.embedded?.model ?? models.of(slug, ref, chosen, fallbacks),
    checker,
    stripper: createNodeTypeStripper(),
    sandbox,
    policy: createPolicy(policy),
    plans: policy.plans ? "on" : "off",
    counter: policy.budgets.length === 0 ? undefined : await openCallCounter({ log, clock }),
    approvalTtlMs: expireMinutes === undefined ? undefined : expireMinutes * 60_000,
    credentials: async (toolPath, name) => {
      const { createCredentialIssuer } = await import("./credentials/credential-issuer.ts");
      return await createCredentialIssuer(credentials, env, home.directory)(toolPath, name);
    },
    recall: deps.recall,
    onSuspect: ({ request }, deaths) =>
      void import("./doctor/describe-suspect.ts").then(({ describeSuspect }) =>
        warn(describeSuspect({ ...request, deaths })),
      ),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Calls are counted only if the settings have budgets. */
async function openCallCounter(deps: Pick<TurnServices, "log"> & { readonly clock: Clock }) {
  const { createCallCounter } = await import("@deputy/agent/budget");
  return createCallCounter(deps);
}
