import type { StoredEvent } from "@deputy/protocol";
import { expect, test } from "vitest";
import { createTranscript } from "./reduce-transcript.ts";
import { saidInTurn } from "./said-in-turn.ts";

let seqs = 0;
const event = (type: string, data: unknown, turnId = "trn_1"): StoredEvent =>
  ({
    id: `evt_${(seqs += 1)}`,
    seq: seqs,
    stream: "ses_1",
    at: "2026-03-01T09:00:00.000Z",
    type,
    data,
    turnId,
  }) as never;

function conversation(): StoredEvent[] {
  seqs = 0;
  const said = { attachments: [], channel: "ws", sender: "owner", trust: "user" };
  const call = { callId: "cal_1", toolPath: "mail.send", input: { to: "a" } };
  return [
    event("user.message", { ...said, text: "Mail A", messageKey: "key-1" }),
    event("turn.started", { agentId: "main", model: "m" }),
    event("cell.submitted", { cellId: "cel_1", code: "await tools.mail.send({ to: 'a' });" }),
    event("cell.checked", { cellId: "cel_1", diagnostics: [], attempt: 1 }),
    event("call.requested", { ...call, cellId: "cel_1", index: 0 }),
    event("call.decided", { callId: "cal_1", decision: "ask", rule: "r", provenance: ["It asks."] }),
    event("approval.requested", { approvalId: "cal_1", preview: { title: "Send a mail" } }),
    event("approval.resolved", { approvalId: "cal_1", decision: "approved", by: "owner", scope: "once" }),
    event("call.started", { callId: "cal_1", toolPath: "mail.send" }),
    event("call.settled", {
      callId: "cal_1",
      status: "succeeded",
      preview: "ok",
      durationMs: 5,
      attachments: [],
    }),
    event("cell.completed", { cellId: "cel_1", logs: [], operations: [], result: 1 }),
    event("assistant.message", { itemId: "itm_1", text: "Done." }),
    event("turn.completed", { usage: { inputTokens: 3, outputTokens: 4, modelCalls: 1 } }),
  ];
}
const kinds = (transcript: ReturnType<typeof createTranscript>) => transcript.rows().map(({ kind }) => kind);

test("[W2] a program says which questions it waits for, until they are answered or its turn ends", () => {
  const asked = conversation().slice(0, 7);
  const waitsFor = (...more: readonly StoredEvent[]) => {
    const transcript = createTranscript();
    for (const one of [...asked, ...more]) transcript.apply(one);
    const [, activity] = transcript.rows();
    return activity?.kind === "activity" ? activity.cells.map(({ questions }) => questions) : undefined;
  };
  expect(waitsFor()).toEqual([["cal_1"]]);
  const answer = { approvalId: "cal_1", decision: "denied", by: "owner", scope: "once" };
  expect(waitsFor(event("approval.resolved", answer))).toEqual([[]]);
  expect(waitsFor(event("turn.aborted", { by: "owner" }))).toEqual([[]]);
});

test("[W2] events become rows: what was said, what was done, the question in its place, the answer", () => {
  const transcript = createTranscript();
  for (const one of conversation()) transcript.apply(one);
  expect(kinds(transcript)).toEqual(["said", "activity", "question", "answer"]);
  const [said, activity, question] = transcript.rows();
  expect(said).toMatchObject({ key: "key-1", text: "Mail A" });
  expect(activity).toMatchObject({
    isOpen: false,
    cells: [{ wasAsked: true, calls: [{ status: "succeeded", why: ["It asks."], preview: "ok" }] }],
  });
  expect(question).toMatchObject({ title: "Send a mail", answer: { decision: "approved" } });
  expect([transcript.openTurn(), transcript.tokens(), transcript.hasMessage("key-1")]).toEqual([
    undefined,
    7,
    true,
  ]);
});

test("[W2] whatever comes twice counts once, and a row that has not changed stays the same object", () => {
  const events = conversation();
  const once = createTranscript();
  for (const one of events) once.apply(one);
  const [first] = once.rows();
  for (const one of events) once.apply(one);
  expect(once.rows()).toHaveLength(4);
  expect(once.rows()[0]).toBe(first);
  expect(once.tokens()).toBe(7);
});

test("[W2] pieces of an answer are merged by their place; the whole answer takes their row", () => {
  const [said, started] = conversation();
  const transcript = createTranscript();
  for (const one of [said, started]) if (one !== undefined) transcript.apply(one);
  const piece = (offset: number, text: string): boolean =>
    transcript.applyDelta({ itemId: "itm_9", offset, text, at: "2026-03-01T09:00:01.000Z" });
  piece(0, "Hello ");
  piece(6, "wor");
  expect(piece(6, "world")).toBe(true);
  expect(piece(40, "lost")).toBe(false);
  expect(transcript.rows().at(-1)).toMatchObject({ kind: "answer", text: "Hello world", isStreaming: true });
  transcript.apply({ ...event("assistant.message", { itemId: "itm_9", text: "Hello world." }), seq: 3 });
  piece(11, "!!!");
  expect(transcript.rows().at(-1)).toMatchObject({ text: "Hello world.", isStreaming: false });
  expect(kinds(transcript)).toEqual(["said", "answer"]);
});

test("[W2] earlier events go above, and change nothing below", () => {
  const events = conversation();
  const transcript = createTranscript();
  const later = {
    ...event(
      "user.message",
      { text: "Next", attachments: [], channel: "ws", sender: "owner", trust: "user" },
      "trn_2",
    ),
  };
  transcript.apply(later);
  transcript.prepend(events);
  expect(kinds(transcript)).toEqual(["said", "activity", "question", "answer", "said"]);
  expect([transcript.openTurn(), transcript.lastSeq()]).toEqual(["trn_2", later.seq]);
});

test("[W2] an erased event shows nothing, and a stopped turn leaves what was written", () => {
  const [said, started] = conversation();
  const transcript = createTranscript();
  if (said !== undefined) transcript.apply({ ...said, data: null });
  if (started !== undefined) transcript.apply(started);
  transcript.applyDelta({ itemId: "itm_3", offset: 0, text: "Half", at: "2026-03-01T09:00:01.000Z" });
  transcript.apply({ ...event("turn.aborted", { by: "owner" }), seq: 3 });
  expect(transcript.rows()).toMatchObject([
    { kind: "answer", text: "Half", isStreaming: false },
    { kind: "end", how: "aborted", text: "You stopped it." },
  ]);
});

test("[W2] what was recalled for a message stands below it; what was erased or found nothing shows nothing", () => {
  const transcript = createTranscript();
  seqs = 0;
  const hit = { source: "notes", path: "main/memory/house.md", lines: "1", text: "Ivo", why: "has ivo" };
  const said = { attachments: [], channel: "ws", sender: "owner", trust: "user", text: "Who is Ivo?" };
  transcript.apply(event("user.message", said));
  transcript.apply(event("memory.recalled", { forSeq: 1, by: "words", hits: [], note: "Too slow" }));
  transcript.apply(event("memory.recalled", null));
  transcript.apply(event("memory.recalled", { forSeq: 1, by: "words", hits: [hit] }));
  expect(kinds(transcript)).toEqual(["said", "recalled"]);
  expect(transcript.rows()[1]).toMatchObject({ hits: [hit] });
});

test("a heartbeat's own prompt is nobody's message, and a note is Deputy's", () => {
  const transcript = createTranscript();
  const said = { attachments: [], sender: "heartbeat", trust: "user" };
  transcript.apply(event("user.message", { ...said, channel: "heartbeat", text: "Look after things." }));
  transcript.apply(
    event("user.message", { ...said, channel: "note", sender: "process", text: "It has ended." }),
  );
  expect(transcript.rows()).toMatchObject([{ kind: "note", from: "process", text: "It has ended." }]);
});

test("[W58] what is said while an answer is being written stands below it: live, after a look elsewhere, and read from the log", () => {
  seqs = 0;
  const id = (kind: string, at: number) => `${kind}_01K0000000000000000000000${at}`;
  const said = { attachments: [], channel: "ws", sender: "owner", trust: "user" };
  const made = (at: number, one: StoredEvent) => ({ ...one, id: id("evt", at) }) as StoredEvent;
  const first = made(1, event("user.message", { ...said, text: "First", messageKey: "key-1" }));
  const started = event("turn.started", { agentId: "main", model: "m" });
  const aside = made(3, event("user.message", { ...said, text: "Aside", messageKey: "key-2" }));
  const recalled = event("memory.recalled", {
    forSeq: 3,
    by: "words",
    hits: [{ source: "notes", path: "a.md", lines: "1", text: "A", why: "has a" }],
  });
  const usage = { inputTokens: 1, outputTokens: 1, modelCalls: 1 };
  const answer = { usage, stop: "end", throughSeq: started.seq };
  const piece = { itemId: id("itm", 2), offset: 0, text: "It begins", at: "2026-03-01T09:00:01.000Z" };
  const whole = event("assistant.message", { itemId: piece.itemId, text: "It begins. " });
  const program = event("cell.submitted", { cellId: "cel_1", code: "1", answer });
  const next = event("assistant.message", {
    itemId: id("itm", 4),
    text: "Heard.",
    answer: { ...answer, throughSeq: program.seq },
  });
  const rest = [whole, program, next];
  const read = (transcript: ReturnType<typeof createTranscript>) =>
    transcript.rows().map((row) => ("text" in row ? row.text.trim() : row.kind));
  const settled = ["First", "It begins.", "activity", "Aside", "recalled", "Heard."];

  const stored = createTranscript();
  for (const one of [first, started, aside, recalled, ...rest]) stored.apply(one);
  expect(read(stored)).toEqual(settled);

  const live = createTranscript();
  for (const one of [first, started]) live.apply(one);
  live.applyDelta(piece);
  for (const one of [aside, recalled]) live.apply(one);
  expect(read(live)).toEqual(["First", "It begins", "Aside", "recalled"]);
  for (const one of rest) live.apply(one);
  expect(read(live)).toEqual(settled);

  const late = createTranscript();
  for (const one of [first, started, aside]) late.apply(one);
  late.applyDelta(piece);
  expect(read(late)).toEqual(["First", "It begins", "Aside"]);
  late.applyDelta({ ...piece, offset: 9, text: "." });
  for (const one of [recalled, ...rest]) late.apply(one);
  expect(read(late)).toEqual(settled);
});

test("[W59] what was thought stands above the answer; the same request after a failure is not said once more", () => {
  seqs = 0;
  const said = { attachments: [], channel: "ws", sender: "owner", trust: "user", text: "Why?" };
  const transcript = createTranscript();
  const apply = (type: string, data: unknown, turnId?: string): void =>
    transcript.apply(event(type, data, turnId));
  apply("user.message", { ...said, messageKey: "key-1" });
  apply("turn.failed", { code: "x", message: "It broke." });
  apply("user.message", { ...said, messageKey: "key-2" }, "trn_2");
  apply("turn.started", { agentId: "main", model: "m" }, "trn_2");
  transcript.applyDelta({ itemId: "itm_9", offset: 0, text: "Because", at: "2026-03-01T09:00:01.000Z" });
  apply("assistant.reasoning", { itemId: "itm_0", text: "Hm." }, "trn_2");
  apply("assistant.message", { itemId: "itm_9", text: "Because." }, "trn_2");
  apply("turn.completed", { usage: { inputTokens: 1, outputTokens: 1, modelCalls: 1 } }, "trn_2");
  expect(transcript.rows()).toMatchObject([
    { kind: "said" },
    { kind: "end" },
    { kind: "said", isAgain: true },
    { kind: "activity", thoughts: ["Hm."] },
    { kind: "answer", text: "Because." },
  ]);
  apply("user.message", { ...said, messageKey: "key-3" }, "trn_3");
  expect(transcript.rows().at(-1)).not.toHaveProperty("isAgain");
});

test("[W60] what was said in the midst of a turn is said again with what it was said into", () => {
  seqs = 0;
  const said = { attachments: [], channel: "ws", sender: "owner", trust: "user" };
  const transcript = createTranscript();
  for (const [text, turn] of [
    ["Before", "trn_0"],
    ["List them", "trn_1"],
    ["Only the old ones", "trn_1"],
  ] as const)
    transcript.apply(event("user.message", { ...said, text }, turn));
  const again = transcript
    .rows()
    .map((row) => (row.kind === "said" ? saidInTurn(transcript.rows(), row) : row));
  expect(again).toMatchObject([
    { seq: 1, text: "Before" },
    { seq: 2, text: "List them" },
    { seq: 2, text: "List them\n\nOnly the old ones" },
  ]);
});

test("[W26] a turn whose budget is spent says what can be done about it; other failures say what happened", () => {
  const failed = (code: string) => {
    const transcript = createTranscript();
    transcript.apply(event("turn.failed", { code, message: "It stopped." }));
    return transcript.rows();
  };
  expect(failed("budget_spent")).toMatchObject([
    { kind: "end", text: expect.stringMatching(/^It stopped\..*Raise the budget in the settings/) },
  ]);
  expect(failed("x")).toMatchObject([{ kind: "end", text: "It stopped." }]);
});
