import { AsyncLocalStorage } from "node:async_hooks";
import { registerHooks } from "node:module";
import type * as coreRuntime from "@workflow/core/runtime";
import type { World } from "@workflow/world";
import type { MessageHandler } from "../queue/dispatcher.ts";
import { isStubbed } from "./stubs-of.ts";
import { createContext, runInContext } from "node:vm";

export type { Event, World } from "@workflow/world";

export interface StepFunction {
  (...args: never[]): Promise<unknown>;
  /** Attempts after the first; crashes count. Workflow DevKit's own limit is 3. */
  readonly maxRetries?: number;
}

type CoreRuntime = typeof coreRuntime;

/** The World and the steps of the code that is running. */
interface Home {
  readonly world: World;
  readonly steps: ReadonlyMap<string, StepFunction>;
}

export type Door = (request: Request) => Promise<Response>;

export interface Doors {
  readonly workflow: Door;
  readonly step: Door;
}

/** Workflow DevKit, made to serve any number of Worlds in one process. */
export interface Core {
  /**
   * Registers handlers for a World's messages: workflows run from a script in the VM, steps are functions
   * with these names. The doors are for Worlds that deliver by HTTP; ours does not.
   */
  attach(world: World, script: string, steps: ReadonlyMap<string, StepFunction>): Doors;
  /** Encodes values as workflows get them. */
  encodeArguments(args: readonly unknown[], run: string): Promise<Uint8Array>;
  encodePayload(payload: unknown, run: string): Promise<Uint8Array>;
  decodeResult(bytes: unknown, run: string): Promise<unknown>;
  /** Calls Workflow DevKit's own functions in a World. */
  use<T>(world: World, work: (runtime: CoreRuntime) => Promise<T>): Promise<T>;
}

/**
 * Workflow DevKit keeps its World, its handlers and its steps in globals. Deputy puts one World there that
 * forwards to the active one, by the asynchronous context. It must be there before the import.
 */
const current = new AsyncLocalStorage<Home>();
let loaded: Promise<Core> | undefined;

/** Loaded once per process, with the first call. */
export function loadCore(): Promise<Core> {
  loaded ??= load();
  return loaded;
}

const WORLD_KEYS = ["@workflow/world//cache", "@workflow/world//stubbedCache"] as const;

async function load(): Promise<Core> {
  const handlers = new Map<string, MessageHandler>();
  const world = currentWorld(handlers);
  for (const key of WORLD_KEYS) Reflect.set(globalThis, Symbol.for(key), world);
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      return isStubbed(specifier, context.parentURL ?? "")
        ? { url: new URL("stubs.ts", import.meta.url).href, shortCircuit: true }
        : next(specifier, context);
    },
  });
  try {
    const runtime = await import("@workflow/core/runtime");
    const { registerStepFunction } = await import("@workflow/core/private");
    const codec = await import("@workflow/core/serialization");
    const stepHandler = handlers.get(STEP);
    if (stepHandler === undefined) throw new Error("Workflow DevKit did not say how it handles steps");
    return {
      attach(target, script, steps) {
        runtime.workflowEntrypoint(script);
        const workflowHandler = handlers.get(WORKFLOW);
        if (workflowHandler === undefined)
          throw new Error("Workflow DevKit did not say how it handles workflows");
        for (const [name, { maxRetries }] of steps)
          registerStepFunction(
            name,
            Object.assign(stepOf(name), maxRetries === undefined ? {} : { maxRetries }),
          );
        const home = { world: target, steps };
        const known = listWorkflows(script);
        const handleWorkflow: MessageHandler = async (message, meta) => {
          const name = meta.queueName.slice(WORKFLOW.length);
          // Otherwise Workflow DevKit would fail the run, and its unhandled rejection would end the process.
          if (!known.has(name)) throw new Error(`This version knows no workflow ${name}`);
          return workflowHandler(message, meta);
        };
        const bound = (handler: MessageHandler): Parameters<World["createQueueHandler"]>[1] => {
          return (message, meta) => current.run(home, () => handler(message, meta));
        };
        return {
          workflow: target.createQueueHandler(WORKFLOW, bound(handleWorkflow)),
          step: target.createQueueHandler(STEP, bound(stepHandler)),
        };
      },
      encodeArguments: async (args, run) =>
        bytes(await codec.dehydrateWorkflowArguments([...args], run, undefined)),
      encodePayload: async (payload, run) =>
        bytes(await codec.dehydrateStepReturnValue(payload, run, undefined)),
      decodeResult: (encoded, run) => codec.hydrateWorkflowReturnValue(encoded, run, undefined),
      use: (target, work) => current.run({ world: target, steps: new Map() }, () => work(runtime)),
    };
  } finally {
    hooks.deregister();
  }
}

const WORKFLOW = "__wkf_workflow_";
const STEP = "__wkf_step_";

function bytes(encoded: unknown): Uint8Array {
  if (encoded instanceof Uint8Array) return encoded;
  throw new Error("Workflow DevKit encodes values in an unknown way");
}

function stepOf(name: string): (...args: unknown[]) => Promise<unknown> {
  return (...args) => {
    const step = current.getStore()?.steps.get(name);
    if (step === undefined) throw new Error(`No step ${name} in this World`);
    return step(...(args as never[]));
  };
}

/** Forwards everything to the active World; keeps the handlers that Workflow DevKit registers. */
function currentWorld(handlers: Map<string, MessageHandler>): World {
  const createQueueHandler: World["createQueueHandler"] = (prefix, handler) => {
    handlers.set(prefix, (message, meta) => handler(message, meta as Parameters<typeof handler>[1]));
    return async () => new Response(null, { status: 404 });
  };
  const own: Partial<World> = { createQueueHandler, specVersion: 3 };
  return new Proxy({} as World, {
    get(_target, property) {
      if (Object.hasOwn(own, property)) return Reflect.get(own, property);
      const home = current.getStore();
      if (home === undefined) throw new Error("Workflow DevKit was used outside of any World");
      return Reflect.get(home.world, property);
    },
  });
}

/** The names of the workflows in a script for Workflow DevKit's VM. Runs the script here, without a VM. */
function listWorkflows(script: string): ReadonlySet<string> {
  const vm = createContext({});
  const nothing = (): unknown => nothing;
  for (const name of ["USE_STEP", "CREATE_HOOK", "SLEEP"])
    Reflect.set(vm, Symbol.for(`WORKFLOW_${name}`), nothing);
  runInContext(script, vm);
  return new Set(runInContext("globalThis.__private_workflows.keys()", vm) as Iterable<string>);
}
