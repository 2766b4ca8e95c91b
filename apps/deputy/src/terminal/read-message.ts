import { isAbort } from "@deputy/kit";
import type { LineReader } from "./line-reader.ts";

/** One message: a line, or several when it holds the start of a code fence, up to the fence's end. Undefined at the end. */
export async function readMessage(reader: LineReader, signal: AbortSignal): Promise<string | undefined> {
  const lines: string[] = [];
  let fence: string | undefined;
  try {
    for (;;) {
      const line = await reader.next(lines.length === 0 ? "> " : "… ", signal);
      if (line === undefined) return lines.length === 0 ? undefined : lines.join("\n");
      lines.push(line);
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      if (fence === undefined) fence = mark;
      else if (mark?.startsWith(fence)) fence = undefined;
      if (fence === undefined) return lines.join("\n");
    }
  } catch (error) {
    if (isAbort(error)) return undefined;
    throw error;
  }
}
