import { isAbort } from "@deputy/kit";
import type { LineReader } from "./output/output.ts";

/** Messages from lines: one each, or several where they hold a code fence, up to the fence's end. */
export interface MessageReader {
  /**
   * The next message. `stopped`: the signal aborted; what there is of a message is kept, and the next call
   * goes on with it.
   */
  next(prompt: string, signal: AbortSignal): Promise<MessageRead>;
}

export type MessageRead =
  | { readonly kind: "message"; readonly text: string }
  | { readonly kind: "ended" }
  | { readonly kind: "stopped" };

/** `more` asks for a further line of a message. */
export function createMessageReader(reader: LineReader, more = "… "): MessageReader {
  let lines: string[] = [];
  let fence: string | undefined;

  const finish = (): MessageRead => {
    const text = lines.join("\n");
    lines = [];
    fence = undefined;
    return { kind: "message", text };
  };
  return {
    async next(prompt, signal) {
      try {
        for (;;) {
          const line = await reader.next(lines.length === 0 ? prompt : more, signal);
          if (line === undefined) return lines.length === 0 ? { kind: "ended" } : finish();
          lines.push(line);
          const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
          if (fence === undefined) fence = mark;
          else if (mark?.startsWith(fence) === true) fence = undefined;
          if (fence === undefined) return finish();
        }
      } catch (error) {
        if (isAbort(error)) return { kind: "stopped" };
        throw error;
      }
    },
  };
}
