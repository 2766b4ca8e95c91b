import { createHash } from "node:crypto";
import { createSystemClock } from "@deputy/kit";
import { createModel, type ModelEvent } from "@deputy/model";
import { parseModelRef } from "@deputy/model/ref";
import {
  createFakeAnthropic,
  createFakeChat,
  createFakeResponses,
  FAKE_KEY,
  type FakeWire,
  openFakeModelServer,
} from "@deputy/testing";
import { expect, test } from "vitest";
import { live, readAll } from "../agent.fixture.ts";
import { program, say, setUpRecording } from "../replay/recording.fixture.ts";
import type { Surroundings } from "./facts.ts";
import { endProgramPartsAfterwards } from "../program-parts.fixture.ts";

endProgramPartsAfterwards();

const FALLBACK = { model: "test/other", instead: "test/script", code: "overloaded" };
const fell = (events: readonly ModelEvent[]): ModelEvent[] => [
  { kind: "answered_by", fallback: FALLBACK },
  ...events,
];
const price = (input: number) => ({ input, output: 0, cacheRead: input, cacheWrite: input });

test("[A240] an answer of a fallback says so in the log, costs what that costs, and is replayed", async () => {
  const prices = { "test/script": price(1), "test/other": price(1_000) };
  const recording = setUpRecording([fell(program("return 1")), say("One.")], { prices });
  await recording.start();
  const events = await readAll(recording.log, recording.stream);
  const answers = events.flatMap(({ data }) => {
    const { answer } = data as { readonly answer?: object };
    return answer === undefined ? [] : [answer];
  });
  expect(answers).toMatchObject([{ fallback: FALLBACK }, { usage: { inputTokens: 7 } }]);
  expect(answers[1]).not.toHaveProperty("fallback");
  const completed = events.find(({ type }) => type === "turn.completed");
  expect(completed?.data).toMatchObject({ cost: { amount: (10 * 1_000 + 7) / 1e6 } });
  expect((await recording.replay()).summary).toMatchObject({ diverged: 0 });
});

test("[A241] the model reasons as much as the session says, or its agent; a budget knows all prices", async () => {
  await using fake = await openFakeModelServer(createFakeResponses());
  const settings = { openaiApiKey: FAKE_KEY, openaiBaseUrl: `${fake.origin}/v1` };
  const clock = createSystemClock();
  const model = createModel(parseModelRef("openai/gpt-6-sol"), { settings, fetch, clock });
  for (const chosen of [{}, { effort: "low" as const }]) {
    await setUpRecording([], { model, effort: "high", chosen }).start();
  }
  expect(fake.requests.map(({ body }) => body["reasoning"])).toEqual([{ effort: "high" }, { effort: "low" }]);

  const fallbacks = [parseModelRef("nowhere/unpriced")];
  const budget = { costMicros: 1 };
  const unpriced = setUpRecording([], { model: { ...model, fallbacks }, budget });
  expect(await unpriced.start()).toMatchObject({ kind: "failed", code: "unknown_price" });
});

interface Wire {
  readonly name: string;
  readonly createFake: () => FakeWire;
  readonly settings: (origin: string) => object;
  /** The parts of a request in the order in which a cache reads them. */
  readonly parts: (body: Readonly<Record<string, unknown>>) => readonly unknown[];
}
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
const rows = (value: unknown) =>
  list(value) as readonly { readonly role?: string; readonly content?: unknown }[];

const wires: readonly Wire[] = [
  {
    name: "anthropic/claude-sonnet-5",
    createFake: createFakeAnthropic,
    settings: (origin) => ({ anthropicApiKey: FAKE_KEY, anthropicBaseUrl: origin }),
    parts: ({ tools, system, messages }) => [
      tools,
      system,
      ...rows(messages).flatMap(({ role, content }) => list(content).map((block) => [role, block])),
    ],
  },
  {
    name: "openai/gpt-6-sol",
    createFake: createFakeResponses,
    settings: (origin) => ({ openaiApiKey: FAKE_KEY, openaiBaseUrl: `${origin}/v1` }),
    parts: ({ tools, instructions, input }) => [tools, instructions, ...list(input)],
  },
  {
    name: "local/qwen3",
    createFake: createFakeChat,
    settings: (origin) => ({ localBaseUrl: origin }),
    parts: ({ tools, messages }) => [tools, ...list(messages)],
  },
];

test.each(wires)(
  "[A242] each prompt of a session to $name begins with all of the one before",
  async (wire) => {
    await using fake = await openFakeModelServer(wire.createFake());
    const clock = createSystemClock();
    const settings = wire.settings(fake.origin);
    const model = createModel(parseModelRef(wire.name), { settings, fetch, clock });
    let round = 0;
    const surroundings: Surroundings = {
      zone: "Europe/Vienna",
      now: () => Date.UTC(2026, 10, 17, 14, round),
      reporters: () => ({
        hooks: Array.from({ length: round }, (_, n) => `hook-${n}`),
        mailboxes: [],
        folders: [],
      }),
    };
    const recording = setUpRecording([], { model, surroundings });
    for (; round < 3; round++) {
      const code = `return ${round}`;
      fake.play({
        kind: "answer",
        answer: {
          parts: [
            { kind: "reasoning", text: `Thinking about ${round}` },
            { kind: "tool_call", name: "run_code", input: { code } },
          ],
        },
      });
      fake.play({ kind: "answer", answer: { parts: [{ kind: "text", text: `It is ${round}.` }] } });
      expect(await recording.start(live, recording.ids.next("turn"))).toMatchObject({ kind: "completed" });
    }
    const unmarked = (key: string, value: unknown) => (key === "cache_control" ? undefined : value);
    const prompts = fake.requests.map(({ body }) =>
      wire.parts(body).map((part) => JSON.stringify(part, unmarked)),
    );
    const hash = (parts: readonly unknown[]) => createHash("sha256").update(parts.join("\n")).digest("hex");
    expect(prompts).toHaveLength(6);
    for (const [at, prompt] of prompts.slice(1).entries()) {
      const before = prompts[at] ?? [];
      expect(prompt.length).toBeGreaterThan(before.length);
      expect(hash(prompt.slice(0, before.length))).toBe(hash(before));
    }
  },
);
