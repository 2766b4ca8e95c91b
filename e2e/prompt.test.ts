import { expect, test } from "vitest";
import { measurePrompt, PROMPT_LIMIT_TOKENS } from "../bench/prompt.ts";

test("[E99] “hi” on a new installation costs at most 900 tokens with the facts, and no more with more tools", async () => {
  const few = await measurePrompt(500);
  const many = await measurePrompt(2_000);
  const scattered = await measurePrompt(2_000, "many");
  for (const { tokens } of [await measurePrompt(0), few, many, scattered])
    expect(tokens).toBeLessThanOrEqual(PROMPT_LIMIT_TOKENS);
  // The names of services, and how many tools each has, are bounded: 450 characters in all.
  expect(Math.abs(many.tokens - few.tokens)).toBeLessThanOrEqual(150);
  expect(many.request.tools).toEqual(few.request.tools);
  expect(many.request.messages).toEqual([
    { role: "user", text: "hi" },
    { role: "user", text: expect.stringMatching(/^Deputy says: it is \w+day, [^]*Tools by namespace: /) },
  ]);
  expect(many.request.system).toBe(few.request.system);
  expect(many.request.system).toContain("# AGENTS.md");
});
