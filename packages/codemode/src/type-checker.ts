import type { Diagnostic } from "@deputy/protocol";

/** Checks a cell against the declarations of every tool, before anything runs. */
export interface TypeChecker extends AsyncDisposable {
  /**
   * Resolves with the problems, empty if the code typechecks; positions refer to `code`. Rejects with
   * `checker_busy`, `checker_timeout`, `checker_crashed`, or the signal's reason. Starts what it needs on
   * first use. One for all sessions: a failing check does not affect others.
   */
  check(source: CheckSource, signal: AbortSignal): Promise<readonly Diagnostic[]>;
}

export interface CheckSource {
  /** TypeScript: the body of an async function. */
  readonly code: string;
  /** What `emitDeclarations` gave. */
  readonly declarations: string;
}

/** Erases types without moving a character, so that lines and columns stay. */
export interface TypeStripper {
  /**
   * Throws `not_erasable` for what is not TypeScript, has JavaScript of its own (enum, namespace), or nests
   * too deeply; the next program works all the same. Blocks while waiting, for a bounded time.
   */
  strip(code: string): string;
}
