import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Model, ModelEvent, ModelRequest } from "@deputy/model";
import { type EventData, readEvent } from "@deputy/protocol";
import { expect, onTestFinished, test } from "vitest";
import { type Engine, openEngine } from "../engine.ts";
import { openHome } from "../home.ts";

const live = new AbortController().signal;

export const says = (text: string): ModelEvent[] => [
  { kind: "text", text },
  { kind: "stop", reason: "end" },
];
export const runs = (code: string): ModelEvent[] => [
  { kind: "tool_call", id: `c${Math.random()}`, name: "run_code", inputJson: JSON.stringify({ code }) },
  { kind: "stop", reason: "tool_calls" },
];

/** A home whose model says what it is told to, and what it was asked. */
async function setup(settings: object = {}) {
  const directory = mkdtempSync(join(tmpdir(), "memory-home-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const memory = { embeddingModel: "none", ...settings };
  writeFileSync(join(directory, "config.json"), JSON.stringify({ memory }), { mode: 0o600 });
  const asked: ModelRequest[] = [];
  const answers: ModelEvent[][] = [];
  const model: Model = {
    ref: { provider: "test", model: "script" },
    async *stream(request) {
      asked.push(request);
      yield* answers.shift() ?? says("Done.");
    },
  };
  const open = (): Promise<Engine> =>
    openEngine({
      home: openHome(directory, () => undefined),
      env: {},
      plugins: [],
      embedded: { model },
      secrets: [],
      signal: live,
      warn: () => undefined,
      onBug: (error) => {
        throw error;
      },
    });
  return { directory, asked, answers, open };
}

/** Says something in a conversation, and waits for the answer. Answers questions with yes, if told to. */
async function say(
  engine: Engine,
  key: string,
  text: string,
  more: { readonly answer?: "approved"; readonly trust?: "untrusted" } = {},
) {
  const { session } = await engine.sessions.open({ key, agentId: "main", channel: "cli" }, live);
  const before = (await engine.log.head(session.id))?.seq ?? 0;
  await engine.conversations.send({
    session: session.id,
    text,
    channel: "cli",
    sender: more.trust === undefined ? "owner" : "eve",
    trust: more.trust ?? "user",
  });
  const questions: string[] = [];
  for await (const item of engine.log.subscribe(session.id, { after: before }, live)) {
    if (item.kind !== "event") continue;
    const read = readEvent(item.event);
    if (read.kind !== "known") continue;
    const { event } = read;
    if (event.type === "approval.requested") {
      questions.push(JSON.stringify(event.data.preview));
      const decision = more.answer ?? "denied";
      await engine.approvals.resolve(event.data.approvalId, { decision }, "owner");
    }
    if (["turn.completed", "turn.failed", "turn.aborted"].includes(event.type)) {
      expect(event.type, JSON.stringify(event.data)).toBe("turn.completed");
      break;
    }
  }
  return { session: session.id, questions };
}

const lastText = (request: ModelRequest | undefined): string => JSON.stringify(request?.messages.at(-1) ?? "");

async function recalledIn(engine: Engine, session: Parameters<Engine["log"]["read"]>[0]) {
  const found: EventData<"memory.recalled">[] = [];
  for await (const stored of engine.log.read(session)) {
    const read = readEvent(stored);
    if (read.kind === "known" && read.event.type === "memory.recalled") found.push(read.event.data);
  }
  return found;
}

function filesHolding(directory: string, text: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text))
    .map((file) => file.slice(directory.length + 1));
}

test("[E200] what an agent remembers is recalled in another conversation, and forgotten without a trace", async () => {
  const { directory, asked, answers, open } = await setup();
  const engine = await open();
  onTestFinished(() => engine[Symbol.asyncDispose]());
  const fact = "The boiler man is Ivo Mrazquill.";
  answers.push(runs(`return await tools.memory.remember({ text: ${JSON.stringify(fact)} });`), says("Noted."));
  const first = await say(engine, "a", "Ivo Mrazquill repaired our boiler; remember who the boiler man is");
  expect(first.questions).toEqual([]);
  const noted = await engine.memory?.search({ query: "boiler man" }, live);
  expect(noted?.hits.map(({ source, foreign }) => [source, foreign]).sort()).toEqual([
    ["daily", []],
    ["session", []],
  ]);
  const second = await say(engine, "b", "Who repaired the boiler last time?");
  expect(await recalledIn(engine, second.session)).toMatchObject([{ forSeq: 2, hits: [{}] }]);
  expect(lastText(asked.at(-1))).toContain("Mrazquill");
  expect(lastText(asked.at(-1))).toContain("Recalled from your memory");
  expect(await recalledIn(engine, second.session)).toMatchObject([{ forSeq: 2 }]);
  // It is not recalled twice, nor is what was recalled found again.
  await say(engine, "b", "Which boiler man was it?");
  const found = await engine.memory?.search({ query: "Mrazquill" }, live);
  expect(found?.hits.filter(({ path }) => path === second.session)).toEqual([]);

  expect(filesHolding(directory, "Mrazquill")).not.toEqual([]);
  const wish = { person: "ivo mrazquill" };
  const preview = await engine.memory?.forget({ ...wish, dryRun: true }, "owner", live);
  expect(preview?.removed).toMatchObject({ lines: 1, recalled: 2 });
  const done = await engine.memory?.forget(wish, "owner", live);
  expect(done?.removed).toMatchObject({ lines: 1, recalled: 2, conversations: 2 });
  expect(done?.kept).toEqual([]);
  expect(filesHolding(directory, "Mrazquill")).toEqual([]);
  expect(await engine.memory?.search({ query: "boiler Mrazquill" }, live)).toMatchObject({
    hits: expect.not.arrayContaining([expect.objectContaining({ text: expect.stringContaining("Mrazquill") })]),
  });
  expect(await engine.log.verify()).toMatchObject({ damage: [] });
});
