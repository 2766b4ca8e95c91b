import { storedBlobSchema, type StreamEvent } from "@deputy/protocol";
import { createResponseReducer } from "@deputy/protocol/projections";
import {
  responseSchema,
  streamEventSchema,
  submittedRunSchema,
  threadDetailSchema,
  threadListSchema,
} from "@deputy/protocol/wire";
import { expect, onTestFinished, test, vi } from "vitest";
import { startTestGateway } from "../test/gateway.fixture.ts";
import { readBlocks } from "../test/read-event-stream.ts";
import { untilAborted } from "../test/told-turns.ts";

interface Received {
  readonly id: string | undefined;
  readonly event: StreamEvent;
}

async function setup() {
  const gateway = await startTestGateway();
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const { fetch, post } = gateway;
  const submit = async (body: object) => {
    const response = await post("/api/v2/submit", body);
    expect(response.status).toBe(202);
    return submittedRunSchema.parse(await response.json());
  };
  const stream = async function* stream(runId: string, after?: string): AsyncGenerator<Received> {
    const headers = after === undefined ? {} : { "last-event-id": after };
    const response = await fetch(`/api/v2/stream/${runId}`, { headers });
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    for await (const block of readBlocks(response)) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data === undefined) continue;
      yield { id: /^id: (.*)$/m.exec(block)?.[1], event: streamEventSchema.parse(JSON.parse(data)) };
    }
  };
  const refused = async (body: object) => {
    const response = await post("/api/v2/submit", body);
    return [response.status, ((await response.json()) as { code: string }).code];
  };
  const upload = async (body: string): Promise<string> => {
    const headers = { "content-type": "application/octet-stream" };
    const response = await fetch("/api/blobs", { method: "POST", body, headers });
    return storedBlobSchema.parse(await response.json()).blobId;
  };
  const thread = async (id: string) =>
    threadDetailSchema.parse(await (await fetch(`/api/v2/threads/${id}`)).json());
  return { ...gateway, submit, stream, refused, upload, thread };
}

const typeOf = ({ event }: Received): string => event.payload.type;

test("[G40] a message begins a thread, and the next continues it", async () => {
  const { submit, stream, thread, model } = await setup();
  const first = await submit({ prompt: "One" });
  expect(first.turnId).toBe(first.runId);
  await Array.fromAsync(stream(first.runId));
  const second = await submit({ prompt: "Two", threadId: first.threadId });
  expect(second.threadId).toBe(first.threadId);
  expect(second.runId).not.toBe(first.runId);
  await Array.fromAsync(stream(second.runId));
  expect(model.asked[1]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  expect(await thread(first.threadId)).toMatchObject({ agent_id: "main", runs: 2, channel: "api" });
  const other = await submit({ prompt: "One", agentId: "helper" });
  expect((await thread(other.threadId)).agent_id).toBe("helper");
});

test("[G137] what a heartbeat asks its agent is no item of the thread; what the agent says to it is", async () => {
  const { submit, stream, thread, log, ids } = await setup();
  const { runId, threadId } = await submit({ prompt: "One" });
  await Array.fromAsync(stream(runId));
  const turnId = ids.next("turn");
  const asked = { attachments: [], channel: "heartbeat", sender: "heartbeat", trust: "untrusted" as const };
  await log.append(threadId, [
    { type: "user.message", turnId, data: { ...asked, text: "Tell the user, or say nothing." } },
    { type: "turn.started", turnId, data: { agentId: "main", model: "test/x" } },
    { type: "assistant.message", turnId, data: { itemId: ids.next("item"), text: "The build is done." } },
    { type: "turn.completed", turnId, data: { usage: { inputTokens: 1, outputTokens: 1, modelCalls: 1 } } },
  ]);
  const { responses } = await thread(threadId);
  expect(JSON.stringify(responses)).not.toContain("Tell the user");
  expect(responses.at(-1)?.output).toMatchObject([{ role: "assistant", text: "The build is done." }]);
});

test("[G120] a run's stream begins with its start, starts each item once, and ends with the whole Response", async () => {
  const { submit, stream, fetch } = await setup();
  const { runId, threadId } = await submit({ prompt: "One" });
  const received = await Array.fromAsync(stream(runId));
  expect(received.map(typeOf).slice(0, 2)).toEqual(["response_start", "item_start"]);
  const started = received.flatMap(({ event: { payload } }) =>
    payload.type === "item_start" ? [payload.item_id] : [],
  );
  expect(new Set(started).size).toBe(started.length);
  const last = received.at(-1)?.event.payload;
  const response = last?.type === "response_done" ? last.response : undefined;
  expect(response).toMatchObject({ id: runId, thread_id: threadId, status: "completed" });
  expect(response?.output.map((item) => item.type === "message" && item.role)).toEqual(["user", "assistant"]);
  expect(responseSchema.parse(await (await fetch(`/api/v2/runs/${runId}`)).json())).toEqual(response);
});

test("[G120] a run can be asked for at any time; another one there is not", async () => {
  const { submit, fetch } = await setup();
  const { runId } = await submit({ prompt: "One" });
  expect(await (await fetch(`/api/v2/runs/${runId}`)).json()).toMatchObject({ id: runId });
  expect((await fetch(`/api/v2/runs/trn_00000000000000000000000000`)).status).toBe(404);
  expect((await fetch("/api/v2/runs/nonsense")).status).toBe(404);
});

test("[G40] an acknowledged message is in the log, as the owner's words", async () => {
  const { submit, log } = await setup();
  const { runId, threadId } = await submit({ prompt: "One" });
  expect((await Array.fromAsync(log.read(threadId)))[1]).toMatchObject({
    type: "user.message",
    turnId: runId,
    data: { text: "One", sender: "owner", channel: "api", trust: "user" },
  });
});

test("[G40] [G48] attachments are in the log with their message", async () => {
  const { submit, upload, log } = await setup();
  const blobId = await upload("12345");
  const attachments = [{ blobId, name: "a.pdf", mimeType: "application/pdf" }];
  const { threadId } = await submit({ prompt: "Keep it", attachments });
  expect((await Array.fromAsync(log.read(threadId)))[1]).toMatchObject({
    type: "user.message",
    data: { text: "Keep it", attachments: [{ ...attachments[0], size: 5 }] },
  });
  await submit({
    prompt: "And these",
    threadId,
    attachments: Array.from({ length: 20 }, () => ({ blobId })),
  });
});

test("[G40] [G48] refuses invalid attachments by field, and begins nothing", async () => {
  const { post, upload, log } = await setup();
  const blobId = await upload("12345");
  const missing = "0".repeat(64);
  const before = (await Array.fromAsync(log.streams())).length;
  const refusal = async (...attachments: readonly object[]) => {
    const response = await post("/api/v2/submit", { prompt: "x", attachments });
    const { code, detail } = (await response.json()) as { code: string; detail: string };
    return `${response.status} ${code} ${detail}`;
  };
  expect(await refusal({ blobId }, { blobId: missing })).toBe(
    `404 not_found attachments.1.blobId: there is no attachment ${missing}`,
  );
  expect(await refusal({ blobId: "../token" })).toMatch(/^400 invalid_request attachments\.0\.blobId: /);
  expect(await refusal({ blobId, name: " " })).toBe("400 invalid_request attachments.0.name: is blank");
  expect(await refusal({ blobId, mimeType: "pdf\nx/y" })).toBe(
    "400 invalid_request attachments.0.mimeType: is no media type",
  );
  expect(await refusal({ blobId, size: 1 })).toMatch(/^400 invalid_request attachments\.0: /);
  expect(await refusal(...Array.from({ length: 21 }, () => ({ blobId })))).toMatch(
    /^400 invalid_request attachments: /,
  );
  expect((await Array.fromAsync(log.streams())).length).toBe(before);
});

test("[G40] refuses an invalid message and begins nothing", async () => {
  const { submit, refused, createTask, ids, log } = await setup();
  const task = await createTask();
  const { threadId } = await submit({ prompt: "One" });
  const count = async () => (await Array.fromAsync(log.streams())).length;
  const before = await count();
  expect(await refused({ prompt: "x", threadId: ids.next("session") })).toEqual([404, "not_found"]);
  expect(await refused({ prompt: "x", threadId: task.stream })).toEqual([400, "invalid_request"]);
  expect(await refused({ prompt: "x", threadId: "terminal--default" })).toEqual([400, "invalid_request"]);
  expect(await refused({ prompt: "x", threadId, agentId: "helper" })).toEqual([400, "invalid_request"]);
  expect(await refused({ prompt: "x", agentId: "nobody" })).toEqual([422, "unknown_agent"]);
  expect(await refused({ prompt: "x", sender: "root" })).toEqual([400, "invalid_request"]);
  expect(await count()).toBe(before);
});

test("[G41] streams a run live, piece by piece, to its end", async () => {
  const { submit, stream, model } = await setup();
  const more = Promise.withResolvers<void>();
  model.speak = async function* speak() {
    yield "Slowly it comes";
    await more.promise;
    yield ", but surely.";
  };
  const { runId, threadId } = await submit({ prompt: "One" });
  const received: Received[] = [];
  for await (const one of stream(runId)) {
    received.push(one);
    if (typeOf(one) === "item_delta") more.resolve();
  }
  expect(typeOf(received.at(-1)!)).toBe("response_done");
  expect(new Set(received.map(({ event }) => event.run_id))).toEqual(new Set([runId]));
  expect(new Set(received.map(({ event }) => event.trace.thread_id))).toEqual(new Set([threadId]));
  const deltas = received.filter((one) => typeOf(one) === "item_delta");
  expect(deltas.length).toBeGreaterThan(0);
  expect(deltas.every(({ id, event }) => id === undefined && event.seq === null)).toBe(true);
});

test("[G41] Last-Event-ID resumes exactly after any cut, and never shows another run", async () => {
  const { submit, stream } = await setup();
  const { runId, threadId } = await submit({ prompt: "One" });
  await Array.fromAsync(stream(runId));
  const { runId: later } = await submit({ prompt: "Two", threadId });
  await Array.fromAsync(stream(later));
  const whole = await Array.fromAsync(stream(runId));
  expect(whole.length).toBeGreaterThan(4);
  for (const [at, { id }] of whole.entries()) {
    if (id === undefined) continue;
    expect(await Array.fromAsync(stream(runId, id))).toEqual(whole.slice(at + 1));
  }
  expect((await Array.fromAsync(stream(later))).some(({ event }) => event.run_id !== later)).toBe(false);
});

test("[G41] resumes a running run in the middle without loss", async () => {
  const { submit, stream, model, thread } = await setup();
  const more = Promise.withResolvers<void>();
  model.speak = async function* speak() {
    yield "The first half";
    await more.promise;
    yield " and the other.";
  };
  const { runId, threadId } = await submit({ prompt: "One" });
  const reducer = createResponseReducer(runId);
  let cursor: string | undefined;
  for await (const { id, event } of stream(runId)) {
    cursor = id ?? cursor;
    reducer.apply(event);
    if (event.payload.type === "item_delta") break;
  }
  more.resolve();
  for await (const { event } of stream(runId, cursor)) reducer.apply(event);
  const [response] = (await thread(threadId)).responses;
  expect(reducer.response()).toEqual(response);
  expect(response?.output.map((item) => "text" in item && item.text)).toEqual([
    "One",
    "The first half and the other.",
  ]);
});

test("[G41] the stream of a stopped run ends with the reason", async () => {
  const { submit, stream, model, conversations } = await setup();
  model.speak = async function* speak(_request, signal) {
    yield "On and on";
    await untilAborted(signal);
  };
  const { runId } = await submit({ prompt: "One" });
  let last: StreamEvent | undefined;
  for await (const { event } of stream(runId)) {
    last = event;
    if (event.payload.type === "item_delta") await conversations.abort(runId, "owner");
  }
  expect(last?.payload).toMatchObject({ type: "response_error", status: "aborted" });
});

test.each(["99999", "-1", "x", "1e3", " "])("[G41] refuses an invalid cursor: %j", async (cursor) => {
  const { submit, fetch } = await setup();
  const { runId } = await submit({ prompt: "One" });
  const response = await fetch(`/api/v2/stream/${runId}`, { headers: { "last-event-id": cursor } });
  // Blanks around a header's value do not arrive, and an empty one is not a position either.
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
    400,
    "invalid_cursor",
  ]);
});

test.each(["trn_00000000000000000000000000", "nonsense", "__proto__"])(
  "[G41] [G42] reports as not found: %s",
  async (id) => {
    const { fetch } = await setup();
    expect((await fetch(`/api/v2/stream/${id}`)).status).toBe(404);
    expect((await fetch(`/api/v2/threads/${id}`)).status).toBe(404);
  },
);

test("[G42] lists threads, last used first, without those of tasks", async () => {
  const { submit, stream, createTask, fetch } = await setup();
  const a = await submit({ prompt: "The first\nof them" });
  await Array.fromAsync(stream(a.runId));
  const b = await submit({ prompt: "Second" });
  await Array.fromAsync(stream(b.runId));
  await createTask();
  const again = await submit({ prompt: "More", threadId: a.threadId });
  await Array.fromAsync(stream(again.runId));
  const list = async (query = "") =>
    threadListSchema.parse(await (await fetch(`/api/v2/threads${query}`)).json()).threads;
  await vi.waitFor(async () =>
    expect((await list()).map(({ title, runs }) => [title, runs])).toEqual([
      ["The first of them", 2],
      ["Second", 1],
    ]),
  );
  expect(await list("?limit=1")).toHaveLength(1);
  for (const limit of ["0", "-1", "x", "1000", ""])
    expect((await fetch(`/api/v2/threads?limit=${limit}`)).status).toBe(400);
});

test("[G42] a thread has its runs as Responses, only the last ones if there are many", async () => {
  const { submit, stream, thread, fetch } = await setup();
  const { runId, threadId } = await submit({ prompt: "One" });
  await Array.fromAsync(stream(runId));
  const next = await submit({ prompt: "Two", threadId });
  await Array.fromAsync(stream(next.runId));
  const whole = await thread(threadId);
  expect(whole.responses.map(({ id, status }) => [id, status])).toEqual([
    [runId, "completed"],
    [next.runId, "completed"],
  ]);
  expect(whole.has_more).toBe(false);
  expect(whole.responses[0]).toMatchObject({
    thread_id: threadId,
    usage: { inputTokens: 11, outputTokens: 7 },
  });
  const cut = threadDetailSchema.parse(await (await fetch(`/api/v2/threads/${threadId}?limit=1`)).json());
  expect([cut.responses.map(({ id }) => id), cut.has_more]).toEqual([[next.runId], true]);
});
