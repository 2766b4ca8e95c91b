const NEWLINE = 10;

/**
 * Passes lines on, of each no more than so many bytes: whatever reads them finds that what is longer makes
 * no sense, says so, and goes on with the next line; without it, one such line would be the end.
 */
export function createBoundedLines(maxLineBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let passed = 0;
  return new TransformStream({
    transform(chunk, controller) {
      for (let from = 0; from < chunk.length;) {
        const newline = chunk.indexOf(NEWLINE, from);
        const to = newline < 0 ? chunk.length : newline;
        const part = chunk.subarray(from, Math.min(to, from + maxLineBytes - passed));
        if (part.length > 0) controller.enqueue(part);
        passed += part.length;
        if (newline >= 0) {
          controller.enqueue(chunk.subarray(newline, newline + 1));
          passed = 0;
        }
        from = to + 1;
      }
    },
  });
}
