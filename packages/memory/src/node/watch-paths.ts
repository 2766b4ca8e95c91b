import { type FSWatcher, watch } from "node:fs";
import type { Clock } from "@deputy/kit";
import { createIdleTimer } from "@deputy/kit";

/** Editors write a file in several steps. */
const QUIET_MS = 1_500;

/**
 * Calls back once after changes below these paths, when it has been quiet for a while. What cannot be watched is
 * not: every search looks by itself. Never throws.
 */
export function watchPaths(
  paths: readonly string[],
  deps: { readonly clock: Clock; readonly onChange: () => void },
): Disposable {
  const quiet = createIdleTimer({ clock: deps.clock, idleMs: QUIET_MS, onIdle: deps.onChange });
  const watchers = paths.flatMap((path): readonly FSWatcher[] => {
    try {
      const watcher = watch(path, { recursive: true, persistent: false }, () => quiet.restart());
      watcher.on("error", () => watcher.close());
      return [watcher];
    } catch {
      return [];
    }
  });
  return {
    [Symbol.dispose]() {
      quiet.stop();
      for (const watcher of watchers) watcher.close();
    },
  };
}
