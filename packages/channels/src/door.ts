import type { DaemonLink } from "@deputy/client/daemon-link";
import type { Changed } from "@deputy/protocol";

/** How a chat app's conversations reach Deputy: as any client does. */
export interface Door extends Pick<DaemonLink, "call" | "follow"> {
  /** What is otherwise now, in lists of sessions and questions. After each gap comes one that says: look at all. */
  changes(signal: AbortSignal): AsyncIterable<Changed | "all">;
  /** Keeps the bytes and gives the name under which a message can attach them. */
  upload(bytes: Uint8Array<ArrayBuffer>, mimeType: string, signal: AbortSignal): Promise<string>;
  /** The bytes that are kept under a name; undefined if there are none, or more than that. */
  download(
    blobId: string,
    mostBytes: number,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer> | undefined>;
}
