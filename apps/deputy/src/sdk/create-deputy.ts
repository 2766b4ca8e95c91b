import type { Model } from "@deputy/model";
import { type Approve, type Deputy, type EmbeddedEngine, openDeputy } from "@deputy/sdk";
import type { ToolTree } from "@deputy/tools";
import { AppError } from "../app-error.ts";

export interface DeputyOptions {
  /**
   * `provider/model`, such as `anthropic/claude-opus-5`, whose key is in `env`; or a model of one's own. Absent: what
   * `DEPUTY_MODEL` or the home's settings say, else the rehearsal, which runs fenced programs and thinks nothing.
   */
  readonly model?: string | Model | undefined;
  /** Tools that run in this process, made by `defineTool`, in addition to those of the home. */
  readonly tools?: ToolTree | undefined;
  /**
   * The folder that everything is kept in, made if it is not there, with its settings, agents and built-in tools. One
   * process at a time has it. Absent: everything is in memory and gone with the deputy, which has no tools but `tools`.
   */
  readonly home?: string | undefined;
  /** The agent's instructions about itself and its work. In memory only: in a home, the agents' files have them. */
  readonly instructions?: string | undefined;
  /** The variables in which keys and settings are looked up. Absent: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Answers questions. Absent: they wait for `approvals.answer`. */
  readonly approve?: Approve | undefined;
  /** An abort while it opens makes it reject; afterwards it closes the deputy. */
  readonly signal?: AbortSignal | undefined;
  /** Called with problems that someone should fix, such as an unknown setting. Absent: `process.emitWarning`. */
  readonly onWarning?: ((text: string) => void) | undefined;
  /** Called with bugs, which no result can carry. Absent: `process.emitWarning`. */
  readonly onBug?: ((error: unknown) => void) | undefined;
}

/** The same with everything that has a default. */
export type OpenOptions = Omit<DeputyOptions, "env" | "signal" | "onWarning" | "onBug"> & {
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly warn: (text: string) => void;
  readonly onBug: (error: unknown) => void;
};

/**
 * Opens an agent in this process. Rejects with a coded error: `home_unusable`, `home_locked` or `config_invalid` for
 * the home, `unknown_provider` or `unknown_model` for the model, `invalid_tool` or `duplicate_tool` for the tools.
 */
export async function createDeputy(options: DeputyOptions = {}): Promise<Deputy> {
  const {
    env,
    signal = new AbortController().signal,
    onWarning: warn = warnOfProcess,
    onBug = warnOfProcess,
    ...rest
  } = options;
  signal.throwIfAborted();
  const engine = await open({ ...rest, env: { ...(env ?? process.env) }, signal, warn, onBug });
  const deputy = openDeputy(engine, { approve: options.approve, signal });
  if (signal.aborted) {
    await deputy.close();
    signal.throwIfAborted();
  }
  return deputy;
}

function warnOfProcess(said: unknown): void {
  process.emitWarning(said instanceof Error ? said : String(said), { type: "DeputyWarning" });
}

async function open(options: OpenOptions): Promise<EmbeddedEngine> {
  if (options.home === undefined) {
    const { openInMemory } = await import("./open-in-memory.ts");
    return await openInMemory(options);
  }
  if (options.instructions !== undefined)
    throw new AppError("usage", "A home's agents have instructions of their own", {
      hint: "Write them into agents/main/AGENTS.md of the home, or leave `home` out.",
    });
  const { openOnHome } = await import("./open-on-home.ts");
  return await openOnHome(options, options.home);
}
