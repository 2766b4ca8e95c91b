import type { Invocation } from "./invocation.ts";

/** What a plugin lets fly does not take down with it whoever runs it. */
export interface StrayErrors extends Disposable {
  /** True once something was thrown past everybody: nobody knows in which state that left this process. */
  readonly fatal: () => boolean;
}

/** A rejection nobody waits for is told; an exception nobody catches is told and ends the command in order. */
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

/** In words for whoever ran the tool: what it was, and where, as far as it says. */
export function describeStray(error: unknown): string {
  const what = error instanceof Error ? error.message : String(error);
  const [, place] = (error instanceof Error ? /^\s+at (.+)$/m.exec(error.stack ?? "") : null) ?? [];
  return `A tool failed where nothing waited for it: ${what}${place === undefined ? "" : ` (${place})`}`;
}
