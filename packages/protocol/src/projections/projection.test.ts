import { expect, test } from "vitest";
import type { z } from "zod";
import type { LogItem } from "../log/event-log.ts";
import { projectPushes } from "./project-pushes.ts";
import { projectStreamEvents } from "./project-stream-events.ts";
import { projectTaskEvents } from "./project-task-events.ts";
import { pushSchema } from "../wire/push.ts";
import { streamEventSchema } from "../wire/stream-event.ts";
import { taskEventSchema } from "../wire/task-event.ts";
import { eventTypes, openSampleStream } from "../test/sample-stream.ts";

const projections: readonly (readonly [string, (item: LogItem) => readonly unknown[], z.ZodType])[] = [
  ["TaskEvent", (item) => (item.kind === "event" ? projectTaskEvents(item.event) : []), taskEventSchema],
  ["StreamEvent", projectStreamEvents, streamEventSchema],
  ["push", projectPushes, pushSchema],
];

function setup(): readonly LogItem[] {
  const stream = openSampleStream();
  const itemId = stream.ids.next("item");
  return [
    ...eventTypes.map((type): LogItem => ({ kind: "event", event: stream.event(type) })),
    { kind: "event", event: stream.raw("cell.forked", { much: ["new"] }) },
    { kind: "event", event: stream.raw("user.message", null) },
    { kind: "delta", delta: stream.delta(itemId, "message", 0, "Clo") },
    { kind: "delta", delta: stream.delta(itemId, "reasoning", 3, "sed") },
  ];
}

test.each(projections)("[P9] %s: same event, equal result, nothing changed", (_, project) => {
  for (const item of setup()) {
    const before = structuredClone(item);
    freeze(item);
    expect(project(item)).toEqual(project(before));
    expect(item).toEqual(before);
  }
});

test.each(projections)("[P9] %s: what is said fits its schema, through JSON too", (_, project, schema) => {
  for (const said of setup().flatMap((item) => project(item))) {
    expect(schema.parse(said)).toEqual(said);
    expect(schema.parse(JSON.parse(JSON.stringify(said)))).toEqual(said);
  }
});

function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  Object.freeze(value);
  Object.values(value).forEach(freeze);
}
