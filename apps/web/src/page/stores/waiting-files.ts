import { createStore, delMany, entries, get, set } from "idb-keyval";
import { RequestFailed } from "../wire/request-failed.ts";
import type { Attachment } from "./transcript-rows.ts";

/** Files that were attached without a connection. They wait in this browser, and outlive a reload. */
export interface WaitingFiles {
  /** Rejects with `RequestFailed` when they are too many, or this browser keeps nothing. */
  keep(file: File): Promise<Attachment>;
  /** Undefined once it is forgotten. */
  get(id: string): Promise<Blob | undefined>;
  forget(files: readonly Attachment[]): void;
}

/** Deputy takes no larger one. */
export const LARGEST_FILE_BYTES = 25_000_000;
/** All of them together. */
const MOST_BYTES = 25_000_000;
const LONGEST_MS = 30 * 24 * 60 * 60 * 1_000;
const NAME = "waiting-";

/** It has not left this browser. */
export const isWaiting = ({ blobId }: Pick<Attachment, "blobId">): boolean => blobId.startsWith(NAME);

interface Kept {
  readonly bytes: Blob;
  readonly at: number;
}

export function keepFiles(): WaitingFiles {
  const store = createStore("deputy-files", "files");
  /** One after the other: together they must not be too many. */
  let last: Promise<unknown> = Promise.resolve();
  const add = async (file: File): Promise<Attachment> => {
    const kept = await entries<string, Kept>(store);
    const old = kept.filter(([, { at }]) => at < Date.now() - LONGEST_MS);
    await delMany(
      old.map(([id]) => id),
      store,
    );
    const bytes = kept.reduce((sum, one) => sum + (old.includes(one) ? 0 : one[1].bytes.size), 0);
    if (bytes + file.size > MOST_BYTES) throw new Error("Too many");
    const blobId = `${NAME}${crypto.randomUUID()}`;
    await set(blobId, { bytes: file, at: Date.now() } satisfies Kept, store);
    return { blobId, name: file.name, mimeType: file.type || "application/octet-stream", size: file.size };
  };
  return {
    async keep(file) {
      const adding = last.then(() => add(file));
      last = adding.catch(() => undefined);
      try {
        return await adding;
      } catch (cause) {
        throw new RequestFailed(
          "not_sent",
          `There is no connection, and until then this browser keeps ${MOST_BYTES / 1_000_000} MB of files at most. Attach it again when Deputy is back.`,
          { cause },
        );
      }
    },
    async get(id) {
      try {
        return (await get<Kept>(id, store))?.bytes;
      } catch {
        return undefined;
      }
    },
    forget(files) {
      const ids = files.filter(isWaiting).map(({ blobId }) => blobId);
      if (ids.length > 0) delMany(ids, store).catch(() => undefined);
    },
  };
}
