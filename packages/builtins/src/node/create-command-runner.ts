import type { CommandRunner } from "../bash/command-runner.ts";
import type { OuterSandbox } from "../bash/outer-sandbox.ts";
import { ToolsError } from "@deputy/tools";

/** Commands in the workspace. What they run in is chosen once: later commands get no less than the first. */
export function createCommandRunner(deps: {
  /** May throw `sandbox_unavailable`. */
  readonly chooseSandbox: () => OuterSandbox;
  /** The workspace's current folder. */
  readonly folder: (signal: AbortSignal) => Promise<string>;
  readonly env: NodeJS.ProcessEnv;
  readonly maxOutputBytes: number;
}): CommandRunner {
  let chosen: OuterSandbox | undefined;
  const sandboxOf = (): OuterSandbox => (chosen ??= deps.chooseSandbox());
  return {
    reach() {
      try {
        return sandboxOf().level.reach;
      } catch (error) {
        if (error instanceof ToolsError) return `It will not run: ${error.message}`;
        throw error;
      }
    },
    isContained() {
      try {
        return sandboxOf().level.contains;
      } catch (error) {
        if (error instanceof ToolsError) return false;
        throw error;
      }
    },
    async run(order, signal) {
      const sandbox = sandboxOf();
      // Loaded when a command runs: a daemon that runs none does without.
      const { runCommand } = await import("./run-command.ts");
      const { scrubbedEnv } = await import("@deputy/tools/node/env");
      const folder = await deps.folder(signal);
      await sandbox.prepare(folder, signal);
      return await runCommand(
        { ...order, folder, env: scrubbedEnv(deps.env) },
        { sandbox, maxOutputBytes: deps.maxOutputBytes, nowMs: () => performance.now() },
        signal,
      );
    },
  };
}
