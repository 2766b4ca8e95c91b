import { type AgentsSettings, createAgentRegistry } from "@deputy/agent";
import { createMemoryTextFolder, type MemoryFiles } from "@deputy/agent/memory-text-folder";
import { createAgentCatalogue, createCallCounter, type CredentialIssuer } from "@deputy/agent/turns";
import type { CellLimits, Sandbox, TypeChecker, TypeStripper } from "@deputy/codemode";
import { type Clock, createIdSource, createSystemClock } from "@deputy/kit";
import type { Model } from "@deputy/model";
import { createPolicy, type PolicySettings } from "@deputy/policy";
import { createRedactor } from "@deputy/policy/secrets";
import {
  createMemoryBlobStore,
  createMemoryEventLog,
  type MemoryEventLog,
  sha256,
} from "@deputy/store/memory";
import { createCatalogue, type ToolSource } from "@deputy/tools";
import type { EnginePorts, TurnPorts } from "../engine-ports.ts";
import { openMemoryWorkflows } from "./memory-workflows.ts";

export interface MemoryEngineOptions {
  /** What every agent thinks with; `ref` is what the agent's settings say, if they do. */
  readonly modelOf: (slug: string, ref: string | undefined) => Model;
  readonly tools: readonly ToolSource[];
  /** Called with the first turn. What it gives is closed with the engine. */
  readonly openRuntime: () => Promise<ProgramRuntime>;
  readonly policy?: Partial<PolicySettings> | undefined;
  /** One agent, `main`, unless told. */
  readonly agents?: AgentsSettings | undefined;
  /** What would be in the folder of agents, such as `main/AGENTS.md`; looked at anew each turn. */
  readonly files?: MemoryFiles | undefined;
  /** Values that must never be shown. */
  readonly secrets?: readonly string[] | undefined;
  readonly credentials?: CredentialIssuer | undefined;
  readonly approvalTtlMs?: number | undefined;
  /** The machine's unless told. */
  readonly clock?: Clock | undefined;
  readonly warn: (text: string) => void;
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** What programs are checked and run with: other in a browser than in Node. */
export interface ProgramRuntime extends AsyncDisposable {
  readonly checker: TypeChecker;
  readonly stripper: TypeStripper;
  readonly sandbox: Sandbox;
  readonly limits?: CellLimits | undefined;
}

const ONE_AGENT: AgentsSettings = { defaultAgent: "main", forAll: {}, bySlug: new Map() };

/** Ports of an engine that keeps everything in memory and forgets it when it is closed. Needs nothing of Node. */
export function createMemoryPorts(
  options: MemoryEngineOptions,
): EnginePorts & { readonly log: MemoryEventLog } {
  const { clock = createSystemClock(), agents: settings = ONE_AGENT, warn, onBug, signal } = options;
  const { defaultAgent } = settings;
  const ids = createIdSource({ clock });
  const folder = createMemoryTextFolder(options.files ?? {});
  const shelvesOf = (): readonly [] => [];

  const openTurns: EnginePorts["openTurns"] = async ({ log }): Promise<TurnPorts> => {
    const { policy, modelOf, credentials, approvalTtlMs } = options;
    const all = createCatalogue(options.tools);
    const sets = { all, programs: createAgentCatalogue(all, ["**"], shelvesOf()) };
    const runtime = await options.openRuntime();
    return {
      tools: async () => sets,
      modelOf,
      policy: createPolicy(policy),
      counter: (policy?.budgets ?? []).length === 0 ? undefined : createCallCounter({ log, clock }),
      credentials,
      approvalTtlMs,
      checker: runtime.checker,
      stripper: runtime.stripper,
      sandbox: runtime.sandbox,
      limits: runtime.limits,
      [Symbol.asyncDispose]: () => runtime[Symbol.asyncDispose](),
    };
  };

  return {
    log: createMemoryEventLog({ clock, ids }),
    blobs: createMemoryBlobStore(undefined, clock.now),
    clock,
    ids,
    sha256,
    redactor: createRedactor(options.secrets ?? []),
    owner: ids.next("event"),
    agents: { registry: createAgentRegistry({ folder, settings, shelvesOf }), defaultAgent, shelvesOf },
    firstSession: { key: "memory--default", agentId: defaultAgent, channel: "memory" },
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    retention: { deliveryDays: undefined, blobDays: undefined },
    openWorkflows: async (advance, until) => openMemoryWorkflows({ advance, clock, onBug, signal: until }),
    openTurns,
    turnsOpen: "when needed",
    warn,
    onBug,
    signal,
  };
}
