import type { ByteSource } from "../io/channel.ts";

/** The chunks of a source, until its end. */
export async function* readInput(source: ByteSource): AsyncGenerator<Uint8Array> {
  for (;;) {
    const chunk = await source.read(65_536);
    if (chunk.length === 0) return;
    yield chunk;
  }
}
