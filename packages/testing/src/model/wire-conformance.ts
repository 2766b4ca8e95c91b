import { createSystemClock } from "@deputy/kit";
import type { Model } from "@deputy/model";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fixedChunks, inOnePiece, seededChunks } from "./fake/chunker.ts";
import { type FakeModelServer, openFakeModelServer } from "./fake/fake-model-server.ts";
import { FAKE_KEY } from "./fake/fake-wire.ts";
import { describeModel } from "./model-conformance.ts";
import { playConversation } from "./play-conversation.ts";
import { scriptedConversations } from "./scripted-conversations.ts";
import { describeWireAborts } from "./wire-aborts.ts";
import { describeWireFailures } from "./wire-failures.ts";
import { describeWireHistories } from "./wire-histories.ts";
import type { WireHarness } from "./wire-harness.ts";

const LARGEST_CHUNK = 64;
const SEEDS = 200;
const LONG_TEST_MS = 120_000;

/** What every model behind a provider's wire must do, against a strict fake of that provider. */
export function describeWire(name: string, harness: WireHarness): void {
  let fake: FakeModelServer;
  const clock = createSystemClock();
  const create = (options: { readonly apiKey?: string } = {}): Model =>
    harness.createModel({ origin: fake.origin, clock, apiKey: FAKE_KEY, silenceMs: 60_000, ...options });
  const playAll = async (): Promise<void> => {
    for (const conversation of scriptedConversations) await playConversation(create(), fake, conversation, harness);
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

    test(
      "[W2] the same in chunks of every size from 1 to 64 bytes",
      async () => {
        for (let size = 1; size <= LARGEST_CHUNK; size++) {
          fake.setChunker(fixedChunks(size));
          await playAll();
        }
        fake.setChunker(inOnePiece);
        expect(fake.left).toBe(0);
      },
      LONG_TEST_MS,
    );

    test(
      "[W2] the same however it is cut, 200 times",
      async () => {
        for (let seed = 1; seed <= SEEDS; seed++) {
          fake.setChunker(seededChunks(seed));
          await playAll();
        }
        fake.setChunker(inOnePiece);
        expect(fake.left).toBe(0);
      },
      LONG_TEST_MS,
    );

    describeWireHistories(harness, () => ({ fake, create }));
    describeWireFailures(harness, () => ({ fake, create }));
    describeWireAborts(harness);
  });
}
