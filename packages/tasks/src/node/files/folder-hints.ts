import { type FSWatcher, watch } from "node:fs";
import type { Clock } from "@deputy/kit";

/** Says when it may be worth scanning. Hints get lost, and some come without a change: only a scan is certain. */
export interface FolderHints extends Disposable {
  /** Follows these directories from now on, given by full path and identity. True when some are new. */
  follow(directories: ReadonlyMap<string, string>): boolean;
  /** Resolves a moment after a hint, or after `atMostMs`; not before `atLeastMs`. Rejects with the signal's reason. */
  next(wait: { readonly atLeastMs: number; readonly atMostMs: number }, signal: AbortSignal): Promise<void>;
  /** True when the system gives no hints for some of them. */
  readonly isBlind: boolean;
}

/** Waits this long after the first of several hints, because one change causes many. */
const DEBOUNCE_MS = 500;
/** On these systems one watcher covers everything under a directory. Elsewhere each directory is followed. */
const TELLS_ALL: ReadonlySet<NodeJS.Platform> = new Set(["darwin", "win32"]);

export function openFolderHints(root: string, clock: Clock): FolderHints {
  const watchers = new Map<string, FSWatcher>();
  const recursive = TELLS_ALL.has(process.platform);
  let isBlind = false;
  let isStirred = false;
  let wake = (): void => undefined;
  const stir = (): void => {
    isStirred = true;
    wake();
  };
  const drop = (key: string): void => {
    watchers.get(key)?.close();
    watchers.delete(key);
  };

  return {
    follow(directories) {
      const wanted = new Map<string, string>();
      for (const [path, identity] of directories)
        if (!recursive || path === root) wanted.set(`${identity} ${path}`, path);
      for (const key of watchers.keys()) if (!wanted.has(key)) drop(key);
      isBlind = false;
      let isNew = false;
      for (const [key, path] of wanted) {
        if (watchers.has(key)) continue;
        try {
          const watcher = watch(path, { persistent: false, recursive }, stir);
          watcher.on("error", () => {
            drop(key);
            stir();
          });
          watchers.set(key, watcher);
          isNew = true;
        } catch {
          // The system has no more watchers to give, or the directory is already gone.
          isBlind = true;
        }
      }
      return isNew;
    },
    async next({ atLeastMs, atMostMs }, signal) {
      await clock.sleep(atLeastMs, signal);
      const stirred = new Promise<"stirred">((resolve) => {
        wake = () => resolve("stirred");
        if (isStirred) wake();
      });
      const done = new AbortController();
      const pause = clock.sleep(atMostMs, AbortSignal.any([signal, done.signal]));
      try {
        if ((await Promise.race([stirred, pause])) === "stirred") await clock.sleep(DEBOUNCE_MS, signal);
      } finally {
        done.abort();
        await pause.catch(() => undefined);
      }
      isStirred = false;
    },
    get isBlind() {
      return isBlind;
    },
    [Symbol.dispose]() {
      for (const key of watchers.keys()) drop(key);
    },
  };
}
