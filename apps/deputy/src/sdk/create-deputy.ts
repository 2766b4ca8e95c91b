import type { Model } from "@deputy/model";
import type { PolicySettings } from "@deputy/policy";
import { type Approve, type Deputy, type EmbeddedEngine, openDeputy } from "@deputy/sdk";
import type { ToolTree } from "@deputy/tools";
import { AppError } from "../app-error.ts";

export interface DeputyOptions {
  /**
   * `provider/model`, such as `anthropic/claude-opus-5`, whose key is in `env`; or your own model. Absent:
   * what `DEPUTY_MODEL` or the home's settings say, otherwise the rehearsal, which only runs fenced programs.
   */
  readonly model?: string | Model | undefined;
  /** Tools that run in this process, made by `defineTool`, in addition to those of the home. */
  readonly tools?: ToolTree | undefined;
  /**
   * The folder that holds everything, created if it is missing, with its settings, agents and built-in tools.
   * Only one process at a time can use it. Absent: everything is in memory and lost with the deputy, which
   * has only the given `tools`.
   */
  readonly home?: string | undefined;
  /** The agent's instructions about itself and its work. In memory only: in a home, the agents' files have them. */
  readonly instructions?: string | undefined;
  /**
   * Which tools are allowed, ask or are denied, and how often, as in `policy` of a home's settings. In memory only:
   * a home has settings of its own.
   */
  readonly policy?: Partial<PolicySettings> | undefined;
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

/** The same, with every default filled in. */
export type OpenOptions = Omit<DeputyOptions, "env" | "signal" | "onWarning" | "onBug"> & {
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly warn: (text: string) => void;
  readonly onBug: (error: unknown) => void;
};

/**
 * Opens an agent in this process. Rejects with a coded error: `home_unusable`, `home_locked` or `config_invalid` for
 * the home, `config_invalid` for the policy, `unknown_provider` or `unknown_model` for the model, `invalid_tool` or `duplicate_tool` for the tools.
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
  if (options.policy !== undefined)
    throw new AppError("usage", "A home has a policy of its own", {
      hint: "Write it into `policy` of the home's config.json, or leave `home` out.",
    });
  const { openOnHome } = await import("./open-on-home.ts");
  return await openOnHome(options, options.home);
}
