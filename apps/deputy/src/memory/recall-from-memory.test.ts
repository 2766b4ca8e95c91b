import { createSystemClock, type SessionId } from "@deputy/kit";
import type { Memory } from "@deputy/memory";
import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import { createMemoryRecall } from "./recall-from-memory.ts";

test.each(["Hello!", "thanks", "```ts\nreturn await tools.mail.list({});\n```\n", "~~~js\n1\n~~~"])(
  "[A185] nothing is looked up where nothing is asked: %j",
  async (text) => {
    const recall = createMemoryRecall({
      memory: () => Promise.reject(new Error("The memory was opened")),
      clock: createSystemClock(),
    });
    const request = { agentId: "main", session: "ses_1" as SessionId, text, shown: new Set<string>() };
    expect(await recall.recall(request, new AbortController().signal)).toBeUndefined();
    const asked = { ...request, text: `${text}\nWhat did Bob say about the invoice?` };
    await expect(recall.recall(asked, new AbortController().signal)).rejects.toThrow("was opened");
  },
);

test("[A185] a model that is still being started does not cost what words have found", async () => {
  const clock = createFakeClock();
  const document = { key: "n", scope: "main", kind: "notes", path: "main/memory/a.md" };
  const chunk = {
    document,
    text: "The boiler was repaired by Quentin.",
    header: "",
    from: 1,
    to: 1,
    foreign: [],
  };
  // Like a search whose model does not answer: it ends when it is not to wait for meaning any longer.
  const search: Memory["search"] = async (_question, { meaningUntil, freshWithinMs, joinAmong }) => {
    expect(joinAmong, "hits are short, so that more of them fit").toBe(4);
    expect(freshWithinMs, "a turn does not wait for an index that is being made").toBeLessThanOrEqual(600);
    if (meaningUntil?.aborted === false)
      await new Promise((done) => meaningUntil.addEventListener("abort", done, { once: true }));
    const why = { words: ["boiler", "repaired"], meaning: 0 };
    return { hits: [{ chunk, score: 1, why }], by: "words", isStale: false, problems: [] } as never;
  };
  const recall = createMemoryRecall({ memory: async () => ({ search }), clock });
  const request = { agentId: "main", session: "ses_1" as SessionId, shown: new Set<string>() };
  const recalling = recall.recall(
    { ...request, text: "Who repaired the boiler?" },
    new AbortController().signal,
  );
  await clock.advance(1_000);
  expect(await recalling).toMatchObject({ by: "words", hits: [{ path: "main/memory/a.md" }] });
});
