import { createMemoryBlobStore } from "@deputy/testing";
import { defineTool } from "@deputy/tools";
import { expect, test } from "vitest";
import { z } from "zod";
import { nextEvent, SECRET, setUpGate } from "../agent.fixture.ts";

/** A tool that attaches so many files, and says what became of it. */
function setup(blobs: ReturnType<typeof createMemoryBlobStore> | undefined) {
  const draw = defineTool({
    description: "Draws",
    approval: "auto",
    args: z.object({ count: z.number() }),
    run: async ({ count }, { attach }) => {
      if (attach === undefined) return "nowhere to keep it";
      const ids: string[] = [];
      for (let at = 0; at < count; at += 1) {
        const bytes = new TextEncoder().encode(`picture ${at}`);
        ids.push((await attach({ bytes, mimeType: "image/png", name: `${SECRET}-${at}.png` })).blobId);
      }
      return ids;
    },
  });
  const world = setUpGate({ extra: { art: { draw } }, ...(blobs === undefined ? {} : { blobs }) });
  return { ...world, settled: async () => (await nextEvent(world.log, world.stream, "call.settled")).data };
}

test("[A132] what a tool attaches is kept, and the call's event names it in order, without secrets", async () => {
  const blobs = createMemoryBlobStore();
  const { call, settled } = setup(blobs);
  const { resultJson = "[]" } = await call("art.draw", { count: 2 });
  const ids = JSON.parse(resultJson) as string[];
  expect(await settled()).toMatchObject({
    attachments: ids.map((blobId) => ({
      blobId,
      mimeType: "image/png",
      name: expect.not.stringContaining(SECRET),
    })),
  });
  await using opened = (await blobs.open(ids[1] ?? ""))?.chunks;
  const chunks = await Array.fromAsync(opened ?? []);
  expect(Buffer.concat(chunks).toString()).toBe("picture 1");
});

test("[A132] more than a call may attach fails it; what was kept before is still named", async () => {
  const { call, settled } = setup(createMemoryBlobStore());
  expect(await call("art.draw", { count: 21 })).toMatchObject({
    status: "failed",
    error: { message: "A call has 20 attachments at most" },
  });
  const { attachments } = (await settled()) as { attachments: readonly unknown[] };
  expect(attachments).toHaveLength(20);
});

test("[A132] without a store nothing can be attached", async () => {
  const { call } = setup(undefined);
  expect(await call("art.draw", { count: 1 })).toMatchObject({ resultJson: '"nowhere to keep it"' });
});
