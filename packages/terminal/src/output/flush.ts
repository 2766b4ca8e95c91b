/** Resolves once everything written so far has left this process, or cannot any more. Never rejects. */
export function flush(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => void stream.write("", () => resolve()));
}
