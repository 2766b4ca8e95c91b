import { createSystemClock } from "@deputy/kit";
import type { Model } from "@deputy/model";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createChunkedFetch } from "./fake/chunked-fetch.ts";
import { type Chunker, fixedChunks, inOnePiece, seededChunks } from "./fake/chunker.ts";
import { type FakeModelServer, openFakeModelServer } from "./fake/fake-model-server.ts";
import { FAKE_KEY } from "./fake/fake-wire.ts";
import { describeModel } from "./model-conformance.ts";
import { playConversation } from "./play-conversation.ts";
import { scriptedConversations } from "./scripted-conversations.ts";
import { describeWireAborts } from "./wire-aborts.ts";
import { describeWireFailures } from "./wire-failures.ts";
import { describeWireHistories } from "./wire-histories.ts";
import { describeWireMishaps } from "./wire-mishaps.ts";
import type { WireHarness } from "./wire-harness.ts";

const sizes = Array.from({ length: 64 }, (_value, at) => at + 1);
const seeds = Array.from({ length: 200 }, (_value, at) => at + 1);

/** What every model behind a provider's wire must do, against a strict fake of that provider. */
export function describeWire(name: string, harness: WireHarness): void {
  let fake: FakeModelServer;
  const clock = createSystemClock();
  const create = (options: { readonly apiKey?: string; readonly fetch?: typeof fetch } = {}): Model =>
    harness.createModel({
      origin: fake.origin,
      fetch,
      clock,
      apiKey: FAKE_KEY,
      silenceMs: 60_000,
      ...options,
    });
  const playInChunks = async (chunkers: Iterable<Chunker>): Promise<void> => {
    for (const chunker of chunkers) {
      const model = create({ fetch: createChunkedFetch(() => chunker, fake.fetch) });
      for (const conversation of scriptedConversations)
        await playConversation(model, fake, conversation, harness);
    }
    expect(fake.left).toBe(0);
  };

  describe(name, () => {
    beforeAll(async () => {
      fake = await openFakeModelServer(harness.createFake());
    });
    afterAll(() => fake[Symbol.asyncDispose]());

    describeModel("as a model", create);

    test.each(scriptedConversations)("[W1] carries $name", async (conversation) => {
      await playConversation(create(), fake, conversation, harness);
      expect(fake.left).toBe(0);
    });

    test("[W2] the same in chunks of every size from 1 to 64 bytes", () =>
      playInChunks(sizes.map(fixedChunks)));

    test("[W2] the same in 200 random chunkings", () => playInChunks(seeds.map(seededChunks)));

    test("[W2] the same from a server that sends byte by byte", async () => {
      fake.setChunker(fixedChunks(1));
      const [conversation] = scriptedConversations;
      if (conversation !== undefined) await playConversation(create(), fake, conversation, harness);
      fake.setChunker(inOnePiece);
    });

    describeWireHistories(harness, () => ({ fake, create }));
    describeWireFailures(harness, () => ({ fake, create }));
    describeWireMishaps(harness, () => ({ fake, create }));
    describeWireAborts(harness);
  });
}
