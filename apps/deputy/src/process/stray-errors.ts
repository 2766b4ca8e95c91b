import type { Invocation } from "../invocation.ts";

/** An unhandled error of a plugin does not end the process that runs it. */
export interface StrayErrors extends Disposable {
  /** True once an exception was not caught: the state of this process is then unknown. */
  readonly fatal: () => boolean;
}

/** An unhandled rejection is reported. An uncaught exception is reported and ends the command cleanly. */
export function catchStrayErrors(deps: {
  readonly tell: Invocation["onBug"];
  readonly shutDown: Invocation["shutDown"];
}): StrayErrors {
  const { tell, shutDown } = deps;
  let fatal = false;
  const onException = (error: unknown): void => {
    fatal = true;
    tell(error);
    shutDown();
  };
  // Node gives these handlers more than the error.
  const onRejection = (error: unknown): void => tell(error);
  process.on("unhandledRejection", onRejection);
  process.on("uncaughtException", onException);
  return {
    fatal: () => fatal,
    [Symbol.dispose]() {
      process.off("unhandledRejection", onRejection);
      process.off("uncaughtException", onException);
    },
  };
}

/** Describes the error to the user who ran the tool: what it was, and where, if it says so. */
export function describeStray(error: unknown): string {
  const what = error instanceof Error ? error.message : String(error);
  const [, place] = (error instanceof Error ? /^\s+at (.+)$/m.exec(error.stack ?? "") : null) ?? [];
  return `A tool failed where nothing waited for it: ${what}${place === undefined ? "" : ` (${place})`}`;
}
