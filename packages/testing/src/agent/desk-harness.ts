import type { ApprovalDesk } from "@deputy/agent";
import { type Clock, createIdSource, type IdSource } from "@deputy/kit";
import {
  type ApprovalId,
  type EventData,
  type EventLog,
  type EventType,
  type NewEvent,
  type StoredEvent,
  type StreamId,
} from "@deputy/protocol";
import { onTestFinished } from "vitest";
import { createFakeClock } from "../fake-clock.ts";
import { createMemoryEventLog } from "@deputy/store/memory";

/** A desk over this log, as each process that opens it would make one. */
export type OpenDesk = (deps: {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly ids: IdSource;
}) => ApprovalDesk;

/** A request to the desk; missing fields get default values. */
export interface SeedRequest extends Partial<EventData<"approval.requested">> {
  readonly stream?: StreamId;
}

export function setUpDesk(open: OpenDesk) {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  onTestFinished(() => log.close());
  const session = ids.next("session");
  const request = async ({ stream = session, ...data }: SeedRequest = {}): Promise<ApprovalId> => {
    const approvalId = ids.next("call");
    const event: NewEvent = {
      type: "approval.requested",
      data: {
        approvalId,
        toolPath: "notes.write",
        input: {},
        preview: { title: "Write a note" },
        bindingHash: "0".repeat(64),
        ...data,
      },
    };
    await log.append(stream, [event]);
    return data.approvalId ?? approvalId;
  };
  return {
    clock,
    ids,
    log,
    session,
    request,
    /** Another desk over the same log. */
    reopen: () => open({ log, clock, ids }),
    desk: open({ log, clock, ids }),
  };
}

/** The events of one type, of all streams. */
export async function eventsOf(log: EventLog, type: EventType): Promise<readonly StoredEvent[]> {
  const all = await Array.fromAsync(log.readAll());
  return all.map(({ event }) => event).filter((event) => event.type === type);
}
