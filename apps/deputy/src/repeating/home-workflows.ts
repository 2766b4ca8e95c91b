import { rename } from "node:fs/promises";
import { join } from "node:path";
import type { Clock, CodedError } from "@deputy/kit";
import type { EventLog } from "@deputy/protocol";
import type { Advance, Workflows } from "@deputy/world";

/** The home's workflows, in a separate file. Workflow DevKit is loaded when they are opened. */
export function homeWorkflows(deps: {
  readonly home: string;
  /** Limits for workflows that have ended: how many are kept, and for how long. */
  readonly retention: { readonly runs: number; readonly days: number };
  readonly clock: Clock;
  /** Records what was removed. */
  readonly log: Pick<EventLog, "append">;
  readonly onBug: (error: unknown) => void;
  /** Called once when the workflows' file has failed for good. Must not throw. */
  readonly onFailed?: ((error: CodedError<string>) => void) | undefined;
}): (advance: Advance, signal: AbortSignal) => Promise<Workflows> {
  const { home, retention, clock, log, onBug, onFailed } = deps;
  const onPruned = (count: number): void => {
    const reason = `ended more than ${retention.days} days ago, or before ${retention.runs} others`;
    const data = { what: "runs" as const, count, reason };
    log.append("system", [{ type: "retention.pruned", data }]).catch(onBug);
  };
  return async (advance, signal) => {
    await using opened = new AsyncDisposableStack();
    const world = await import("@deputy/world");
    const path = join(home, "work.db");
    const open = () => world.openSqliteWorld({ path, now: Date.now, retention, onPruned, onBug, onFailed });
    const file = opened.use(await openSound(open, path, onBug));
    const workflows = await world.openWorkflows({ world: file, advance, clock, onBug, signal });
    opened.use(workflows);
    const owned = opened.move();
    return { ...workflows, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  };
}

/** The log has all firings, so an unreadable file is put aside, and open firings are started again. */
async function openSound<T>(open: () => T, path: string, onBug: (error: unknown) => void): Promise<T> {
  try {
    return open();
  } catch (error) {
    onBug(error);
    const aside = `${path}.damaged-${Date.now()}`;
    for (const end of ["", "-wal", "-shm"]) await rename(path + end, aside + end).catch(() => undefined);
    return open();
  }
}
