/** Which write of a process is its last: in the thread that asks, or in the one with the index. */
export interface KillPoint {
  readonly thread: "main" | "index";
  /** Counted from 0; undefined: it is left alone, and prints how many there were. */
  readonly at: number | undefined;
}

/**
 * For `node --import`: counts every change that a process makes to files and databases, each just before it is made, and
 * ends the process there as `kill -9` does. Threads of the process load it, too.
 */
export function killAtWrite({ thread, at }: KillPoint): string {
  const program = `
    import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    import { DatabaseSync, StatementSync } from "node:sqlite";
    import { isMainThread, workerData } from "node:worker_threads";
    const isIndex = !isMainThread && String(workerData).endsWith("memory.db");
    const own = isMainThread ? "main" : isIndex ? "index" : "other";
    let done = 0;
    const step = () => {
      if (own === ${JSON.stringify(thread)} && done === ${at ?? -1}) process.kill(process.pid, "SIGKILL");
      done += 1;
    };
    const before = (holder, name) => {
      const original = holder[name];
      holder[name] = function (...given) { step(); return original.apply(this, given); };
    };
    for (const name of ["writeSync", "writeFileSync", "appendFileSync", "renameSync", "rmSync", "unlinkSync",
      "fsyncSync", "mkdirSync", "truncateSync", "ftruncateSync"]) before(fs, name);
    for (const name of ["writeFile", "appendFile", "rename", "rm", "unlink", "mkdir"]) before(fs.promises, name);
    before(DatabaseSync.prototype, "exec");
    before(StatementSync.prototype, "run");
    syncBuiltinESMExports();
    process.on("exit", () => process._rawDebug("writes", own, done));`;
  return `data:text/javascript,${encodeURIComponent(program)}`;
}
