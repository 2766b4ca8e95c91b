import { ChannelsError } from "./channels-error.ts";
import type { Said } from "./chat-app.ts";
import type { Door } from "./door.ts";

export interface Attached {
  readonly blobId: string;
  readonly mimeType: string;
  readonly name: string;
}

/** Keeps the files that came with what was said. What cannot be taken along is `refused`, with the reason, and left out. */
export async function attachFiles(
  deps: {
    readonly door: Pick<Door, "upload">;
    readonly maxFileBytes: number;
    readonly refused: (name: string, why: string) => Promise<void>;
  },
  { files }: Pick<Said, "files">,
  signal: AbortSignal,
): Promise<Attached[]> {
  const { door, maxFileBytes } = deps;
  const attached: Attached[] = [];
  for (const { name, mimeType, size = 0, read } of files) {
    try {
      const bytes = size > maxFileBytes ? undefined : await read(signal);
      if (bytes === undefined || bytes.byteLength > maxFileBytes)
        throw new ChannelsError("refused", "it is too large");
      attached.push({ blobId: await door.upload(bytes, mimeType, signal), mimeType, name });
    } catch (error) {
      if (!(error instanceof ChannelsError) || error.code === "not_sent") throw error;
      await deps.refused(name, error.message);
    }
  }
  return attached;
}
