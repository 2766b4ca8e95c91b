import { LARGEST_PROGRAM_CHARS } from "@deputy/protocol";
import { AgentError } from "../agent-error.ts";

/** Throws `program_too_large`. */
export function assertProgramSize(code: string): void {
  if (code.length <= LARGEST_PROGRAM_CHARS) return;
  throw new AgentError(
    "program_too_large",
    `A program may have ${LARGEST_PROGRAM_CHARS} characters; this one has ${code.length}.`,
  );
}
