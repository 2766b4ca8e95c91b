import type { ByteSink, ByteSource } from "../host/byte-stream.ts";

/** All of a source, in memory, for a program that cannot wait for it; no more than `maxBytes`, then it ends. */
export async function spoolInput(source: ByteSource, maxBytes: number): Promise<ByteSource> {
  const parts: Uint8Array[] = [];
  let held = 0;
  while (held < maxBytes) {
    const part = await source.read(Math.min(65_536, maxBytes - held));
    if (part.length === 0) break;
    parts.push(part);
    held += part.length;
  }
  return {
    ...(source.terminal === true && { terminal: true }),
    read(max) {
      const [first] = parts;
      if (first === undefined) return new Uint8Array();
      if (first.length <= max) return parts.shift() ?? new Uint8Array();
      parts[0] = first.subarray(max);
      return first.subarray(0, max);
    },
  };
}

/** A sink that takes everything at once, and hands it on when the program has ended. */
export function spoolOutput(sink: ByteSink): { readonly sink: ByteSink; flush(): Promise<void> } {
  const parts: Uint8Array[] = [];
  return {
    sink: {
      ...(sink.terminal === true && { terminal: true }),
      write(bytes) {
        parts.push(bytes);
        return "taken";
      },
    },
    async flush() {
      for (const part of parts.splice(0)) if ((await sink.write(part)) === "closed") return;
    },
  };
}
