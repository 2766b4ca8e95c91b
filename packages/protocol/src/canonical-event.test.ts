import * as fc from "fast-check";
import { expect, test } from "vitest";
import { eventDataSchemas, isEventType, readEvent, storedEventSchema } from "./canonical-event.ts";
import { hydrateResponses } from "./projections/hydrate-responses.ts";
import { projectPushes } from "./projections/project-pushes.ts";
import { projectStreamEvents } from "./projections/project-stream-events.ts";
import { projectTaskEvents } from "./projections/project-task-events.ts";
import type { StoredEvent } from "./canonical-event.ts";
import { eventTypes, openSampleStream } from "./test/sample-stream.ts";

/** The table of the wire, row by row, without the transient `assistant.delta`; and those of our own: `session.imported`, `session.updated`, `turn.claimed`, `turn.suspended`, `turn.facts`, `hook.received`, `memory.applied`, `memory.forgetting`, reminders, the heartbeat, `retention.pruned`, `setup.changed` and the channels'. */
const typesOfTheWire = `
  session.started  user.message  turn.started turn.completed turn.failed turn.aborted
  assistant.message assistant.reasoning
  turn.claimed turn.suspended turn.facts
  cell.submitted  cell.checked  cell.suspended cell.resumed  cell.completed
  call.requested  call.decided  approval.requested approval.resolved  call.started call.progress call.settled
  plan.proposed grant.created grant.revoked  session.compacted session.imported session.updated event.erased
  auth.accepted auth.rejected net.request sandbox.ran  outbox.queued outbox.sent outbox.failed outbox.held outbox.released
  workspace.imported workspace.changed workspace.committed workspace.reverted
  task.created task.scheduled task.fired task.skipped task.paused task.resumed task.edited task.cancelled task.completed
  memory.indexed memory.recalled memory.written memory.applied memory.forgetting memory.forgotten  hook.received  error
  cron.added cron.updated cron.removed cron.fired cron.skipped
  system.noted heartbeat.began heartbeat.skipped heartbeat.paused heartbeat.resumed heartbeat.ended  retention.pruned setup.changed
  channel.code channel.paired channel.unpaired channel.posting channel.posted channel.shown
  channel.home channel.again`
  .trim()
  .split(/\s+/);

/** What all projections say about an event, apart from the `event` push. */
const told = (event: StoredEvent): readonly unknown[] => [
  ...projectTaskEvents(event),
  ...projectStreamEvents({ kind: "event", event }),
  ...projectPushes({ kind: "event", event }).filter((push) => push.event !== "event"),
  ...hydrateResponses([event]),
];

test("[P1] every type of the wire's table has a schema, and no other", () => {
  expect(Object.keys(eventDataSchemas).toSorted()).toEqual(typesOfTheWire.toSorted());
  expect(isEventType("assistant.delta")).toBe(false);
});

test("[P1] every sample fits its schema and its envelope", () => {
  const stream = openSampleStream();
  for (const type of eventTypes) {
    const event = stream.event(type);
    expect(readEvent(event).kind, type).toBe("known");
    expect(storedEventSchema.safeParse(event).success, type).toBe(true);
  }
});

test("[P2] an unknown type is kept byte for byte and passed over", () => {
  const stream = openSampleStream();
  for (const type of ["cell.forked", "assistant.delta", "constructor", "__proto__", "toString"]) {
    const event = stream.raw(type, { text: "…", nested: { a: [1, null] } }, stream.turnId);
    const before = JSON.stringify(event);
    const read = readEvent(event);
    expect(read).toMatchObject({ kind: "unknown", why: "type" });
    expect(read.event).toBe(event);
    expect(told(event)).toEqual([]);
    expect(JSON.stringify(event)).toBe(before);
  }
});

test("[P3] fields of a newer version stay, and the event is told as usual", () => {
  const stream = openSampleStream();
  for (const type of eventTypes) {
    const known = stream.event(type);
    const data = { ...known.data, fromTheFuture: { mood: "good" } };
    const read = readEvent({ ...known, data });
    expect(read, type).toMatchObject({ kind: "known", event: { data: { fromTheFuture: { mood: "good" } } } });
    expect(read.event.data).toBe(data);
    expect(told({ ...known, data })).toEqual(told(known));
  }
});

test("[P4] an erased event is kept and passed over", () => {
  const stream = openSampleStream();
  for (const type of eventTypes) {
    const event = stream.raw(type, null, stream.turnId);
    expect(readEvent(event)).toEqual({ kind: "unknown", event, why: "erased" });
    expect(told(event)).toEqual([]);
  }
});

test("[P4] a payload without one of its fields is kept and passed over", () => {
  const stream = openSampleStream();
  for (const type of eventTypes) {
    for (const field of Object.keys(stream.data[type])) {
      const data = Object.fromEntries(Object.entries(stream.data[type]).filter(([key]) => key !== field));
      const event = stream.raw(type, data, stream.turnId);
      const read = readEvent(event);
      expect(read.event).toBe(event);
      if (read.kind === "known") continue; // The field was optional.
      expect(read.why).toBe("payload");
      expect(told(event)).toEqual([]);
    }
  }
});

test("[P4] reading and projecting never throw, whatever the type and payload", () => {
  const type = fc.oneof(fc.constantFrom(...eventTypes), fc.string());
  fc.assert(
    fc.property(type, fc.anything({ withNullPrototype: true }), (name, data) => {
      const stream = openSampleStream();
      const event = stream.raw(name, data, stream.turnId);
      expect(readEvent(event).event).toBe(event);
      told(event);
    }),
    { numRuns: 1_000 },
  );
});

test("[P4] reading and projecting never throw on a payload that is nearly right", () => {
  const stream = openSampleStream();
  fc.assert(
    fc.property(fc.constantFrom(...eventTypes), fc.nat(), fc.anything(), (type, index, value) => {
      const fields = Object.keys(stream.data[type]);
      const field = fields[index % fields.length] ?? "";
      const event = stream.raw(type, { ...stream.data[type], [field]: value }, stream.turnId);
      if (readEvent(event).kind === "unknown") expect(told(event)).toEqual([]);
      else told(event);
    }),
    { numRuns: 1_000 },
  );
});
