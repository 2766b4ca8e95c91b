import { DEFAULT_COMPACTION_LIMITS } from "@deputy/agent";
import { expect, test } from "vitest";
import { configSchema } from "../config.ts";
import { agentsSettings } from "./agents-settings.ts";

const compactionOf = (session: object) =>
  agentsSettings(configSchema.parse({ session })).forAll.limits?.compaction;

test("[E952] session.maxHistoryMessages is how many messages stay word for word, and half as many again begin it", () => {
  expect(compactionOf({})).toEqual(DEFAULT_COMPACTION_LIMITS);
  expect(compactionOf({})).toMatchObject({ keepMessages: 100, maxMessages: 150 });
  expect(compactionOf({ maxHistoryMessages: 31 })).toMatchObject({ keepMessages: 31, maxMessages: 47 });
});

test("[E952] session.compactionEnabled off: a conversation is never summarised for its length", () => {
  expect(compactionOf({ compactionEnabled: false })).toMatchObject({
    thresholdTokens: Infinity,
    maxMessages: Infinity,
  });
});
