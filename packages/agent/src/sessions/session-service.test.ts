import type { NewEvent } from "@deputy/protocol";
import { expect, test } from "vitest";
import { live, setUpSessions, TERMINAL } from "./sessions.fixture.ts";

test("[A46] a key opens the newest session with it, and a new one where there is none", async () => {
  const { sessions } = setUpSessions();
  const first = await sessions.open(TERMINAL, live);
  expect(first).toMatchObject({ kind: "started", session: TERMINAL });
  expect(await sessions.open(TERMINAL, live)).toEqual({ kind: "resumed", session: first.session });
  const second = await sessions.start(TERMINAL);
  expect(second.id).not.toBe(first.session.id);
  expect(await sessions.open(TERMINAL, live)).toEqual({ kind: "resumed", session: second });
  expect(await sessions.find(TERMINAL.key)).toEqual(second);
  expect(await sessions.find(first.session.id)).toEqual(first.session);
  expect(await sessions.find("telegram--1")).toBeUndefined();
});

test("[A46] who opens the same key at the same time gets the same session", async () => {
  const { sessions } = setUpSessions();
  const opened = await Promise.all(Array.from({ length: 20 }, () => sessions.open(TERMINAL, live)));
  expect(new Set(opened.map(({ session }) => session.id)).size).toBe(1);
  expect(opened.filter(({ kind }) => kind === "started")).toHaveLength(1);
});

test("[A46] another agent has another session, and a task's own is nobody else's", async () => {
  const { sessions, log, ids } = setUpSessions();
  const { session } = await sessions.open(TERMINAL, live);
  expect(await sessions.open({ ...TERMINAL, agentId: "clerk" }, live)).toMatchObject({ kind: "started" });
  const created = { taskId: ids.next("task"), kind: "one-shot" as const, prompt: "x", agentId: "main" };
  await log.append(ids.next("session"), [
    { type: "session.started", data: { ...TERMINAL, channel: "task" } },
    { type: "task.created", data: { ...created, sessionKey: TERMINAL.key } },
  ]);
  expect(await sessions.open(TERMINAL, live)).toMatchObject({ kind: "resumed", session: { id: session.id } });
});

test("[A46] the model that was chosen for a session is known, changed, given up, and goes along into copies", async () => {
  const { sessions, talk } = setUpSessions();
  const { id } = await sessions.start({ ...TERMINAL, model: "local/first" });
  expect(await sessions.find(id)).toMatchObject({ model: "local/first" });
  await sessions.update(id, { model: "local/second" }, "owner");
  await talk(id, "Who are you?", "The second.");
  const forked = await sessions.fork(id, {});
  expect(forked).toMatchObject({ kind: "forked", session: { model: "local/second" } });
  await sessions.update(id, { model: null }, "owner");
  expect(await sessions.find(id)).not.toHaveProperty("model");
});

test.each([
  ["```ts\nconst total = 1;\nexport { total };\n```", "const total = 1;"],
  ["Why does this fail?\n\n```\nnpm test\n```\nIt did not yesterday.", "Why does this fail?"],
  ["~~~ python\n\n  print(1)\n~~~", "print(1)"],
  ["```ts\nconst total = 1;\n```\n\nWhy does this fail?\nIt did not.", "Why does this fail?"],
  ["````md\n```\ninner\n```\n````\nExplain", "Explain"],
  ["```\nnever closed\nWhy?", "never closed"],
  ["Run ```ls -la``` please", "Run ls -la please"],
  ["First\nsecond", "First second"],
])(
  "[A47] the title of a message with code is the first line outside of fences, or else the code's first: %j",
  async (said, title) => {
    const { sessions, talk } = setUpSessions();
    const { id } = await sessions.start(TERMINAL);
    await talk(id, said, "Yes.");
    expect(await sessions.list()).toMatchObject([{ title }]);
  },
);

test("[A47] sessions are listed by what happened last, with their first words and counts", async () => {
  const { sessions, talk } = setUpSessions();
  const old = await sessions.start(TERMINAL);
  const recent = await sessions.start({ ...TERMINAL, key: "terminal--work" });
  const empty = await sessions.start({ ...TERMINAL, key: "terminal--empty" });
  await talk(recent.id, "What\n is   new?", "Nothing.");
  await talk(old.id, `${"long ".repeat(20)}question`, "Yes.");
  await talk(old.id, "And?", "No.");
  const listed = await sessions.list();
  expect(listed.map(({ id }) => id)).toEqual([old.id, recent.id, empty.id]);
  expect(listed).toMatchObject([
    { title: `${"long ".repeat(12)}…`, turns: 2, events: 9, key: "terminal--default", agentId: "main" },
    { title: "What is new?", turns: 1, events: 5 },
    { title: "", turns: 0, events: 1 },
  ]);
  expect((listed[0]?.lastAt ?? "") > (listed[0]?.startedAt ?? "")).toBe(true);
  expect(await sessions.list({ limit: 1 })).toHaveLength(1);
});

test("[A47] a search finds messages of both sides by all their words, the latest first", async () => {
  const { sessions, talk } = setUpSessions();
  const one = await sessions.start(TERMINAL);
  const two = await sessions.start({ ...TERMINAL, key: "terminal--two" });
  await talk(two.id, "Buy OAT milk", "Oat milk is on the list.");
  await talk(one.id, "No milk today", "Fine.");
  await talk(one.id, `${"x ".repeat(100)}the milk, and oats`, "Done.");
  const { hits, ended } = await sessions.search("milk  oat", {}, live);
  expect(ended).toBe("all_searched");
  expect(hits.map(({ session, role, seq }) => [session, role, seq])).toEqual([
    [one.id, "user", 6],
    [two.id, "assistant", 4],
    [two.id, "user", 2],
  ]);
  expect(hits[0]?.snippet).toMatch(/^…(x )+the milk, and oats$/);
  expect(await sessions.search("   ", {}, live)).toEqual({ hits: [], ended: "all_searched" });
});

test("[A47] a search is bounded, and says so", async () => {
  const { sessions, talk } = setUpSessions();
  const { id } = await sessions.start(TERMINAL);
  for (let n = 1; n <= 5; n++) await talk(id, `milk ${n}`, "…");
  const enough = await sessions.search("milk", { hits: 2 }, live);
  expect(enough).toMatchObject({ ended: "hit_limit", hits: [{ snippet: "milk 5" }, { snippet: "milk 4" }] });
  expect(await sessions.search("milk", { hits: 5 }, live)).toMatchObject({ ended: "all_searched" });
  const early = await sessions.search("milk", { events: 6 }, live);
  expect(early).toMatchObject({ ended: "event_limit", hits: [{ snippet: "milk 2" }, { snippet: "milk 1" }] });
  const stopped = AbortSignal.abort(new Error("enough"));
  await expect(sessions.search("milk", {}, stopped)).rejects.toThrow("enough");
});

test("[A47] what was erased is not found", async () => {
  const { sessions, talk, log, events } = setUpSessions();
  const { id } = await sessions.start(TERMINAL);
  await talk(id, "my secret wish", "Noted.");
  const said = (await events(id)).find(({ type }) => type === "user.message");
  await log.erase(said!.id, "me");
  expect(await sessions.search("wish", {}, live)).toMatchObject({ hits: [] });
  expect(await sessions.list()).toMatchObject([{ title: "" }]);
});

test("[A49] a transcript tells in order what was said and done", async () => {
  const { sessions, log, ids, begun, ended } = setUpSessions();
  const { id } = await sessions.start(TERMINAL);
  const [turnId, cellId, callId] = [ids.next("turn"), ids.next("cell"), ids.next("call")];
  const [single, inner] = [ids.next("cell"), ids.next("call")];
  const hash = "0".repeat(64);
  const program = {
    cellId,
    language: "typescript" as const,
    code: "return 1;",
    sha256: hash,
    providerCallId: "p",
  };
  const asked = {
    callId,
    cellId,
    index: 0,
    toolPath: "notes.write",
    input: { n: 1 },
    inputHash: hash,
    labels: [],
  };
  const settled = { callId, cellId, toolPath: "notes.write", attachments: [], labels: [], durationMs: 1 };
  const done: NewEvent[] = [
    { type: "cell.submitted", turnId, data: program },
    { type: "cell.checked", turnId, data: { cellId, diagnostics: [], attempt: 1 } },
    { type: "call.requested", turnId, data: asked },
    {
      type: "approval.resolved",
      turnId,
      data: { approvalId: callId, decision: "approved", by: "page", scope: "once" },
    },
    { type: "call.settled", turnId, data: { ...settled, status: "succeeded", preview: "written" } },
    { type: "cell.completed", turnId, data: { cellId, result: 1, logs: ["hm"], operations: [] } },
    {
      type: "cell.submitted",
      turnId,
      data: { ...program, cellId: single, call: { name: "search_tools", input: { query: "x" } } },
    },
    {
      type: "call.requested",
      turnId,
      data: { ...asked, callId: inner, cellId: single, toolPath: "deputy.searchTools" },
    },
    {
      type: "call.settled",
      turnId,
      data: {
        ...settled,
        callId: inner,
        cellId: single,
        toolPath: "deputy.searchTools",
        status: "failed",
        error: { code: "tool_failed", message: "no index" },
      },
    },
    { type: "cell.completed", turnId, data: { cellId: single, logs: [], operations: [] } },
    {
      type: "session.compacted",
      turnId,
      data: {
        fromSeq: 1,
        throughSeq: 2,
        summary: "S",
        archive: "log",
        labels: [
          { trust: "untrusted", source: "mail.read" },
          { trust: "trusted", source: "clock" },
        ],
      },
    },
  ];
  await log.append(id, [...begun("Do it", turnId), ...done, ...ended("Done.", turnId)]);
  const failed = ids.next("turn");
  await log.append(id, [
    { type: "turn.failed", turnId: failed, data: { code: "turn_limit", message: "Too long." } },
  ]);

  const lines = await Array.fromAsync(sessions.transcript(id, live));
  expect(lines.every(({ timestamp }) => !Number.isNaN(Date.parse(timestamp)))).toBe(true);
  expect(lines).toMatchObject([
    { type: "session", id, key: "terminal--default", seq: 1 },
    { role: "user", content: "Do it", sender: "owner", seq: 2 },
    { role: "tool_use", toolName: "run_code", callId: cellId, content: "return 1;" },
    { role: "tool_use", toolName: "notes.write", callId, content: '{"n":1}' },
    { type: "approval", callId, decision: "approved", by: "page" },
    { role: "tool_result", toolName: "notes.write", callId, content: "written" },
    { role: "tool_result", toolName: "run_code", callId: cellId, content: "hm\n1" },
    { role: "tool_use", toolName: "deputy.searchTools" },
    {
      role: "tool_result",
      toolName: "deputy.searchTools",
      content: "failed",
      error: { code: "tool_failed" },
    },
    { type: "compaction", summary: "S", archive: "log", foreign: ["mail.read"] },
    { role: "assistant", content: "Done." },
    { type: "turn", outcome: "failed", error: { code: "turn_limit" } },
  ]);
});

test("[A49] a program that did not typecheck has its problems as result", async () => {
  const { sessions, log, ids } = setUpSessions();
  const { id } = await sessions.start(TERMINAL);
  const cellId = ids.next("cell");
  const diagnostics = [{ line: 3, column: 1, code: "TS1", message: "No such name" }];
  await log.append(id, [{ type: "cell.checked", data: { cellId, diagnostics, attempt: 1 } }]);
  const lines = await Array.fromAsync(sessions.transcript(id, live));
  expect(lines.at(-1)).toMatchObject({
    content: "line 3: No such name",
    error: { code: "typecheck_failed" },
  });
});
