import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { throwIfAborted } from "@deputy/kit";
import { ToolsError } from "@deputy/tools";
import type { CommandPlace } from "../../sandbox/command-place.ts";

/**
 * Everything in a folder, which Deputy may have written to since, becomes the command's to change. Idempotent. Rejects
 * with `sandbox_unavailable`, or the signal's reason.
 */
export async function handOver(
  place: Pick<CommandPlace, "handOver">,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const hand = place.handOver?.(folder);
  if (hand === undefined) return;
  try {
    await promisify(execFile)(hand.file, hand.args, { env: {}, signal });
  } catch (cause) {
    throwIfAborted(signal);
    throw new ToolsError(
      "sandbox_unavailable",
      "The files of the workspace could not be given to the user that commands run as",
      { cause },
    );
  }
}
