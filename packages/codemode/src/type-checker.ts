import type { Diagnostic } from "@deputy/protocol";

/** Checks a cell against the declarations of every tool, before anything runs. */
export interface TypeChecker extends AsyncDisposable {
  /**
   * Resolves with what is wrong, empty when the code typechecks; positions are those of `code`.
   * Rejects with `checker_busy`, `checker_timeout`, `checker_crashed`, or the signal's reason. Starts what
   * it needs on first use. One for all sessions: a check that goes wrong fails no other.
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
   * Throws `not_erasable` for what is no TypeScript, has JavaScript of its own (enum, namespace), or nests
   * too deeply; works again for the next program, whatever this one was. Waits in place, a bounded time.
   */
  strip(code: string): string;
}
