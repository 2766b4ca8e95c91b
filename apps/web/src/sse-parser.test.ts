import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createSseParser } from "./sse-parser.ts";

const stream =
  ': heartbeat\n\ndata: {"a":1}\n\nid: 7\ndata: {"b":"x: y"}\n\n: heartbeat\n\nid: 8\ndata: 2\n\n';
const events = [
  { id: undefined, data: '{"a":1}' },
  { id: "7", data: '{"b":"x: y"}' },
  { id: "8", data: "2" },
];

test("[W2] events come out the same however the stream is cut into chunks", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length)), (cuts) => {
      const edges = [0, ...cuts.sort((a, b) => a - b), stream.length];
      const parse = createSseParser();
      const seen = edges.slice(1).flatMap((end, i) => parse(stream.slice(edges[i], end)));
      expect(seen).toEqual(events);
    }),
  );
});

test("[W2] half an event at the end of a stream does not count", () => {
  expect(createSseParser()('id: 7\ndata: {"a":1}\n')).toEqual([]);
});
