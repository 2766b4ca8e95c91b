import type { Model, ModelMessage } from "@deputy/model";
import { expect, test } from "vitest";
import type { FakeModelServer } from "./fake/fake-model-server.ts";
import { say } from "./fake/scripted-answer.ts";
import { askWith, playConversation, summarise, toParts } from "./play-conversation.ts";
import { scriptedConversations } from "./scripted-conversations.ts";
import type { WireHarness } from "./wire-harness.ts";

const user = (text: string): ModelMessage => ({ role: "user", text });
const said = (text: string): ModelMessage => ({ role: "assistant", parts: [{ kind: "text", text }] });

function called(id: string): readonly ModelMessage[] {
  return [
    { role: "assistant", parts: [{ kind: "tool_call", id, name: "run_code", inputJson: '{"code":"1"}' }] },
    { role: "tool", results: [{ callId: id, text: "Result: 1", isError: false }] },
  ];
}

/** Conversations that a log can contain but a provider would reject unchanged. */
const awkward: readonly (readonly [what: string, messages: readonly ModelMessage[]])[] = [
  ["nothing at all", []],
  ["two messages of the user in a row", [user("One"), user("Two")]],
  ["an empty message", [user("  "), said("What?"), user("Sorry")]],
  ["an empty answer", [user("One"), said(""), user("Two")]],
  ["an answer that is blank", [user("One"), said(" \n"), user("Two")]],
  ["an answer at the beginning", [said("Hello"), user("Hi")]],
  ["an answer at the end", [user("Go"), said("I will")]],
  [
    "reasoning and nothing else",
    [user("Go"), { role: "assistant", parts: [{ kind: "reasoning", text: "Hm" }] }, user("?")],
  ],
  ["results at the beginning", [user("Go"), ...called("a"), user("And?")]],
  ["something said after results", [user("Go"), ...called("a"), user("More"), user("Please")]],
  ["ids of another server", [user("Go"), ...called(`functions.run_code:0 ${"x".repeat(80)}`), user("?")]],
  [
    "another provider's reasoning",
    [
      user("Go"),
      {
        role: "assistant",
        parts: [
          { kind: "reasoning", text: "Hm", opaque: '{"wire":"another","bound":"","layout":[{"opaque":{}}]}' },
          { kind: "text", text: "Yes" },
        ],
      },
      user("?"),
    ],
  ],
];

export function describeWireHistories(
  harness: WireHarness,
  use: () => { readonly fake: FakeModelServer; readonly create: () => Model },
): void {
  test.each(awkward)("[W3] sends %s in the form the provider accepts", async (_what, messages) => {
    const { fake, create } = use();
    fake.play(say("Fine."));
    expect(summarise(await Array.fromAsync(askWith(create(), messages))).text).toBe("Fine.");
  });

  const thoughtful = scriptedConversations.find(({ name }) => name.startsWith("reasoning, a program"));
  if (!harness.wantsReasoning || thoughtful === undefined) return;

  test("[W4] sends reasoning back byte for byte, in its place", async () => {
    const { fake, create } = use();
    const messages = await playConversation(create(), fake, thoughtful, harness);
    fake.play(say("Fine."));
    await Array.fromAsync(askWith(create(), [...messages, user("Again")]));
    // The fake accepts only what it gave out; these are its words, as JSON writes them.
    expect(fake.requests.at(-1)?.raw).toContain('é \\"\\\\ \u2028 +/== 😀');
  });

  test("[W4] the provider notices changed reasoning: the check above can fail", async () => {
    const { fake, create } = use();
    const messages = await playConversation(create(), fake, thoughtful, harness);
    const forged = JSON.parse(JSON.stringify(messages).replaceAll("+/==", "+/=")) as ModelMessage[];
    await expect(Array.fromAsync(askWith(create(), [...forged, user("Again")]))).rejects.toMatchObject({
      code: "bad_request",
    });
  });

  test("[W5] sends an answer whose text has changed without the reasoning in it", async () => {
    const { fake, create } = use();
    fake.play({
      kind: "answer",
      answer: {
        parts: [
          { kind: "reasoning", text: "First" },
          { kind: "text", text: "Said" },
          { kind: "reasoning", text: "Second" },
          { kind: "text", text: "So" },
        ],
      },
    });
    const parts = toParts(await Array.fromAsync(askWith(create(), [user("Go")])));
    const shortened = parts.map((part) =>
      part.kind === "text" ? ({ kind: "text", text: "Sa…" } as const) : part,
    );
    fake.play(say("Fine."));
    await Array.fromAsync(
      askWith(create(), [user("Go"), { role: "assistant", parts: shortened }, user("?")]),
    );
    expect(fake.requests.at(-1)?.raw.match(/\+\/==/g)).toHaveLength(1);
  });
}
