import { isDeepStrictEqual } from "node:util";
import { JsonResult } from "../../json-result.ts";
import type { Attachable, ToolContext, ToolQuestion } from "../../tool.ts";
import { ToolsError } from "../../tools-error.ts";
import { crashOf, describeEnd, type Doom, type EndInWords } from "./describe-end.ts";
import type {
  FromHost,
  HostInput,
  HostOrder,
  HostQuestion,
  Service,
  ToolDescription,
} from "./host-messages.ts";
import { type HostProcess, startHost, type StartHostDeps } from "./start-host.ts";
import { fromWireError, toWireError } from "./wire-error.ts";

/**
 * The process of one plugin, as the daemon sees it: started when needed, ended when idle, and restarted after
 * it ended by itself.
 */
export interface PluginHost extends AsyncDisposable {
  /** The tools of the plugin as it was first loaded. Rejects with a `ToolsError` when it cannot be loaded. */
  describe(): Promise<readonly ToolDescription[]>;
  /**
   * Asks a tool about an input without running it. Rejects as the tool does, as `describe` does, with
   * `plugin_crashed`, or with `plugin_unresponsive` after a while.
   */
  question(path: string, about: HostQuestion, input: HostInput): Promise<unknown>;
  /**
   * Rejects like the tool, and if its process ends meanwhile: with `plugin_crashed` for a read, otherwise
   * with `outcome_unknown`. If a tool does not stop when its signal aborts, the whole process is ended after
   * a grace period.
   */
  run(tool: ToolDescription, input: HostInput, context: ToolContext): Promise<JsonResult>;
  /** Ends the process, if there is one; its next use starts another. */
  rest(): Promise<void>;
}

export interface HostLimits {
  /** How long a plugin may take to load. */
  readonly loadMs: number;
  /** How long a question may take while no call runs. */
  readonly questionMs: number;
  /** How long a tool may take to stop. The same as the gate's limit, so that both give up together. */
  readonly graceMs: number;
  /** A process that has never been called is ended after this time, … */
  readonly unusedMs: number;
  /** … and one that was called, so long after its last call. */
  readonly idleMs: number;
  /** How long a process may take to end. */
  readonly endMs: number;
  /** The size of its JavaScript heap. */
  readonly memoryMb: number;
}

const LIMITS: HostLimits = {
  loadMs: 30_000,
  questionMs: 10_000,
  graceMs: 5_000,
  unusedMs: 10_000,
  idleMs: 10 * 60_000,
  endMs: 1_000,
  memoryMb: 1_024,
};

export interface PluginHostDeps extends Pick<StartHostDeps, "env" | "print"> {
  readonly order: HostOrder;
  readonly limits?: Partial<HostLimits>;
}

interface Pending {
  readonly path: string;
  readonly settle: PromiseWithResolvers<unknown>;
  /** Absent for a question. */
  readonly call?: { readonly tool: ToolDescription; readonly context: ToolContext };
}

/** One life of the process. */
interface Life {
  readonly process: HostProcess;
  readonly ready: PromiseWithResolvers<readonly ToolDescription[]>;
  readonly pending: Map<number, Pending>;
  doom: Doom | undefined;
  /** Once it has ended. */
  end: EndInWords | undefined;
  wasCalled: boolean;
}

export function createPluginHost(deps: PluginHostDeps): PluginHost {
  const limits = { ...LIMITS, ...deps.limits };
  const { file } = deps.order;
  let life: Life | undefined;
  let known: readonly ToolDescription[] | undefined;
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  const start = (): Life => {
    const begun: Life = {
      process: startHost({
        ...deps,
        memoryMb: limits.memoryMb,
        onMessage: (message) => hear(begun, message),
      }),
      ready: Promise.withResolvers(),
      pending: new Map(),
      doom: undefined,
      end: undefined,
      wasCalled: false,
    };
    begun.ready.promise.catch(() => undefined);
    const late = setTimeout(
      () => doom(begun, `it was still loading after ${limits.loadMs / 1_000} s`),
      limits.loadMs,
    );
    begun.ready.promise.then(
      () => clearTimeout(late),
      () => clearTimeout(late),
    );
    void begun.process.ended.then((end) => {
      if (life === begun) life = undefined;
      bury(begun, describeEnd(end, begun.doom, limits.memoryMb));
    });
    begun.process.send({ kind: "load", ...deps.order });
    return begun;
  };

  const doom = (one: Life, why: string): void => {
    leave(one, { kind: "killed", why });
    one.process.kill();
  };

  /** From here on, calls to the plugin get another process. */
  const leave = (one: Life, why: Doom): void => {
    one.doom ??= why;
    if (life === one) life = undefined;
  };

  const bury = (one: Life, words: EndInWords): void => {
    one.end = words;
    one.ready.reject(
      new ToolsError("plugin_failed", `The plugin ${file} could not be loaded: it ${words.what}`, {
        hint: MEND,
      }),
    );
    for (const { path, settle, call } of one.pending.values())
      settle.reject(crashOf(file, words, path, call !== undefined && call.tool.effect !== "read"));
    one.pending.clear();
  };

  const hear = (one: Life, message: FromHost): void => {
    if (message.kind === "ready") return one.ready.resolve(message.tools);
    if (message.kind === "unready") return one.ready.reject(fromWireError(message.error));
    if (message.kind === "stray") return leave(one, message);
    if (message.kind === "progress" || message.kind === "log")
      return one.pending.get(message.call)?.call?.context[message.kind](message.text);
    if (message.kind === "need") return void serve(one, message);
    const { settle } = one.pending.get(message.id) ?? {};
    if (message.kind === "answer") settle?.resolve(message.value);
    if (message.kind === "result") settle?.resolve(new JsonResult(message.text, message.chars));
    if (message.kind === "threw") settle?.reject(fromWireError(message.error));
  };

  const serve = async (one: Life, message: FromHost & { readonly kind: "need" }): Promise<void> => {
    const { id, call, service, value } = message;
    try {
      const context = one.pending.get(call)?.call?.context;
      if (context === undefined) throw new Error("The call is over");
      one.process.send({ kind: "given", id, value: await give(context, service, value) });
    } catch (error) {
      one.process.send({ kind: "refused", id, error: toWireError(error) });
    }
  };

  /** Its process, with the plugin in it as it is known here. */
  const awake = async (): Promise<Life> => {
    if (isClosed) throw new ToolsError("plugin_failed", `The plugin ${file} has been closed`);
    clearTimeout(idle);
    const one = (life ??= start());
    one.process.hold(true);
    try {
      const tools = await one.ready.promise;
      known ??= tools;
      if (isDeepStrictEqual(tools, known)) return one;
    } catch (error) {
      doom(one, "it could not be loaded");
      await one.process.ended;
      throw error;
    }
    relax(one);
    throw new ToolsError(
      "plugin_failed",
      `The plugin ${file} has changed: its tools are not those that this turn began with`,
      { hint: "Ask again: the next turn has them as they are now." },
    );
  };

  const relax = (one: Life): void => {
    if (one.pending.size > 0 || life !== one) return;
    one.process.hold(false);
    clearTimeout(idle);
    idle = setTimeout(() => void rest(), one.wasCalled ? limits.idleMs : limits.unusedMs);
    idle.unref();
  };

  const send = async (
    pending: Omit<Pending, "settle">,
    post: (one: Life, id: number) => void,
  ): Promise<{
    readonly one: Life;
    readonly id: number;
    readonly settled: Promise<unknown>;
    readonly done: () => void;
  }> => {
    const one = await awake();
    if (one.end !== undefined) throw crashOf(file, one.end, pending.path, false);
    const id = ++lastId;
    const settle = Promise.withResolvers<unknown>();
    settle.promise.catch(() => undefined);
    // Another call may have ended since `awake` stopped the timer, and started it again.
    clearTimeout(idle);
    one.pending.set(id, { ...pending, settle });
    const done = (): void => {
      one.pending.delete(id);
      relax(one);
    };
    try {
      post(one, id);
    } catch (error) {
      done();
      throw error;
    }
    return { one, id, settled: settle.promise, done };
  };

  const ask: PluginHost["question"] = async (path, about, input) => {
    const { one, settled, done } = await send({ path }, ({ process }, id) =>
      process.send({ kind: "question", id, about, path, input }),
    );
    const tooLong = Promise.withResolvers<never>();
    const late = setTimeout(() => {
      // While a call runs, it may have a good reason to keep the process busy.
      const isBusy = [...one.pending.values()].some(({ call }) => call !== undefined);
      if (!isBusy) doom(one, `it did not answer within ${limits.questionMs / 1_000} s`);
      tooLong.reject(unresponsive(file, path, limits.questionMs, isBusy));
    }, limits.questionMs);
    try {
      return await Promise.race([settled, tooLong.promise]);
    } finally {
      clearTimeout(late);
      done();
    }
  };

  const rest = async (): Promise<void> => {
    const one = life;
    if (one === undefined) return;
    clearTimeout(idle);
    leave(one, { kind: "killed", why: "Deputy no longer needed it" });
    one.process.send({ kind: "end" });
    const late = setTimeout(() => one.process.kill(), limits.endMs);
    await one.process.ended;
    clearTimeout(late);
  };

  return {
    async describe() {
      const one = await awake();
      relax(one);
      return known ?? [];
    },
    async question(path, about, input) {
      try {
        return await ask(path, about, input);
      } catch (error) {
        // Another call may have caused it. Asking has no effect, so it is asked once more.
        if (!(error instanceof ToolsError) || error.code !== "plugin_crashed") throw error;
        return await ask(path, about, input);
      }
    },
    async run(tool, input, context) {
      const { path } = tool;
      const { signal } = context;
      const sent = await send({ path, call: { tool, context } }, ({ process }, id) =>
        process.send({ kind: "run", id, path, input, context: contextOf(context) }),
      );
      const { one, id, settled, done } = sent;
      one.wasCalled = true;
      let late: NodeJS.Timeout | undefined;
      const stop = (): void => {
        one.process.send({ kind: "abort", id, reason: toWireError(signal.reason) });
        const why = `${path} did not stop within ${limits.graceMs / 1_000} s of being told to`;
        late = setTimeout(() => doom(one, why), limits.graceMs);
      };
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
      try {
        return (await settled) as JsonResult;
      } finally {
        clearTimeout(late);
        signal.removeEventListener("abort", stop);
        done();
      }
    },
    rest,
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await rest();
    },
  };
}

const MEND = "Fix it, or remove it with `deputy tools remove FILE`. Nothing else in Deputy depends on it.";

function unresponsive(file: string, path: string, afterMs: number, isBusy: boolean): ToolsError {
  const why = isBusy ? "another call keeps it busy" : "it is started again when it is needed next";
  const message = `The plugin ${file} did not answer for ${path} within ${afterMs / 1_000} s: ${why}.`;
  return new ToolsError("plugin_unresponsive", message, { quotes: [] });
}

function contextOf(context: ToolContext) {
  const { idempotencyKey, sessionKey, session, approvedBy, attach, ask, credential } = context;
  const services: Service[] = [
    ...(attach === undefined ? [] : ["attach" as const]),
    ...(ask === undefined ? [] : ["ask" as const]),
    ...(credential === undefined ? [] : ["credential" as const]),
  ];
  return { idempotencyKey, sessionKey, session, approvedBy, services };
}

/** Values from a tool's author are checked where they are used, as they are for tools in this process. */
async function give(context: ToolContext, service: Service, value: unknown): Promise<unknown> {
  if (service === "attach") return await context.attach?.(value as Attachable);
  if (service === "ask") return await context.ask?.(value as ToolQuestion);
  return await context.credential?.(value as string);
}
