import { type Approve, type Deputy, openDeputy } from "@deputy/sdk";
import type { Model } from "@deputy/model";
import type { ToolTree } from "@deputy/tools";
import { openEngine } from "../engine.ts";
import { locateHome, openHome } from "../home.ts";

export interface DeputyOptions {
  /**
   * `provider/model`, such as `anthropic/claude-sonnet-5`, whose key is in `env`; or a model of one's own. Absent: what
   * `DEPUTY_MODEL` or the home's settings say, else the rehearsal, which runs fenced programs and thinks nothing.
   */
  readonly model?: string | Model | undefined;
  /** Tools that run in this process, as `defineTool` makes them; besides those that the home has. */
  readonly tools?: ToolTree | undefined;
  /** The folder that everything is kept in, made if it is not there. One process at a time has it. */
  readonly home: string;
  /** Where keys and settings are looked up. Absent: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Answers questions. Absent: they wait for `approvals.answer`. */
  readonly approve?: Approve | undefined;
  /** An abort while it opens makes it reject; afterwards it closes the deputy. */
  readonly signal?: AbortSignal | undefined;
  /** Told what somebody should mend, such as a setting that means nothing. Absent: `console.warn`. */
  readonly onWarning?: ((text: string) => void) | undefined;
  /** Told of bugs, which no result can carry. Absent: `console.error`. */
  readonly onBug?: ((error: unknown) => void) | undefined;
}

/**
 * Opens an agent in this process. Rejects with a coded error: `home_unusable`, `home_locked` or `config_invalid` for
 * the home, `unknown_provider` or `unknown_model` for the model, `invalid_tool` or `duplicate_tool` for the tools.
 */
export async function createDeputy(options: DeputyOptions): Promise<Deputy> {
  const { model, tools, approve, signal } = options;
  const warn = options.onWarning ?? console.warn;
  const onBug = options.onBug ?? console.error;
  const env = { ...(options.env ?? process.env) };
  signal?.throwIfAborted();
  const engine = await openEngine({
    home: openHome(locateHome(options.home, env), warn),
    env,
    plugins: [],
    ...(typeof model === "string" ? { model } : {}),
    embedded: { tools, model: typeof model === "object" ? model : undefined },
    secrets: [],
    signal: signal ?? new AbortController().signal,
    warn,
    onBug,
  });
  const deputy = openDeputy(engine, { approve });
  const close = (): void => void deputy.close().catch(onBug);
  signal?.addEventListener("abort", close, { once: true });
  if (signal?.aborted) {
    await deputy.close();
    signal.throwIfAborted();
  }
  return deputy;
}
