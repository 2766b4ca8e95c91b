import type { JSValueHandle } from "quickjs-wasi";

/** More than these are not remembered: one is enough to fail a cell. */
const MAX_REMEMBERED = 16;

/** Rejections that nobody has handled yet, oldest first. */
export interface UnhandledRejections {
  note(promise: JSValueHandle, reason: JSValueHandle, isHandled: boolean): void;
  /** The reason of the oldest; valid as long as the VM. */
  first(): JSValueHandle | undefined;
}

export function createUnhandledRejections(): UnhandledRejections {
  // The promise is kept as well, so that no other one can take its identity.
  const noted = new Map<number, { readonly promise: JSValueHandle; readonly reason: JSValueHandle }>();
  return {
    note(promise, reason, isHandled) {
      if (!isHandled) {
        if (noted.size >= MAX_REMEMBERED) return;
        noted.set(promise.identity, { promise: promise.dup(), reason: reason.dup() });
        return;
      }
      const entry = noted.get(promise.identity);
      if (entry === undefined) return;
      noted.delete(promise.identity);
      entry.promise.dispose();
      entry.reason.dispose();
    },
    first: () => noted.values().next().value?.reason,
  };
}
