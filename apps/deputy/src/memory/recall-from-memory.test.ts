import { createSystemClock, type SessionId } from "@deputy/kit";
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
