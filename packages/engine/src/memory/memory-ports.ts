import { type AgentsSettings, createAgentRegistry } from "@deputy/agent";
import { createMemoryTextFolder, type MemoryFiles } from "@deputy/agent/memory-text-folder";
import { createCallCounter } from "@deputy/agent/budget";
import { createAgentCatalogue, type CredentialIssuer } from "@deputy/agent/turns";
import type { CellLimits, Sandbox, TypeChecker, TypeStripper } from "@deputy/codemode";
import { type Clock, createIdSource, createSystemClock } from "@deputy/kit";
import type { Model } from "@deputy/model";
import type { PolicySettings } from "@deputy/policy";
import { createPolicy } from "@deputy/policy/create-policy";
import { createRedactor } from "@deputy/secrets";
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
  /** The model of every agent; `ref` is what the agent's settings say, if anything. */
  readonly modelOf: (slug: string, ref: string | undefined, chosen?: string) => Model;
  readonly tools: readonly ToolSource[];
  /** Called with the first turn. What it gives is closed with the engine. */
  readonly openRuntime: () => Promise<ProgramRuntime>;
  readonly policy?: Partial<PolicySettings> | undefined;
  /** Default: one agent, `main`. */
  readonly agents?: AgentsSettings | undefined;
  /** The content of the folder of agents, such as `main/AGENTS.md`; read again each turn. */
  readonly files?: MemoryFiles | undefined;
  /** Values that must never be shown. */
  readonly secrets?: readonly string[] | undefined;
  readonly credentials?: CredentialIssuer | undefined;
  readonly approvalTtlMs?: number | undefined;
  /** Default: the machine's. */
  readonly clock?: Clock | undefined;
  readonly warn: (text: string) => void;
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** What checks and runs programs; different in a browser and in Node. */
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
