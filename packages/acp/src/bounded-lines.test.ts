import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createBoundedLines } from "./stdio-stream.ts";

const MAX = 5;

async function passed(chunks: readonly string[]): Promise<string> {
  const encoder = new TextEncoder();
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      controller.close();
    },
  });
  const parts: Uint8Array[] = [];
  for await (const part of source.pipeThrough(createBoundedLines(MAX))) parts.push(part);
  return parts.map((part) => new TextDecoder().decode(part)).join("");
}

test("[E335] passes on every line, cut at its limit, in any chunking", async () => {
  const piece = fc.array(fc.constantFrom("a", "b", "\n"), { maxLength: 15 }).map((all) => all.join(""));
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (chunks) => {
      const lines = chunks.join("").split("\n");
      expect(await passed(chunks)).toBe(lines.map((line) => line.slice(0, MAX)).join("\n"));
    }),
  );
});
