import { BrokenPipe, type Channel, type CommandRun, ShellError } from "@deputy/shell";
import type { ByteSink, ByteSource, ProgramOutcome } from "@deputy/wasi";

/** The exit code of a program that has ended, as a shell has it. */
export async function exitOf(
  outcome: ProgramOutcome,
  run: Pick<CommandRun, "argv" | "stderr" | "signal">,
): Promise<number> {
  switch (outcome.kind) {
    case "exited":
      return outcome.code;
    case "signalled":
      return 141;
    case "trapped":
      await run.stderr.write(new TextEncoder().encode(`${run.argv[0] ?? ""}: ${outcome.message}\n`));
      return 134;
    case "limit":
      throw new ShellError("output_limit", `${run.argv[0] ?? "A command"} wrote too much.`);
    case "stopped":
      throw run.signal.reason;
    default:
      throw new Error(`A program ended in no known way: ${String(outcome satisfies never)}`);
  }
}

/** A descriptor of the shell as programs in WebAssembly read and write. */
export function streamOf(channel: Channel): ByteSource & ByteSink {
  return {
    terminal: channel.isTerminal,
    read: (max) => channel.read(max),
    write(bytes) {
      try {
        const waits = channel.write(bytes);
        if (!(waits instanceof Promise)) return "taken";
        return waits.then(
          () => "taken" as const,
          (error: unknown) => closedOr(error),
        );
      } catch (error) {
        return closedOr(error);
      }
    },
  };
}

function closedOr(error: unknown): "closed" {
  if (error instanceof BrokenPipe) return "closed";
  throw error;
}
