import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createFakeChat } from "../openai-chat/fake-chat.ts";
import { createChunkedFetch } from "./chunked-fetch.ts";
import { fixedChunks, seededChunks } from "./chunker.ts";
import { openFakeModelServer } from "./fake-model-server.ts";
import { say } from "./scripted-answer.ts";

test("[W2] chunks have the right size and lose nothing", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 64 }), (bytes, size) => {
      const fixed = [...fixedChunks(size)(bytes)];
      expect(fixed.slice(0, -1).every((chunk) => chunk.length === size)).toBe(true);
      for (const chunks of [fixed, [...seededChunks(size)(bytes)]]) {
        expect(chunks.every((chunk) => chunk.length > 0)).toBe(true);
        expect(Buffer.concat(chunks)).toEqual(Buffer.from(bytes));
      }
    }),
  );
});

test("[W2] a seed always cuts the same way, and another seed differently", () => {
  const bytes = new Uint8Array(500);
  const cuts = (seed: number): readonly number[] =>
    Array.from(seededChunks(seed)(bytes), ({ length }) => length);
  expect(cuts(7)).toEqual(cuts(7));
  expect(cuts(7)).not.toEqual(cuts(8));
});

test("[W2] a reader of the chunked fetch gets exactly those chunks", async () => {
  await using fake = await openFakeModelServer(createFakeChat());
  fake.play(say("Grüße, 世界"));
  const body = JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "Hi" }] });
  const chunked = createChunkedFetch(() => fixedChunks(3));
  const response = await chunked(`${fake.origin}/v1/chat/completions`, { method: "POST", body });
  const sizes: number[] = [];
  for await (const chunk of response.body ?? []) sizes.push(chunk.length);
  expect(new Set(sizes.slice(0, -1))).toEqual(new Set([3]));
  expect(sizes.length).toBeGreaterThan(100);
});
