import { createHash } from "node:crypto";
import type { BlobStore } from "@deputy/protocol";
import { describe, expect, test } from "vitest";

const live = new AbortController().signal;

async function* pieces(...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === "string" ? Buffer.from(part) : part;
}

async function readAll(store: BlobStore, id: string): Promise<Buffer | undefined> {
  const blob = await store.open(id);
  return blob === undefined ? undefined : Buffer.concat(await Array.fromAsync(blob.chunks));
}

/** What every blob store promises; `open` gives a new one that accepts blobs up to this many bytes. */
export function describeBlobStore(
  name: string,
  open: (limits: { readonly blobBytes: number }) => BlobStore,
): void {
  describe(name, () => {
    const setup = (blobBytes = 1_000_000): BlobStore => open({ blobBytes });

    test("[B1] returns bytes under their hash", async () => {
      const store = setup();
      const bytes = Uint8Array.from({ length: 200_000 }, (_, i) => (i * 7) % 256);
      const { blobId, size } = await store.put(
        pieces(bytes.subarray(0, 70_000), bytes.subarray(70_000)),
        live,
      );
      expect([blobId, size]).toEqual([createHash("sha256").update(bytes).digest("hex"), 200_000]);
      expect(await readAll(store, blobId)).toEqual(Buffer.from(bytes));
    });

    test("[B1] stores an empty blob", async () => {
      const store = setup();
      const { blobId, size } = await store.put(pieces(), live);
      expect(size).toBe(0);
      expect(await readAll(store, blobId)).toEqual(Buffer.alloc(0));
    });

    test("[B2] putting the same bytes again gives the same blob, even concurrently", async () => {
      const store = setup();
      const put = await Promise.all(
        [1, 2, 3].map((n) => store.put(pieces(...Array(n).fill(""), "tea"), live)),
      );
      expect(new Set(put.map(({ blobId }) => blobId)).size).toBe(1);
      expect(String(await readAll(store, put[0]?.blobId ?? ""))).toBe("tea");
    });

    test("[B3] refuses more than the limit, and leaves nothing", async () => {
      const store = setup(10);
      await expect(store.put(pieces("12345", "678901"), live)).rejects.toMatchObject({
        code: "blob_too_large",
      });
      const whole = createHash("sha256").update("12345678901").digest("hex");
      expect(await store.open(whole)).toBeUndefined();
      expect((await store.put(pieces("1234567890"), live)).size).toBe(10);
    });

    test("[B4] an interrupted or aborted put leaves nothing", async () => {
      const store = setup();
      const stop = new AbortController();
      async function* stopped() {
        yield Buffer.from("half");
        stop.abort(new Error("stopped"));
        yield Buffer.from(" of it");
      }
      await expect(store.put(stopped(), stop.signal)).rejects.toThrow("stopped");
      async function* broken() {
        yield Buffer.from("half");
        throw new Error("cut off");
      }
      await expect(store.put(broken(), live)).rejects.toThrow("cut off");
      for (const text of ["half", "half of it"])
        expect(await store.open(createHash("sha256").update(text).digest("hex"))).toBeUndefined();
    });

    test.each([
      "",
      ".",
      "..",
      "../key",
      "a".repeat(63),
      "A".repeat(64),
      `${"a".repeat(64)}/`,
      "%2e%2e",
      "\0",
    ])("[B5] finds nothing for an invalid id: %j", async (id) => {
      const store = setup();
      await store.put(pieces("x"), live);
      expect(await store.open(id)).toBeUndefined();
    });

    test("[B5] does not find a blob that was never put", async () => {
      expect(await setup().open("0".repeat(64))).toBeUndefined();
    });
  });
}
