import { CodedError, errorCodeOf, makeVisible } from "@deputy/kit";
import { EXIT, type ExitCode } from "@deputy/terminal/output";

/** Says what went wrong and what to do next; a bug also shows its stack. Returns the exit code. */
export function reportFailure(error: unknown, mode: "human" | "json"): ExitCode {
  const code = errorCodeOf(error);
  const { message, hint } = describe(error, code);
  if (mode === "json") {
    process.stdout.write(`${JSON.stringify({ type: "error", code, message, hint })}\n`);
  } else {
    process.stderr.write(`deputy: ${makeVisible(message)} (${code})\n`);
    if (hint !== undefined) process.stderr.write(`  ${makeVisible(hint)}\n`);
  }
  if (code === "internal") {
    const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`${makeVisible(details)}\n`);
  }
  return code === "usage" ? EXIT.usage : EXIT.failed;
}

/** An error that says what is wrong and what to do, on one line; undefined for a bug. */
export function describeCondition(error: unknown): string | undefined {
  if (!(error instanceof CodedError)) return undefined;
  const hint = error.hint === undefined ? "" : ` ${error.hint}`;
  return `${error.message} (${String(error.code)}).${hint}`;
}

function describe(error: unknown, code: string): { readonly message: string; readonly hint?: string } {
  if (error instanceof CodedError) {
    return error.hint === undefined
      ? { message: error.message }
      : { message: error.message, hint: error.hint };
  }
  return { message: code === "aborted" ? "Stopped." : "Something went wrong inside Deputy." };
}

/**
 * For a command that holds the home's lock: once its log has failed nothing can be stored, so the command says so and
 * ends. `end` is for commands that would wait for the user's next input; the others end with the turn that broke off.
 * A daemon opens the log again instead (`serve/keep-serving.ts`).
 */
export function endOnFailure(
  tell: (text: string) => void,
  end: () => void = () => undefined,
): (error: CodedError<string>) => void {
  return (error) => {
    tell(
      `${error.message} (${error.code}). Nothing more can be stored, so this ends. Check the disk, then start it again: interrupted work continues.`,
    );
    end();
  };
}
