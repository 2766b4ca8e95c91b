import type { WorkspaceLane } from "@deputy/workspace";
import type { CommandOrder } from "./command-runner.ts";

export type CommandLine = Pick<CommandOrder, "command" | "cwd">;

/** Tells what runs of a command line changed in the workspace from what anything else did. */
export interface WorkspaceChanges {
  /** The lane of tools that change files, watched. */
  readonly lane: WorkspaceLane;
  /** The workspace as it is now. */
  stateOf(line: CommandLine): Promise<string>;
  /**
   * The same, with what runs of this very line have changed taken back: it stays as it was as long as nothing else
   * changes anything.
   */
  groundsOf(line: CommandLine): Promise<string>;
  /** Runs a line. What it changes is its own, unless something else was at work at the same time. */
  run<T>(line: CommandLine, job: () => Promise<T>): Promise<T>;
}

const MOST_LINES = 200;

/**
 * Kept in memory: after a restart, what a line has changed counts as changed by others, and the user is asked again.
 */
export function createWorkspaceChanges(deps: {
  readonly lane: WorkspaceLane;
  /** Never rejects. */
  readonly state: (line: CommandLine) => Promise<string>;
}): WorkspaceChanges {
  /** By line: the workspace after its last run, and what that stands for. */
  const after = new Map<string, { readonly state: string; readonly grounds: string }>();
  let running = 0;
  let others = 0;

  const keyOf = ({ command, cwd }: CommandLine): string => JSON.stringify([command, cwd]);
  const groundsOf = async (line: CommandLine): Promise<string> => {
    const now = await deps.state(line);
    const last = after.get(keyOf(line));
    return last?.state === now ? last.grounds : now;
  };

  return {
    lane: (signal, job) => {
      others += 1;
      return deps.lane(signal, job);
    },
    stateOf: deps.state,
    groundsOf,
    async run(line, job) {
      const grounds = await groundsOf(line);
      others += 1;
      const before = others;
      running += 1;
      const wasAlone = running === 1;
      try {
        return await job();
      } finally {
        running -= 1;
        const state = await deps.state(line);
        if (wasAlone && others === before) {
          after.delete(keyOf(line));
          after.set(keyOf(line), { state, grounds });
          const [oldest] = after.keys();
          if (oldest !== undefined && after.size > MOST_LINES) after.delete(oldest);
        }
      }
    },
  };
}
