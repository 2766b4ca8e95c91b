import type { Duplex } from "node:stream";
import { deserialize, serialize } from "node:v8";

/**
 * Sends values over a pipe, each as a whole. Node's own channel is not used, because data that a plugin writes into
 * it makes the listener throw.
 */
export interface MessagePipe {
  /** Dropped once the pipe is gone. Throws for a value that cannot be cloned. */
  send(message: unknown, sent?: () => void): void;
}

const HEADER_BYTES = 4;
/** Deputy's own values are far smaller. A header with a larger number is invalid. */
const LARGEST_BYTES = 256 * 1024 * 1024;

/** `onBroken`: the data is not a message, and nothing more is read. An error of `onMessage` counts as that too. */
export function createMessagePipe(
  pipe: Duplex,
  deps: { readonly onMessage: (message: unknown) => void; readonly onBroken: () => void },
): MessagePipe {
  let chunks: Buffer[] = [];
  let held = 0;
  let isBroken = false;

  /** All that has come, in one piece. */
  const gather = (): Buffer => {
    const [only = Buffer.alloc(0)] = chunks;
    const all = chunks.length <= 1 ? only : Buffer.concat(chunks, held);
    chunks = [all];
    return all;
  };
  const take = (): void => {
    while (held >= HEADER_BYTES) {
      const all = gather();
      const bytes = all.readUInt32LE(0);
      if (bytes > LARGEST_BYTES) throw new Error("Not a message");
      const end = HEADER_BYTES + bytes;
      if (held < end) return;
      chunks = [all.subarray(end)];
      held -= end;
      deps.onMessage(deserialize(all.subarray(HEADER_BYTES, end)));
    }
  };

  pipe.on("data", (chunk: Buffer) => {
    if (isBroken) return;
    chunks.push(chunk);
    held += chunk.length;
    // The header of a long message is known, so the chunks are joined only once all of it has arrived.
    if (chunks.length > 1 && held < wanted(chunks[0])) return;
    try {
      take();
    } catch {
      isBroken = true;
      deps.onBroken();
    }
  });
  // The `close` event reports the end.
  pipe.on("error", () => undefined);

  return {
    send(message, sent) {
      const body = serialize(message);
      const header = Buffer.alloc(HEADER_BYTES);
      header.writeUInt32LE(body.length);
      if (!pipe.writable) return;
      pipe.write(header);
      pipe.write(body, () => sent?.());
    },
  };
}

function wanted(first: Buffer | undefined): number {
  return first === undefined || first.length < HEADER_BYTES ? 0 : HEADER_BYTES + first.readUInt32LE(0);
}
