import { expect, test } from "vitest";
import { hydrateResponses } from "./hydrate-responses.ts";
import { openSampleStream } from "../test/sample-stream.ts";

test("[P31] one Response per run, in order, whatever else the stream holds", () => {
  const stream = openSampleStream();
  const { data, turnId: first } = stream;
  const second = stream.ids.next("turn");
  const third = stream.ids.next("turn");
  const events = [
    stream.raw("session.started", data["session.started"]),
    stream.raw("user.message", data["user.message"], first),
    stream.raw("turn.started", data["turn.started"], first),
    stream.raw("assistant.message", data["assistant.message"], first),
    stream.raw("turn.completed", data["turn.completed"], first),
    stream.raw("session.compacted", data["session.compacted"]),
    stream.raw("user.message", null, second),
    stream.raw("turn.started", data["turn.started"], second),
    stream.raw("turn.failed", data["turn.failed"], second),
    stream.raw("turn.started", data["turn.started"], third),
    stream.raw("cell.forked", { x: 1 }, third),
  ];
  const responses = hydrateResponses(events);
  expect(responses.map(({ id, status, output }) => [id, status, output.length])).toEqual([
    [first, "completed", 2],
    [second, "failed", 0],
    [third, "in_progress", 0],
  ]);
  expect(new Set(responses.map((response) => response.thread_id))).toEqual(new Set([stream.id]));
});

test("[P31] no runs, no Responses", () => {
  expect(hydrateResponses([])).toEqual([]);
});
