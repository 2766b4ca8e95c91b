import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { createLineReader } from "./output.ts";

function setup() {
  const input = new PassThrough();
  const output = new PassThrough();
  output.resume();
  const reader = createLineReader({ input, output, onInterrupt: () => undefined });
  return { input, reader, signal: new AbortController().signal };
}

test("lines come one by one, then undefined at the end", async () => {
  const { input, reader, signal } = setup();
  input.end("a\nb\n");
  expect(await reader.next("? ", signal)).toBe("a");
  expect(await reader.next("? ", signal)).toBe("b");
  expect(await reader.next("? ", signal)).toBeUndefined();
});

test("a line typed after a question was dropped answers the next one", async () => {
  const { input, reader, signal } = setup();
  const dropped = new AbortController();
  const first = reader.next("first? ", dropped.signal);
  dropped.abort();
  await expect(first).rejects.toMatchObject({ name: "AbortError" });
  const second = reader.next("second? ", signal);
  input.write("y\n");
  expect(await second).toBe("y");
});

test("an input that has already ended has no line", async () => {
  const { input, reader, signal } = setup();
  input.end("program");
  await text(input);
  expect(await reader.next("? ", signal)).toBeUndefined();
});

test("what a person typed before they saw the question is no answer to it", async () => {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  output.resume();
  using reader = createLineReader({ input, output, onInterrupt: () => undefined });
  const { signal } = new AbortController();
  input.write("y\ny\n");
  const answer = reader.next("Approve? ", signal, "fresh");
  await new Promise((resolve) => setTimeout(resolve, 300));
  input.write("n\n");
  expect(await answer).toBe("n");
});
