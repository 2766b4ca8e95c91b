import { ToolsError } from "@deputy/tools";
import type { CommandRunner } from "../bash/command-runner.ts";
import type { CommandPlace } from "../sandbox/command-place.ts";
import type { SandboxAudit } from "../sandbox/sandbox-audit.ts";

/** Commands in the workspace. What they run in is chosen once: later commands get no less than the first. */
export function createCommandRunner(deps: {
  /** May reject with `sandbox_unavailable`. */
  readonly choosePlace: () => Promise<CommandPlace>;
  /** The workspace's current folder. */
  readonly folder: (signal: AbortSignal) => Promise<string>;
  readonly env: NodeJS.ProcessEnv;
  readonly maxOutputBytes: number;
  /** What all it writes may have; then it is ended. */
  readonly outputBytes: number;
  readonly audit: SandboxAudit;
}): CommandRunner {
  let chosen: CommandPlace | undefined;
  let choosing: Promise<CommandPlace> | undefined;
  const placeOf = async (): Promise<CommandPlace> =>
    (chosen ??= await (choosing ??= deps.choosePlace().finally(() => (choosing = undefined))));
  return {
    async reach() {
      try {
        return (await placeOf()).reach;
      } catch (error) {
        if (error instanceof ToolsError) return `It will not run: ${error.message}`;
        throw error;
      }
    },
    async isContained() {
      try {
        return (await placeOf()).contains;
      } catch (error) {
        if (error instanceof ToolsError) return false;
        throw error;
      }
    },
    async run(order, signal) {
      const place = await placeOf();
      // Loaded when a command runs: a daemon that runs none does without.
      const { runCommand } = await import("./run-command.ts");
      const { handOver } = await import("./sandbox/hand-over.ts");
      const { scrubbedEnv } = await import("@deputy/tools/node/env");
      const folder = await deps.folder(signal);
      await handOver(place, folder, signal);
      return await runCommand(
        { ...order, folder, env: scrubbedEnv(deps.env) },
        {
          place,
          maxOutputBytes: deps.maxOutputBytes,
          outputBytes: deps.outputBytes,
          nowMs: () => performance.now(),
          audit: deps.audit,
        },
        signal,
      );
    },
  };
}
