import { expect, test } from "vitest";
import { ModelError } from "../model-error.ts";
import type { ModelRequest } from "../model.ts";
import { toModelError } from "./failure.ts";
import { createOutputRoom } from "./output-room.ts";
import { classifyFault } from "./provider-fault.ts";

const provider = {
  name: "It",
  model: "m",
  baseUrl: "",
  urlVariable: "U",
  keyVariable: "K",
  place: "here",
} as const;

/** Each server's own wording. */
const wordings: readonly (readonly [words: string, tokens: number, code: string])[] = [
  [
    "max_tokens: 9000 > 8192, which is the maximum allowed number of output tokens for claude-x",
    8_192,
    "output_limit",
  ],
  [
    "max_tokens is too large: 9000. This model supports at most 4096 completion tokens, whereas you provided 9000.",
    4_096,
    "output_limit",
  ],
  [
    "Invalid 'max_output_tokens': integer above maximum value. Expected a value <= 8000, but got 9000 instead.",
    8_000,
    "output_limit",
  ],
  [
    "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model",
    8_192,
    "output_limit",
  ],
  ["Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", 8_192, "output_limit"],
  [
    "'max_tokens' or 'max_completion_tokens' is too large: 9000. This model's maximum context length is 4096 tokens and your request has 808 input tokens (9000 > 4096 - 808).",
    3_288,
    "context_overflow",
  ],
  [
    "This model's maximum context length is 4096 tokens. However, you requested 9828 tokens (808 in the messages, 20 in the functions, 9000 in the completion). Please reduce the length of the messages or completion.",
    3_268,
    "context_overflow",
  ],
  [
    "This model's maximum context length is 4096 tokens. However, you requested 9000 output tokens and your prompt contains at least 808 input tokens, for a total of at least 9808 tokens.",
    3_288,
    "context_overflow",
  ],
  [
    "Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 9808 tokens: 808 tokens from the input messages and 9000 tokens for the completion.",
    3_288,
    "context_overflow",
  ],
  [
    "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 808 `inputs` tokens and 9000 `max_new_tokens`",
    3_288,
    "context_overflow",
  ],
  [
    "input length and `max_tokens` exceed context limit: 195000 + 9000 > 200000, decrease input length or `max_tokens` and try again",
    5_000,
    "context_overflow",
  ],
];

function setup(failures: readonly string[]) {
  const asked: number[] = [];
  const ask = createOutputRoom(async function* ({ maxOutputTokens }: ModelRequest) {
    asked.push(maxOutputTokens);
    const words = failures[asked.length - 1];
    if (words === undefined) yield { kind: "stop", reason: "end" };
    else throw toModelError(classifyFault({ status: 400, body: words }, 0), provider, "none");
  });
  const request = { system: "", messages: [], tools: [], maxOutputTokens: 9_000 };
  const run = () => Array.fromAsync(ask(request, new AbortController().signal));
  return { asked, run };
}

test.each(wordings)("[W29] %s", async (words, tokens, code) => {
  const it = setup([words]);
  expect(await it.run()).toEqual([{ kind: "stop", reason: "end" }]);
  expect(it.asked).toEqual([9_000, tokens]);
  await expect(setup([words, words]).run()).rejects.toMatchObject({ code });
});

test("[W29] remembers a model's own limit, but not what one prompt leaves", async () => {
  const [cap, sum] = [wordings[0]?.[0] ?? "", wordings[5]?.[0] ?? ""];
  const it = setup([cap, sum]);
  await it.run();
  await it.run();
  expect(it.asked).toEqual([9_000, 8_192, 3_288, 8_192]);
});

test("[W29] does not keep asking a server that counts differently each time", async () => {
  const words = (tokens: number): string => `max_tokens: 9000 > ${tokens}, which is the maximum`;
  const it = setup([words(4_000), words(3_000), words(2_000), words(1_000)]);
  await expect(it.run()).rejects.toMatchObject({ code: "output_limit" });
  expect(it.asked).toEqual([9_000, 4_000, 3_000]);
});

test("[W29] names the setting if the server gives no number", async () => {
  const error: unknown = await setup(["max_tokens is too large"])
    .run()
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ModelError);
  expect(error).toMatchObject({
    code: "output_limit",
    message: expect.stringContaining("Set agent.outputTokens to less.") as string,
  });
});

test("[W25] a prompt that leaves no room is too long", async () => {
  const words =
    "This model's maximum context length is 4096 tokens. However, your request has 4000 input tokens.";
  const it = setup([words]);
  await expect(it.run()).rejects.toMatchObject({ code: "context_overflow" });
  expect(it.asked).toEqual([9_000]);
});
