import { CodedError, isAbort } from "@deputy/kit";
import { EXIT, type ExitCode } from "./exit-code.ts";

/** Says what went wrong and what to do next; a bug also shows its stack. Returns the exit code. */
export function reportFailure(error: unknown, mode: "human" | "json"): ExitCode {
  const coded = error instanceof CodedError ? error : undefined;
  const code = coded === undefined ? (isAbort(error) ? "aborted" : "internal") : String(coded.code);
  const message = coded?.message ?? (isAbort(error) ? "Stopped." : "Something went wrong inside Deputy.");
  if (mode === "json") {
    const hint = coded?.hint === undefined ? {} : { hint: coded.hint };
    process.stdout.write(`${JSON.stringify({ type: "error", code, message, ...hint })}\n`);
  } else {
    process.stderr.write(`deputy: ${message} (${code})\n`);
    if (coded?.hint !== undefined) process.stderr.write(`  ${coded.hint}\n`);
  }
  if (code === "internal")
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return code === "usage" ? EXIT.usage : EXIT.failed;
}
