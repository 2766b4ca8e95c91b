import type { Clock } from "@deputy/kit";

/** Looks every second whether those who follow streams still may: a silent one would not notice by itself. */
export interface RightsWatch {
  /** `lapsed` is called at most once a second from then on, until what is returned has been called. */
  add(watched: { readonly stillAllowed: () => boolean; readonly lapsed: () => void }): () => void;
}

const LOOK_MS = 1_000;

/** One wait for all of them, and none while there are none. */
export function createRightsWatch({ clock }: { readonly clock: Clock }): RightsWatch {
  const all = new Set<Parameters<RightsWatch["add"]>[0]>();
  let watching: AbortController | undefined;

  const watch = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      await clock.sleep(LOOK_MS, signal);
      for (const { stillAllowed, lapsed } of all) if (!stillAllowed()) lapsed();
    }
  };

  return {
    add(watched) {
      all.add(watched);
      if (watching === undefined) {
        watching = new AbortController();
        // Ends with the last one; nothing else ends it.
        watch(watching.signal).catch(() => undefined);
      }
      return () => {
        all.delete(watched);
        if (all.size > 0) return;
        watching?.abort();
        watching = undefined;
      };
    },
  };
}
