import { CodedError } from "@deputy/kit";

export const shellErrorCodes = [
  "step_limit",
  "wall_limit",
  "output_limit",
  "process_limit",
  "depth_limit",
  "expansion_limit",
] as const;
export type ShellErrorCode = (typeof shellErrorCodes)[number];

/** A limit that a script reached: the script has ended. What scripts do wrong is an exit code, never this. */
export class ShellError extends CodedError<ShellErrorCode> {}
