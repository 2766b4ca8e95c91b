import type { Clock } from "@deputy/kit";
import type { EventLog, UnusedBlobs } from "@deputy/protocol";
import type { TasksView } from "../tasks-view.ts";
import { createBlobReferences } from "./blob-references.ts";
import { pruneBlobs } from "./prune-blobs.ts";
import { pruneDeliveries } from "./prune-deliveries.ts";

/** For how many days unneeded data is kept; undefined: forever. */
export interface RetentionRules {
  readonly deliveryDays: number | undefined;
  readonly blobDays: number | undefined;
}

const DAY_MS = 86_400_000;
/** A start has more urgent work. */
const FIRST_MS = 120_000;
const EVERY_MS = DAY_MS / 4;
/** Pause between two slices, for other work. */
const PAUSE_MS = 50;

/** Removes what the rules say, repeatedly, in small slices. Rejects only with the signal's reason. */
export async function keepRetention(
  deps: {
    readonly log: EventLog;
    readonly blobs: UnusedBlobs;
    readonly tasks: () => Promise<TasksView>;
    readonly clock: Clock;
    /** Called for a failure. The work is tried again next time. */
    readonly onBug: (error: unknown) => void;
  },
  rules: RetentionRules,
  signal: AbortSignal,
): Promise<never> {
  const { clock } = deps;
  for (let waitMs = FIRST_MS; ; waitMs = EVERY_MS) {
    await clock.sleep(waitMs, signal);
    for (const prune of [pruneOldDeliveries, pruneUnusedBlobs]) {
      try {
        await prune(deps, rules, signal);
      } catch (error) {
        signal.throwIfAborted();
        deps.onBug(error);
      }
    }
  }
}

type Prune = (
  deps: Omit<Parameters<typeof keepRetention>[0], "onBug">,
  rules: RetentionRules,
  signal: AbortSignal,
) => Promise<void>;

const pruneOldDeliveries: Prune = async (deps, { deliveryDays }, signal) => {
  if (deliveryDays === undefined) return;
  const before = new Date(deps.clock.now() - deliveryDays * DAY_MS).toISOString();
  const reason = `older than ${deliveryDays} days, as retention.deliveryDays says`;
  const count = await pruneDeliveries({ ...deps, pause: pauseOf(deps) }, { before, reason }, signal);
  if (count > 0)
    await deps.log.append("system", [
      { type: "retention.pruned", data: { what: "deliveries", count, reason } },
    ]);
};

const pruneUnusedBlobs: Prune = async (deps, { blobDays }, signal) => {
  if (blobDays === undefined) return;
  const beforeMs = deps.clock.now() - blobDays * DAY_MS;
  const reason = `nothing refers to them, and unused for ${blobDays} days, as retention.blobDays says`;
  const pause = pauseOf(deps);
  const references = createBlobReferences({ log: deps.log, pause });
  await pruneBlobs({ ...deps, references, pause }, { beforeMs, reason }, signal);
};

function pauseOf({ clock }: { readonly clock: Clock }): (signal: AbortSignal) => Promise<void> {
  return (signal) => clock.sleep(PAUSE_MS, signal);
}
