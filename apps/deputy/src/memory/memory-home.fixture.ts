import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Model, ModelEvent, ModelRequest } from "@deputy/model";
import { type EventData, readEvent } from "@deputy/protocol";
import { expect, onTestFinished } from "vitest";
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
export async function setupMemoryHome(settings: object = {}) {
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
export async function say(
  engine: Engine,
  key: string,
  text: string,
  more: {
    readonly answer?: "approved";
    readonly trust?: "untrusted";
    readonly reason?: string;
    readonly attachments?: EventData<"user.message">["attachments"];
  } = {},
) {
  const { session } = await engine.sessions.open({ key, agentId: "main", channel: "cli" }, live);
  const before = (await engine.log.head(session.id))?.seq ?? 0;
  await engine.conversations.send({
    session: session.id,
    text,
    channel: "cli",
    sender: more.trust === undefined ? "owner" : "eve",
    trust: more.trust ?? "user",
    ...(more.attachments === undefined ? {} : { attachments: more.attachments }),
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
      const reason = more.reason === undefined ? {} : { reason: more.reason };
      await engine.approvals.resolve(event.data.approvalId, { decision, ...reason }, "owner");
    }
    if (["turn.completed", "turn.failed", "turn.aborted"].includes(event.type)) {
      expect(event.type, JSON.stringify(event.data)).toBe("turn.completed");
      break;
    }
  }
  return { session: session.id, questions };
}
