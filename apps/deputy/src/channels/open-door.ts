import { ChannelsError, type Door } from "@deputy/channels";
import { type DaemonLink, openDaemonLink } from "@deputy/client/daemon-link";
import type { Clock } from "@deputy/kit";
import { z } from "zod";

/** Fewer than a daemon lets one connection follow. */
const STREAMS_OF_A_LINK = 150;

interface CountedLink {
  readonly link: Promise<DaemonLink>;
  streams: number;
}

/**
 * The daemon's own doors for one chat app. A connection follows only so many conversations, so there are as many
 * connections as it takes; one that follows nothing any more is closed. Throws as `openDaemonLink` does.
 */
export async function openDoor(
  deps: { readonly url: string; readonly token: () => string; readonly clock: Clock },
  signal: AbortSignal,
): Promise<Door & Disposable> {
  const { url, token, clock } = deps;
  const open = (): Promise<DaemonLink> =>
    openDaemonLink({ find: async () => ({ url, token: token() }), clock, tell: () => undefined }, signal);
  const first = await open();
  const links = new Set<CountedLink>([{ link: Promise.resolve(first), streams: 0 }]);
  const withRoom = (): CountedLink => {
    const found = [...links].find(({ streams }) => streams < STREAMS_OF_A_LINK);
    if (found !== undefined) return found;
    const added = { link: open(), streams: 0 };
    links.add(added);
    return added;
  };
  return {
    call: first.call,
    changes: first.changes,
    async *follow(stream, after, until) {
      const counted = withRoom();
      counted.streams++;
      try {
        yield* (await counted.link).follow(stream, after, until);
      } finally {
        counted.streams--;
        const [own] = links;
        if (counted !== own && counted.streams === 0) close(counted);
      }
    },
    upload: (bytes, mimeType, until) => upload(deps, bytes, mimeType, until),
    download: (blobId, mostBytes, until) => download(deps, blobId, mostBytes, until),
    [Symbol.dispose]: () => [...links].forEach(close),
  };

  function close(counted: CountedLink): void {
    links.delete(counted);
    counted.link.then((link) => link[Symbol.dispose]()).catch(() => undefined);
  }
}

const storedSchema = z.object({ blobId: z.string() });

async function upload(
  { url, token }: { readonly url: string; readonly token: () => string },
  bytes: Uint8Array<ArrayBuffer>,
  mimeType: string,
  signal: AbortSignal,
): Promise<string> {
  const answer = await fetch(new URL("/api/blobs", url), {
    method: "POST",
    headers: { authorization: `Bearer ${token()}`, "content-type": mimeType },
    body: bytes,
    signal,
  });
  if (!answer.ok) throw new ChannelsError("refused", `Deputy could not save it (${answer.status})`);
  return storedSchema.parse(await answer.json()).blobId;
}

async function download(
  { url, token }: { readonly url: string; readonly token: () => string },
  blobId: string,
  mostBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const answer = await fetch(new URL(`/api/blobs/${encodeURIComponent(blobId)}`, url), {
    headers: { authorization: `Bearer ${token()}` },
    signal,
  });
  if (answer.ok && Number(answer.headers.get("content-length")) <= mostBytes)
    return new Uint8Array(await answer.arrayBuffer());
  await answer.body?.cancel();
  return undefined;
}
