import type { Invocation } from "./invocation.ts";

/** What a plugin lets fly does not take the daemon down with it. */
export interface StrayErrors extends Disposable {
  /** True once something was thrown past everybody: nobody knows in which state that left this process. */
  readonly fatal: () => boolean;
}

/** A rejection nobody waits for is reported; an exception nobody catches is reported and ends the daemon in order. */
export function catchStrayErrors({ onBug, shutDown }: Pick<Invocation, "onBug" | "shutDown">): StrayErrors {
  let fatal = false;
  const onException = (error: unknown): void => {
    fatal = true;
    onBug(error);
    shutDown();
  };
  process.on("unhandledRejection", onBug);
  process.on("uncaughtException", onException);
  return {
    fatal: () => fatal,
    [Symbol.dispose]() {
      process.off("unhandledRejection", onBug);
      process.off("uncaughtException", onException);
    },
  };
}
