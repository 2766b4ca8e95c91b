import type { Model, ModelEvent } from "@deputy/model";
import { createRedactor } from "@deputy/secrets";
import type { AssistantDelta } from "@deputy/protocol";
import { expect, test } from "vitest";
import { setUpGate } from "../agent.fixture.ts";
import { assembleRequest } from "../ingress/prompt.ts";
import { askModel } from "./ask-model.ts";

const TOKEN = `ghp_${"aB3dE6gH9j".repeat(4).slice(0, 36)}`;

async function setup(pieces: readonly ModelEvent[]) {
  const { clock, ids, stream, turnId } = setUpGate({});
  const model: Model = {
    ref: { provider: "test", model: "pieces" },
    async *stream() {
      yield* pieces;
      yield { kind: "stop", reason: "end" };
    },
  };
  const deltas: AssistantDelta[] = [];
  const log = { publish: (event: AssistantDelta) => void deltas.push(event) };
  const answer = await askModel(
    { log, model, redactor: createRedactor([]), ids, clock },
    { stream, turnId, agentId: "main", sessionKey: "test" },
    assembleRequest({ system: [], messages: [], tools: [], maxOutputTokens: 100 }),
    "left_in",
    new AbortController().signal,
  );
  const streamed = (itemType: string): string =>
    deltas.flatMap((delta) => (delta.itemType === itemType ? [delta.text] : [])).join("");
  const written = (type: string): string =>
    answer.said
      .flatMap((event) => (event.type === type ? [(event.data as { text: string }).text] : []))
      .join("");
  return { answer, deltas, streamed, written };
}

const inPieces = (text: string, size: number, kind: "text" | "reasoning" = "text"): ModelEvent[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, n) => ({
    kind,
    text: text.slice(n * size, (n + 1) * size),
  }));

test.each([1, 2, 5, 17, 1_000])(
  "[A97] a token in pieces of %i never gets out, and the deltas are the message",
  async (size) => {
    const { deltas, streamed, written } = await setup(inPieces(`It is ${TOKEN}, I think.`, size));
    expect(written("assistant.message")).toBe("It is [redacted], I think.");
    expect(streamed("message")).toBe(written("assistant.message"));
    let offset = 0;
    for (const delta of deltas) {
      expect(delta.offset).toBe(offset);
      offset += delta.text.length;
    }
  },
);

test("[A97] words without a secret come as they are said, but for the last", async () => {
  const { deltas } = await setup(inPieces("All is well here.", 5));
  expect(deltas.map(({ text }) => text)).toEqual(["All is ", "well ", "here."]);
});

test("[A97] reasoning is redacted too, and then what its provider wanted back is not kept", async () => {
  const done: ModelEvent = { kind: "reasoning_done", opaque: `thought of ${TOKEN}` };
  const said = await setup([...inPieces(`Use ${TOKEN}.`, 3, "reasoning"), done, ...inPieces("Done.", 2)]);
  expect(said.streamed("reasoning")).toBe("Use [redacted].");
  expect(JSON.stringify(said.answer.said)).not.toContain(TOKEN);
  const plain = await setup([...inPieces("Hm.", 2, "reasoning"), { ...done, opaque: "sealed" }]);
  expect(JSON.stringify(plain.answer.said)).toContain("sealed");
});

test("[A97] a script is run as it was written", async () => {
  const { answer, written } = await setup(inPieces(`<script>\nreturn "${TOKEN}";\n</script>`, 4));
  expect(answer.scripts).toEqual([{ code: `\nreturn "${TOKEN}";\n` }]);
  expect(written("assistant.message")).not.toContain(TOKEN);
});
