import type { JSValueHandle, QuickJS } from "quickjs-wasi";

/** Further ones are only counted. */
const MAX_REMEMBERED = 16;

/** Rejections that nobody has handled yet, oldest first. */
export interface UnhandledRejections {
  note(promise: JSValueHandle, reason: JSValueHandle, isHandled: boolean): void;
  /** The reason of the oldest, valid as long as the VM; `forgotten` if only counted ones are left. */
  first(): JSValueHandle | "forgotten" | undefined;
  /** All of them, as an image of the VM holds them. */
  save(vm: QuickJS): SavedRejections;
  restore(vm: QuickJS, saved: SavedRejections): void;
}

export interface SavedRejections {
  /** Tokens of a promise and of its reason. */
  readonly noted: readonly (readonly [promise: number, reason: number])[];
  readonly forgotten: number;
}

export const NO_REJECTIONS: SavedRejections = { noted: [], forgotten: 0 };

export function createUnhandledRejections(): UnhandledRejections {
  // The promise is kept too, so that no other one can take its identity.
  const noted = new Map<number, { readonly promise: JSValueHandle; readonly reason: JSValueHandle }>();
  let forgotten = 0;
  return {
    note(promise, reason, isHandled) {
      if (!isHandled) {
        if (noted.size >= MAX_REMEMBERED) forgotten += 1;
        else noted.set(promise.identity, { promise: promise.dup(), reason: reason.dup() });
        return;
      }
      const entry = noted.get(promise.identity);
      if (entry === undefined) {
        forgotten -= 1;
        return;
      }
      noted.delete(promise.identity);
      entry.promise.dispose();
      entry.reason.dispose();
    },
    first: () => noted.values().next().value?.reason ?? (forgotten > 0 ? "forgotten" : undefined),
    save: (vm) => ({
      noted: [...noted.values()].map(({ promise, reason }) => [
        vm.exportHandle(promise),
        vm.exportHandle(reason),
      ]),
      forgotten,
    }),
    restore(vm, saved) {
      for (const [promiseToken, reasonToken] of saved.noted) {
        const promise = vm.importHandle(promiseToken);
        noted.set(promise.identity, { promise, reason: vm.importHandle(reasonToken) });
      }
      ({ forgotten } = saved);
    },
  };
}
