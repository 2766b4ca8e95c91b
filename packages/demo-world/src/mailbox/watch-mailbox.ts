import { join } from "node:path";
import type { Clock } from "@deputy/kit";
import { type EventLog, readEvent } from "@deputy/protocol";
import type { Inbox } from "@deputy/tasks";
import { superviseSources } from "@deputy/tasks/sources";
import { DEMO_MAILBOX } from "../demo-mark.ts";
import { createMailboxSource } from "./mailbox-source.ts";

/** Reports the demo's mail to the inbox once a task waits for it; before that, nothing of the demo is created. */
export function watchMailbox(deps: {
  /** The home's directory. */
  readonly home: string;
  readonly log: Pick<EventLog, "subscribeAll">;
  readonly inbox: Inbox;
  readonly clock: Clock;
  /** The demo's. */
  readonly time: Clock;
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
}): AsyncDisposable {
  const { home, log, time, ...rest } = deps;
  const source = createMailboxSource({ folder: join(home, "demo"), time });
  return superviseSources({
    ...rest,
    sources: [
      {
        name: source.name,
        async open(context) {
          await untilAwaited(log, context.signal);
          return await source.open(context);
        },
      },
    ],
    // The tools that use the folder report when it cannot be used.
    onState: () => undefined,
  });
}

/** Resolves once there is, or was, a task that waits for the mailbox, or the signal aborts. */
async function untilAwaited(log: Pick<EventLog, "subscribeAll">, signal: AbortSignal): Promise<void> {
  for await (const { event: stored } of log.subscribeAll({ types: ["task.created"] }, signal)) {
    const read = readEvent(stored);
    if (read.kind !== "known" || read.event.type !== "task.created") continue;
    if (read.event.data.trigger?.hook === DEMO_MAILBOX) return;
  }
}
