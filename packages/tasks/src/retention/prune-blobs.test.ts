import { utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createBlobReferences } from "./blob-references.ts";
import { pruneBlobs } from "./prune-blobs.ts";
import { setUpRetention } from "./retention.fixture.ts";

async function setup() {
  const home = await setUpRetention();
  const { blobs, directory, never, pause } = home;
  const { log } = await home.open();
  const put = async (text: string): Promise<string> =>
    (
      await blobs.put(
        (async function* bytes() {
          yield Buffer.from(text);
        })(),
        never,
      )
    ).blobId;
  /** Two days without use, according to the file's time. */
  const age = (...ids: readonly string[]): void => {
    const then = new Date(Date.now() - 2 * 86_400_000);
    for (const id of ids) utimesSync(join(directory, "blobs", id), then, then);
  };
  const says = (text: string, ...ids: readonly string[]) => ({
    type: "user.message" as const,
    data: {
      text,
      attachments: ids.map((blobId) => ({ blobId, mimeType: "text/plain", name: "a" })),
      channel: "web",
      sender: "ann",
      trust: "user" as const,
    },
  });
  const rule = { beforeMs: Date.now() - 86_400_000, reason: "unused" };
  const prune = (over: Partial<Parameters<typeof pruneBlobs>[0]> = {}) =>
    pruneBlobs({ log, blobs, references: createBlobReferences({ log, pause }), pause, ...over }, rule, never);
  const isThere = async (id: string): Promise<boolean> => {
    const blob = await blobs.open(id);
    await blob?.chunks[Symbol.asyncDispose]();
    return blob !== undefined;
  };
  return { ...home, log, put, age, says, prune, isThere };
}

test("[J120] removes blobs that no event names after a day, and logs which", async () => {
  const { log, ids, put, age, says, prune, isThere } = await setup();
  const [attached, mentioned, loose, fresh] = [
    await put("1"),
    await put("2"),
    await put("3"),
    await put("4"),
  ];
  age(attached, mentioned, loose);
  await log.append(ids.next("session"), [
    says("Look at this", attached),
    says(`And at ${mentioned}, please`),
  ]);
  expect(await prune()).toBe(1);
  expect(await Promise.all([attached, mentioned, loose, fresh].map(isThere))).toEqual([
    true,
    true,
    false,
    true,
  ]);
  const [record] = await Array.fromAsync(log.read("system"));
  expect(record).toMatchObject({
    type: "retention.pruned",
    data: { what: "blobs", count: 1, blobIds: [loose], reason: "unused" },
  });
});

test("[J120] an erased event refers to nothing; another event may still name the blob", async () => {
  const { log, ids, put, age, says, prune, isThere } = await setup();
  const blobId = await put("1");
  const stream = ids.next("session");
  const [first, second] = await log.append(stream, [says("a", blobId), says("b", blobId)]);
  age(blobId);
  if (first === undefined || second === undefined) throw new Error("Nothing was written");
  await log.erase(first.id, "ann");
  expect(await prune()).toBe(0);
  await log.erase(second.id, "ann");
  expect(await prune()).toBe(1);
  expect(await isThere(blobId)).toBe(false);
});

test("[J120] keeps a blob that was put again, or that a new event names meanwhile", async () => {
  const { log, ids, blobs, put, age, says, prune, isThere } = await setup();
  const [again, named] = [await put("1"), await put("2")];
  age(again, named);
  const racing: typeof blobs = {
    ...blobs,
    async unusedSince(beforeMs) {
      const found = await blobs.unusedSince(beforeMs);
      await put("1");
      await log.append(ids.next("session"), [says("now", named)]);
      return found;
    },
  };
  await prune({ blobs: racing });
  expect([await isThere(again), await isThere(named)]).toEqual([true, true]);
});

test("[J120] loses nothing if stopped between naming and removing; the next round finds it again", async () => {
  const { blobs, put, age, prune, isThere, log } = await setup();
  const blobId = await put("1");
  age(blobId);
  const stop = new Error("killed");
  await expect(prune({ blobs: { ...blobs, removeUnused: () => Promise.reject(stop) } })).rejects.toBe(stop);
  age(blobId);
  expect(await prune()).toBe(1);
  expect(await isThere(blobId)).toBe(false);
  expect(await Array.fromAsync(log.read("system"))).toHaveLength(2);
});
