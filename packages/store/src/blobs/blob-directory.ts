import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { chmod, type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemCodeOf } from "@deputy/kit";
import {
  type BlobStore,
  BlobStoreError,
  isBlobId,
  LARGEST_BLOB_BYTES,
  type UnusedBlobs,
  type OpenBlob,
  type StoredBlob,
} from "@deputy/protocol";

const DRAFT = /^\.draft-/;

/**
 * Blobs as files of one directory, which is made on the first `put`. A blob is written beside its place,
 * synced and then moved there, so what stands under an id is always whole. A crash may leave drafts; the
 * first `put` of the next process removes them. A file's time says when it was last put or opened.
 */
export function openBlobDirectory(
  directory: string,
  limits: { readonly blobBytes: number } = { blobBytes: LARGEST_BLOB_BYTES },
): BlobStore & UnusedBlobs {
  let prepared: Promise<void> | undefined;

  const prepare = async (): Promise<void> => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await chmod(directory, 0o700);
    const drafts = (await readdir(directory)).filter((name) => DRAFT.test(name));
    await Promise.all(drafts.map((name) => rm(join(directory, name), { force: true })));
  };

  let turn: Promise<unknown> = Promise.resolve();
  /** One at a time, so that a blob cannot be stored or opened while it is being removed. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  };
  const isUnused = async (id: string, beforeMs: number): Promise<boolean> => {
    const found = await stat(join(directory, id)).catch(ignoreAbsent);
    return found !== undefined && found.isFile() && found.mtimeMs < beforeMs;
  };

  const write = async (draft: string, chunks: AsyncIterable<Uint8Array>, signal: AbortSignal) => {
    await using file = await open(draft, "wx", 0o600);
    const hash = createHash("sha256");
    let size = 0;
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      size += chunk.byteLength;
      if (size > limits.blobBytes)
        throw new BlobStoreError("blob_too_large", `It is larger than ${limits.blobBytes} bytes`);
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    signal.throwIfAborted();
    await file.sync();
    return { blobId: hash.digest("hex"), size };
  };

  return {
    async put(chunks, signal) {
      const draft = join(directory, `.draft-${randomUUID()}`);
      try {
        await (prepared ??= prepare());
        const blob = await write(draft, chunks, signal);
        // If the blob already exists, this changes nothing.
        await inTurn(() => rename(draft, join(directory, blob.blobId)));
        await syncDirectory(directory);
        return blob;
      } catch (error) {
        prepared = undefined;
        await rm(draft, { force: true }).catch(() => undefined);
        throw failureOf(error, signal);
      }
    },
    async open(id) {
      if (!isBlobId(id)) return undefined;
      const file = await inTurn(() => openUsed(join(directory, id)));
      if (file === undefined) return undefined;
      const { size } = await file.stat();
      return { blobId: id, size, chunks: verifiedChunks(file, { blobId: id, size }) };
    },
    async unusedSince(beforeMs) {
      const unused: string[] = [];
      try {
        for (const id of (await readdir(directory).catch(ignoreAbsent)) ?? [])
          if (isBlobId(id) && (await isUnused(id, beforeMs))) unused.push(id);
      } catch (cause) {
        throw new BlobStoreError("blob_failed", "The attachments cannot be looked at", { cause });
      }
      return unused;
    },
    async removeUnused(id, beforeMs) {
      if (!isBlobId(id)) return;
      try {
        await inTurn(async () => {
          if (await isUnused(id, beforeMs)) await rm(join(directory, id), { force: true });
        });
      } catch (cause) {
        throw new BlobStoreError("blob_failed", "The attachment cannot be removed", { cause });
      }
    },
  };
}

/** Whoever opens a blob may be about to refer to it, so it counts as used from now on. */
async function openUsed(path: string): Promise<FileHandle | undefined> {
  const file = await openPlainFile(path);
  const now = new Date();
  // On a read-only disk, nothing is removed either.
  await file?.utimes(now, now).catch(() => undefined);
  return file;
}

function ignoreAbsent(cause: unknown): undefined {
  if (!isSystemError(cause, "ENOENT")) throw cause;
}

/** Undefined if there is no such file, or it is not a regular file: this store never made a link. */
async function openPlainFile(path: string): Promise<FileHandle | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    if (isSystemError(cause, "ENOENT", "ELOOP", "ENOTDIR")) return undefined;
    throw new BlobStoreError("blob_failed", "The attachment cannot be read", { cause });
  }
  if ((await file.stat()).isFile()) return file;
  await file.close();
  return undefined;
}

/** A rename survives a power cut only once its directory is synced. */
async function syncDirectory(directory: string): Promise<void> {
  await using handle = await open(directory, "r");
  await handle.sync();
}

function failureOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || error instanceof BlobStoreError) return error;
  if (isSystemError(error, "ENOSPC", "EDQUOT"))
    return new BlobStoreError("blob_storage_full", "The disk is full", { cause: error });
  if (error instanceof Error && "syscall" in error)
    return new BlobStoreError("blob_failed", "The attachment cannot be kept", { cause: error });
  return error;
}

function isSystemError(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(systemCodeOf(error) ?? "");
}

const CHUNK_BYTES = 65_536;

/**
 * The bytes of a file. The last chunk comes only if the whole matches the hash in its name. Closes the file.
 */
function verifiedChunks(file: FileHandle, blob: StoredBlob): OpenBlob["chunks"] {
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      const hash = createHash("sha256");
      let held: Uint8Array | undefined;
      for (let at = 0; at < blob.size;) {
        const { bytesRead, buffer } = await file.read(new Uint8Array(CHUNK_BYTES), 0, CHUNK_BYTES, at);
        if (bytesRead === 0) break;
        at += bytesRead;
        const chunk = buffer.subarray(0, bytesRead);
        hash.update(chunk);
        if (held !== undefined) yield held;
        held = chunk;
      }
      if (hash.digest("hex") !== blob.blobId)
        throw new BlobStoreError("blob_damaged", "The attachment is not what was put there");
      if (held !== undefined) yield held;
    } finally {
      await file.close();
    }
  }
  const chunks = read();
  let isStarted = false;
  return {
    [Symbol.asyncIterator]() {
      isStarted = true;
      return chunks;
    },
    /** A generator that never began has no `finally` to run. */
    async [Symbol.asyncDispose]() {
      if (isStarted) await chunks.return(undefined);
      else await file.close();
    },
  };
}
