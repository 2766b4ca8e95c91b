import type { FoundPicture, ModelMessage, Picture } from "@deputy/model";
import type { BlobStore } from "@deputy/protocol";

/** Brings the pictures of a prompt from where blobs are kept. */
export interface PictureShelf {
  /**
   * The messages, their pictures with what they are, and with their bytes where they are to be `shown` and there is room.
   * The newest go first. Undefined if there are none. Rejects with the signal's reason.
   */
  bring(
    messages: readonly ModelMessage[],
    how: "shown" | "described",
    signal: AbortSignal,
  ): Promise<readonly ModelMessage[] | undefined>;
}

export interface PictureLimits {
  /** In one request. */
  readonly count: number;
  readonly totalBytes: number;
  /** Of one picture; providers reject larger ones. */
  readonly bytes: number;
  readonly sidePixels: number;
}

export const DEFAULT_PICTURE_LIMITS: PictureLimits = {
  count: 8,
  totalBytes: 12_000_000,
  bytes: 3_700_000,
  sidePixels: 8_000,
};

/** Only what they are is kept in memory, and of so many. */
const MOST_KNOWN = 1_000;

type Look = { readonly found: FoundPicture; readonly bytes: Uint8Array } | { readonly why: string };

export function createPictureShelf(
  blobs: Pick<BlobStore, "open">,
  limits: PictureLimits = DEFAULT_PICTURE_LIMITS,
): PictureShelf {
  const known = new Map<string, Pick<Picture, "found" | "why">>();

  const read = async (blobId: string, signal: AbortSignal): Promise<Look> => {
    const blob = await blobs.open(blobId).catch(() => undefined);
    signal.throwIfAborted();
    if (blob === undefined) return { why: "it is not kept any more" };
    await using chunks = blob.chunks;
    if (blob.size > limits.bytes) return { why: `it has more than ${megabytes(limits.bytes)}` };
    const parts: Uint8Array[] = [];
    try {
      for await (const chunk of chunks) parts.push(chunk);
    } catch {
      return { why: "it is damaged" };
    }
    const bytes = join(parts);
    const { findPicture } = await import("@deputy/model/pictures");
    const found = findPicture(bytes);
    return found === undefined ? { why: "it is no PNG, JPEG, GIF or WebP" } : { found, bytes };
  };

  const bringOne = async (
    picture: Picture,
    room: { bytes: number } | undefined,
    signal: AbortSignal,
  ): Promise<Picture> => {
    const before = known.get(picture.blobId);
    if (before !== undefined && (room === undefined || before.why !== undefined))
      return { ...picture, ...before, ...(room === undefined && before.why === undefined && { why: OLDER }) };
    const look = await read(picture.blobId, signal);
    const told = "why" in look ? look : tell(look.found);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(picture.blobId, told);
    if (!("bytes" in look) || told.why !== undefined) return { ...picture, ...told };
    if (room === undefined || look.bytes.length > room.bytes) return { ...picture, ...told, why: OLDER };
    room.bytes -= look.bytes.length;
    return { ...picture, ...told, data: toBase64(look.bytes) };
  };

  const tell = (found: FoundPicture): Pick<Picture, "found" | "why"> => {
    const isTooWide = Math.max(found.width, found.height) > limits.sidePixels;
    return isTooWide ? { found, why: `it has more than ${limits.sidePixels} pixels on a side` } : { found };
  };

  return {
    async bring(messages, how, signal) {
      const all = messages.flatMap(picturesOf);
      if (all.length === 0) return undefined;
      const room = { bytes: limits.totalBytes };
      const firstShown = how === "shown" ? firstWithin(all.length, limits.count) : all.length;
      const brought = new Map<Picture, Picture>();
      for (const [at, picture] of [...all.entries()].toReversed()) {
        signal.throwIfAborted();
        brought.set(picture, await bringOne(picture, at >= firstShown ? room : undefined, signal));
      }
      return messages.map((message) => withBrought(message, brought));
    },
  };
}

const OLDER = "it is older than those that fit";

/**
 * The first that is shown. Half of the room is made free at once, so that the prompt does not change with every picture
 * that comes: its cache would be lost each time.
 */
function firstWithin(all: number, most: number): number {
  if (all <= most) return 0;
  const step = Math.max(1, Math.floor(most / 2));
  return Math.ceil((all - most) / step) * step;
}

function picturesOf(message: ModelMessage): readonly Picture[] {
  if (message.role === "user") return message.pictures ?? [];
  return message.role === "tool" ? message.results.flatMap(({ pictures = [] }) => pictures) : [];
}

function withBrought(message: ModelMessage, brought: ReadonlyMap<Picture, Picture>): ModelMessage {
  const swap = <T extends { readonly pictures?: readonly Picture[] }>(said: T): T =>
    said.pictures === undefined
      ? said
      : { ...said, pictures: said.pictures.map((picture) => brought.get(picture) ?? picture) };
  if (message.role === "user") return swap(message);
  return message.role === "tool" ? { ...message, results: message.results.map(swap) } : message;
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** In slices, because a call takes only so many arguments. */
function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += SLICE)
    text += String.fromCharCode(...bytes.subarray(at, at + SLICE));
  return btoa(text);
}
const SLICE = 8_192;

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

interface Attachment {
  readonly blobId: string;
  readonly mimeType: string;
  readonly name: string;
}

/** Types that models take, as somebody said; whether the bytes are such is looked at when they are shown. */
const TYPES: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/jpg",
  "image/gif",
  "image/webp",
]);

/** The pictures among attachments. */
export function picturesIn(attachments: readonly Attachment[]): readonly Picture[] {
  return attachments
    .filter(({ mimeType }) => TYPES.has(mimeType.toLowerCase()))
    .map(({ blobId, name }) => ({ blobId, name }));
}
