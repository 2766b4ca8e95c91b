import { resolve } from "node:path";
import { AgentError } from "@deputy/agent";
import { createAgentCatalogue } from "@deputy/agent/turns";
import { type ReplayDeps, summarize, type TurnReplay } from "@deputy/agent/replay";
import { createSystemClock, type SessionId } from "@deputy/kit";
import { createRedactor } from "@deputy/secrets";
import { readEvent } from "@deputy/protocol";
import { openSqliteReader, type SqliteReader } from "@deputy/store/sqlite";
import { type Catalogue, createCatalogue } from "@deputy/tools";
import { openAgents } from "../../agents/open-agents.ts";
import { AppError } from "../../app-error.ts";
import { openDemo } from "@deputy/demo-world";
import { withBuiltins, openBuiltins } from "../../builtins/open-builtins.ts";
import { EXIT, type ExitCode, type ApproveMode } from "@deputy/terminal/output";
import { findRecordedSession } from "../../find-recorded-session.ts";
import { type Home, openHome } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";
import { loadSources, NOTHING_IS_CALLED } from "../../load-catalogue.ts";
import { openReplayer } from "../../open-replayer.ts";
import { secretsOf, secretsIn } from "../../config/secret-places.ts";
import { toolSourcesOf } from "../../config/tool-source-schema.ts";
import { showReplay, showReplaySummary } from "@deputy/terminal/show";

export interface ReplayOptions {
  readonly turn?: number;
  readonly typecheck?: true;
  readonly tools?: readonly string[];
  readonly forkAt?: string;
  readonly model?: string;
  readonly approve: ApproveMode;
}

/**
 * `deputy replay SESSION`: reads beside a running daemon, and changes nothing. With `--fork-at` it continues
 * instead.
 */
export async function replay(
  invocation: Invocation,
  name: string,
  options: ReplayOptions,
): Promise<ExitCode> {
  const { forkAt, model } = options;
  if (forkAt !== undefined) {
    const { goOnInFork } = await import("./replay-fork.ts");
    return await goOnInFork(invocation, name, { ...options, forkAt });
  }
  if (model !== undefined)
    throw new AppError("usage", "A replay calls no model", {
      hint: "--model goes with --fork-at, where a session goes on from an earlier point.",
    });

  const { output, env, signal } = invocation;
  const home = openHome(invocation.homeDirectory, invocation.warn);
  await using log = openSqliteReader({ directory: home.directory });
  const session = await findRecordedSession(log, name);
  await using replayer = openReplayer({
    log,
    catalogue: await loadTools(home, log, session, options, invocation),
    typecheck: options.typecheck === true ? "today" : "none",
    redactor: createRedactor([...secretsIn(env), ...secretsOf(home.config, env, home.directory)]),
    agentOf: agentsOf(home),
  });
  const turns: TurnReplay[] = [];
  for await (const turn of replayer.replay(session, { turn: options.turn }, signal)) {
    turns.push(turn);
    showReplay(output, turn);
  }
  if (options.turn !== undefined && turns.length === 0)
    throw new AppError("usage", `${session} has no turn ${options.turn}`);
  const summary = summarize(turns);
  showReplaySummary(output, session, summary);
  const { diverged, notReplayable, mistyped } = summary;
  return diverged + notReplayable + mistyped === 0 ? EXIT.done : EXIT.failed;
}

/** Agents as they are today; one that no longer exists gets the plainest settings. */
function agentsOf(home: Home): ReplayDeps["agentOf"] {
  const { registry } = openAgents(home, process.cwd());
  return async (agentId, signal) => {
    try {
      return await registry.read(agentId, signal);
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      return { mode: "code", instructions: [] };
    }
  };
}

/** A replay needs no tools. They are loaded only for a comparison, or when they are named. */
async function loadTools(
  home: Home,
  log: SqliteReader,
  session: SessionId,
  options: Pick<ReplayOptions, "tools" | "typecheck">,
  { env, warn, signal }: Pick<Invocation, "env" | "warn" | "signal">,
): Promise<Catalogue> {
  if (options.tools === undefined && options.typecheck === undefined) return createCatalogue([]);
  const named = (options.tools ?? []).map((file) => resolve(file));
  const files = [...toolSourcesOf(home.config), ...named, ...(await pluginsOf(log, session))];
  const sources = await loadSources(files, {
    home: home.directory,
    env,
    warn,
    ...NOTHING_IS_CALLED,
    signal,
  });
  const rehearsal = { provider: "rehearsal", model: "tour" };
  const clock = createSystemClock();
  const demoDeps = { home: home.directory, clock, time: clock, warn, ...NOTHING_IS_CALLED };
  await using demo = await openDemo(rehearsal, sources, demoDeps);
  const { settings, shelvesOf } = openAgents(home, process.cwd());
  return createAgentCatalogue(
    createCatalogue(withBuiltins(await openBuiltins(home, {}), [...sources, ...demo.sources])),
    ["**"],
    shelvesOf(settings.defaultAgent),
  );
}

/** Plugin files that were loaded for the session's task. */
async function pluginsOf(log: SqliteReader, session: SessionId): Promise<readonly string[]> {
  for await (const stored of log.read(session)) {
    const read = readEvent(stored);
    if (read.kind === "known" && read.event.type === "task.created") return read.event.data.plugins ?? [];
  }
  return [];
}
