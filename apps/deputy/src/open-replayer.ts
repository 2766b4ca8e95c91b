import { createHash } from "node:crypto";
import { type ReplayDeps, replaySession, type TurnReplay } from "@deputy/agent/replay";
import { DEFAULT_CELL_LIMITS } from "@deputy/codemode";
import { createNodeTypeChecker, createNodeTypeStripper, createWorkerSandbox } from "@deputy/codemode/node";
import { createIdSource, createSystemClock } from "@deputy/kit";
import type { Redactor } from "@deputy/secrets";
import type { StreamId } from "@deputy/protocol";
import type { Catalogue } from "@deputy/tools";

/** Runs recorded sessions again; see `replaySession`. */
export interface Replayer extends AsyncDisposable {
  replay(
    stream: StreamId,
    options: { readonly turn?: number | undefined },
    signal: AbortSignal,
  ): AsyncIterable<TurnReplay>;
}

/** Puts the sandbox, and the checker when `typecheck` is asked for, behind a replay. Reads from the log only. */
export function openReplayer(options: {
  readonly log: ReplayDeps["log"];
  readonly catalogue: Catalogue;
  readonly typecheck: "today" | "none";
  readonly agentOf: ReplayDeps["agentOf"];
  readonly redactor: Redactor;
}): Replayer {
  const { log, catalogue, redactor, agentOf } = options;
  const opened = new AsyncDisposableStack();
  const clock = createSystemClock();
  const deps: ReplayDeps = {
    log,
    catalogue,
    redactor,
    clock,
    ids: createIdSource({ clock }),
    sandbox: opened.use(createWorkerSandbox()),
    stripper: createNodeTypeStripper(),
    checker: options.typecheck === "none" ? undefined : opened.use(createNodeTypeChecker()),
    limits: DEFAULT_CELL_LIMITS,
    sha256: (text) => createHash("sha256").update(text).digest("hex"),
    agentOf,
  };
  return {
    replay: (stream, { turn }, signal) => replaySession(deps, stream, { turn }, signal),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
