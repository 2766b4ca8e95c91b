import { createSystemClock } from "@deputy/kit";
import { type ChatManners, createFakeChat, openFakeModelServer } from "@deputy/testing";
import { expect, test } from "vitest";
import type { ModelMessage } from "../model.ts";
import { DEFAULT_WIRE_LIMITS } from "../wire/watched-wire.ts";
import { createChatModel } from "./chat-model.ts";

const choices: { readonly [K in keyof ChatManners]: readonly ChatManners[K][] } = {
  index: ["counted", "zero", "missing"],
  id: ["once", "missing", "changing", "always_the_same"],
  arguments: ["streamed", "whole", "object", "repeated"],
  finish: ["right", "wrong", "missing"],
  usage: ["last_chunk", "missing"],
};

/** Every way to stream calls, with the other two in turn. */
const manners = choices.index.flatMap((index) =>
  choices.id.flatMap((id) =>
    choices.arguments.map((args, at): ChatManners => {
      const finish = choices.finish[at % choices.finish.length] ?? "right";
      return {
        index,
        id,
        arguments: args,
        finish,
        usage: at % 2 === 0 ? "last_chunk" : "missing",
      };
    }),
  ),
);

/** Nothing tells one call from the next here but that the first is complete: see the server's last line of each. */
const isHopeless = ({ index, id, arguments: args }: ChatManners): boolean =>
  index !== "counted" && id === "always_the_same" && args === "streamed";

const inputs = [{ code: "return 1;" }, { code: 'const s = "}{";' }, { code: "return 3;" }];

test.each(manners.filter((manner) => !isHopeless(manner)))(
  "[W17] calls of a server with index $index, id $id, arguments $arguments",
  async (manner) => {
    await using fake = await openFakeModelServer(createFakeChat(manner));
    const provider = { name: "It", model: "m", baseUrl: `${fake.origin}/v1`, urlVariable: "U" };
    const deps = { fetch, clock: createSystemClock(), limits: DEFAULT_WIRE_LIMITS };
    const model = createChatModel(deps, { provider: "local", model: "m" }, provider);
    const messages: ModelMessage[] = [{ role: "user", text: "Go" }];
    const ask = async () => {
      const request = { system: "", messages, tools: [], maxOutputTokens: 100 };
      return await Array.fromAsync(model.stream(request, new AbortController().signal));
    };
    for (let round = 0; round < 2; round++) {
      const parts = inputs.map((input) => ({ kind: "tool_call", name: "run_code", input }) as const);
      fake.play({ kind: "answer", answer: { parts } });
      const events = await ask();
      const calls = events.filter((event) => event.kind === "tool_call");
      expect(calls.map(({ inputJson }) => JSON.parse(inputJson) as unknown)).toEqual(inputs);
      expect(events.at(-1)).toEqual({ kind: "stop", reason: "tool_calls" });
      expect(events.some(({ kind }) => kind === "usage")).toBe(manner.usage === "last_chunk");
      messages.push({ role: "assistant", parts: calls });
      const results = calls.map(({ id }) => ({ callId: id, text: "Result: 1", isError: false }));
      messages.push({ role: "tool", results });
    }
    const ids = messages.flatMap((message) =>
      message.role === "assistant"
        ? message.parts.map((part) => (part.kind === "tool_call" ? part.id : ""))
        : [],
    );
    expect(new Set(ids).size).toBe(6);

    fake.play({ kind: "answer", answer: { parts: [{ kind: "text", text: "Done." }] } });
    expect((await ask()).at(-1)).toEqual({ kind: "stop", reason: "end" });
  },
);
