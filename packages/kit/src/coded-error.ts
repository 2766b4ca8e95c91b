/**
 * The base of every package's one error class. `code` comes from a closed union and is stable;
 * `message` is safe to show a user; `hint` says what to do next; `cause` is for logs only.
 */
export abstract class CodedError<Code extends string> extends Error {
  readonly code: Code;
  readonly hint: string | undefined;

  constructor(
    code: Code,
    message: string,
    options: { readonly cause?: unknown; readonly hint?: string } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = options.hint;
  }
}

/** The code of a coded error, `aborted` for an abort, `internal` for anything else (a bug). */
export function errorCodeOf(error: unknown): string {
  if (error instanceof CodedError) return String(error.code);
  if (isAbort(error)) return "aborted";
  return "internal";
}

/** The `code` of an error, such as `ENOENT` for a file that is missing. Undefined if it has none. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

/** True for the rejection that an aborted wait ends with, unless `abort()` was given an error of another name. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
}

/** Throws the signal's reason, as an Error, if it is aborted. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortReason(signal);
}

/** One for all: whoever gives a reason that is no error, such as a word, saves the making of one with its stack. */
const ABORTED = new DOMException("Aborted", "AbortError");

/** The reason of an aborted signal as an Error, even if `abort()` was given something else. */
export function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : ABORTED;
}
