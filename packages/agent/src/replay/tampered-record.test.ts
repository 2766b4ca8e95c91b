import type { CellId } from "@deputy/kit";
import type { JournalEntry, NewEvent } from "@deputy/protocol";
import { expect, test } from "vitest";
import { readAll, SECRET } from "../agent.fixture.ts";
import { disagreements, program, rewrite, say, setUpRecording } from "./recording.fixture.ts";
import { endProgramPartsAfterwards } from "../program-parts.fixture.ts";

endProgramPartsAfterwards();

/** Two programs, each with calls; the first one's journal is changed. */
async function setup(code: string, change: (entries: readonly JournalEntry[]) => readonly JournalEntry[]) {
  const other = program("return (await tools.notes.write({ text: 'last' })).written;", "p2");
  const recording = setUpRecording([program(code), other, say("Done.")]);
  expect(await recording.answering(recording.start())).toEqual({ kind: "completed" });
  const [cellId] = await recording.cellIds();
  if (cellId === undefined) throw new Error("There should be a cell");
  await recording.tamper(cellId, change);
  return { ...recording, cellId };
}

const onlyKind =
  (kind: string, change: (entry: JournalEntry) => JournalEntry) =>
  (entries: readonly JournalEntry[]): readonly JournalEntry[] =>
    entries.map((entry) => (entry.kind === kind ? change(entry) : entry));

const TWO = `const a = await tools.notes.write({ text: "a" });
const b = await tools.notes.write({ text: "b" });
return [a.written, b.written];`;

test("[A82] a program that is not the submitted one is named; the others are told on their own", async () => {
  const { replay } = await setup(
    TWO,
    onlyKind("program", (entry) => rewrite(entry, '\\"b\\"', '\\"c\\"')),
  );
  const { turns, summary } = await replay();
  expect(turns[0]?.cells[0]?.outcome).toMatchObject({
    kind: "diverged",
    divergence: {
      seq: 4,
      what: "cell.submitted.code",
      expected: expect.stringContaining('text: "b"'),
      came: expect.stringContaining('text: "c"'),
    },
  });
  expect(turns[0]?.cells[1]?.outcome).toEqual({ kind: "agrees" });
  expect(summary).toMatchObject({ cells: 2, diverged: 1, notReplayable: 0 });
});

test("[A82] a result that is not the settled one is named, with its call", async () => {
  const { replay } = await setup(
    TWO,
    onlyKind("settled", (entry) => rewrite(entry, '\\"written\\":', '\\"written\\":4')),
  );
  const { turns } = await replay();
  expect(disagreements(turns)).toMatchObject([
    {
      kind: "diverged",
      divergence: {
        what: "call 1, notes.write, in the journal.preview",
        expected: '{"written":1}',
        came: '{"written":41}',
      },
    },
  ]);
});

test("[A82] an input, a tool or a status that is not the recorded one is named", async () => {
  for (const [from, to, what] of [
    ['"text":"a"', '"text":"z"', "call 1, notes.write, in the journal.input.text"],
    ['"toolPath":"notes.write"', '"toolPath":"notes.rite"', "call 1, notes.rite, in the journal.toolPath"],
    ['"status":"succeeded"', '"status":"denied"', "call 1, notes.write, in the journal.status"],
  ] as const) {
    const { replay } = await setup(TWO, (entries) => {
      const first = entries.find(({ kind }) => kind === "settled");
      return entries.map((entry) => (entry === first ? rewrite(entry, from, to) : entry));
    });
    expect(disagreements((await replay()).turns)).toMatchObject([{ kind: "diverged", divergence: { what } }]);
  }
});

test("[A82] settlements in another order are named", async () => {
  const { replay } = await setup(TWO, (entries) => [
    ...entries.filter(({ kind }) => kind === "program"),
    ...entries.filter(({ kind }) => kind === "settled").reverse(),
  ]);
  expect(disagreements((await replay()).turns)).toMatchObject([
    { kind: "diverged", divergence: { what: expect.stringMatching(/^call 2, notes.write/) } },
  ]);
});

/** Programs that do something else in 2001, to which their clock is then set back. */
const IN_2001 = Date.UTC(2001, 0, 1);
const then = "const isThen = new Date().getUTCFullYear() === 2001;\n";

test.each([
  [
    "another call",
    "return await (isThen ? tools.notes.write({ text: 'b' }) : tools.notes.write({ text: 'a' }));",
    { what: "call 1", expected: 'notes.write {"text":"a"}', came: 'notes.write {"text":"b"}' },
  ],
  [
    "another tool",
    "return (isThen ? await tools.notes.read({}) : await tools.notes.write({ text: 'a' }));",
    { what: "call 1", expected: 'notes.write {"text":"a"}', came: "notes.read {}" },
  ],
  [
    "a call more",
    "await tools.notes.read({}); if (isThen) await tools.notes.write({ text: 'more' }); return 1;",
    { what: "call 2", expected: "no such call", came: 'notes.write {"text":"more"}' },
  ],
  [
    "a call fewer",
    "if (!isThen) await tools.notes.write({ text: 'less' }); return 1;",
    { what: "call 1", expected: 'notes.write {"text":"less"}', came: "not made" },
  ],
  [
    "a call later",
    `const first = tools.notes.write({ text: "a" });
if (isThen) await first;
await Promise.all([first, tools.notes.write({ text: "b" })]);`,
    { what: "call 2", expected: "made before that", came: "made only after notes.write had settled" },
  ],
  ["another line", "console.log(isThen); return 1;", { what: "its log[0]", expected: "false", came: "true" }],
  [
    "another result",
    "return { deep: [isThen] };",
    { what: "cell.completed.result.deep[0]", expected: "false", came: "true" },
  ],
  [
    "a failure instead of a result",
    "if (isThen) throw new Error('now it fails'); return 1;",
    { what: "cell.completed.result", expected: "1", came: "nothing" },
  ],
  [
    "another failure",
    "throw new Error('in ' + isThen);",
    {
      what: "cell.completed.error.message",
      expected: expect.stringContaining("in false"),
      came: expect.stringContaining("in true"),
    },
  ],
] as const)(
  "[A82] a program that comes to %s is named, with what it did then and does now",
  async (_what, code, divergence) => {
    const { replay, world } = await setup(
      then + code,
      onlyKind("program", (entry) => {
        const { code: same } = JSON.parse(new TextDecoder().decode(entry.bytes)) as { code: string };
        const bytes = new TextEncoder().encode(JSON.stringify({ code: same, startedAtMs: IN_2001 }));
        return { ...entry, bytes };
      }),
    );
    const before = [...world];
    const { turns, summary } = await replay();
    expect(disagreements(turns)).toMatchObject([{ kind: "diverged", divergence }]);
    expect(summary).toMatchObject({ cells: 2, diverged: 1 });
    expect(world).toEqual(before);
  },
);

test("[A85] what is shown of a divergence is redacted", async () => {
  const { replay } = await setup(
    "return (await tools.notes.read({})).text.toUpperCase() ? [1] : [2];",
    onlyKind("settled", (entry) => rewrite(entry, "the key is", "a key is")),
  );
  const { turns } = await replay();
  expect(disagreements(turns)).toMatchObject([
    {
      divergence: {
        expected: expect.stringContaining("[redacted]"),
        came: expect.stringContaining("a key is"),
      },
    },
  ]);
  expect(JSON.stringify(turns)).not.toContain(SECRET);
});

test("[A83] a cell whose journal is gone, or lacks what a call gave, is not replayable; the rest agrees", async () => {
  const gone = await setup(TWO, () => []);
  const { turns, summary } = await gone.replay();
  expect(turns[0]?.cells.map(({ outcome }) => outcome)).toEqual([
    { kind: "not_replayable", why: "the journal has nothing of it" },
    { kind: "agrees" },
  ]);
  expect(summary).toMatchObject({ diverged: 0, notReplayable: 1 });
  const short = await setup(TWO, (entries) => entries.slice(0, -1).filter(({ kind }) => kind !== "image"));
  expect(disagreements((await short.replay()).turns)).toEqual([
    { kind: "not_replayable", why: "the journal lacks what call 2, notes.write, gave" },
  ]);
  const foreign = await setup(TWO, (entries) =>
    entries.map((entry) => ({ ...entry, bytes: new Uint8Array(1) })),
  );
  expect(disagreements((await foreign.replay()).turns)).toEqual([
    { kind: "not_replayable", why: "its journal is not one that this version can read" },
  ]);
});

test("[A83] a turn of which an event was erased is not replayable, and says which", async () => {
  const { replay, log, stream } = await setup(TWO, (entries) => entries);
  const event = (await readAll(log, stream)).find(({ type }) => type === "cell.submitted");
  if (event === undefined) throw new Error("There should be a cell");
  await log.erase(event.id, "me");
  const { turns, summary } = await replay();
  expect(turns[0]?.outcome).toEqual({
    kind: "not_replayable",
    why: `event ${event.seq}, cell.submitted, was erased`,
  });
  expect(summary.notReplayable).toBe(1);
});

/** A session written by hand: `events` follow on the user's message and `turn.started`. */
async function write(events: readonly NewEvent[]) {
  const recording = setUpRecording([]);
  const { log, stream, turnId, tell } = recording;
  await tell("Do it");
  const started = { type: "turn.started" as const, data: { agentId: "main", model: "test/script" } };
  await log.append(
    stream,
    [started, ...events].map((event): NewEvent => Object.assign({}, event, { turnId })),
  );
  return recording;
}

const usage = { inputTokens: 1, outputTokens: 1, modelCalls: 1 };
const answer = (throughSeq: number) => ({ usage, stop: "end", throughSeq });

test("[A82] an end that does not follow from the record is named", async () => {
  const { ids } = setUpRecording([]);
  const message = (seq: number): NewEvent => ({
    type: "assistant.message",
    data: { itemId: ids.next("item"), text: "Done.", answer: answer(seq) },
  });
  const miscounted = await write([
    message(2),
    { type: "turn.completed", data: { usage: { ...usage, inputTokens: 5 } } },
  ]);
  expect(disagreements((await miscounted.replay()).turns)).toEqual([
    {
      kind: "diverged",
      divergence: { seq: 4, what: "turn.completed.usage.inputTokens", expected: "5", came: "1" },
    },
  ]);
  const failed = await write([message(2), { type: "turn.failed", data: { code: "odd", message: "Odd." } }]);
  expect(disagreements((await failed.replay()).turns)).toMatchObject([
    {
      kind: "diverged",
      divergence: {
        what: "the next event",
        expected: "turn.failed",
        came: expect.stringMatching(/^turn.completed/),
      },
    },
  ]);
  const unseen = await write([message(0), { type: "turn.completed", data: { usage } }]);
  expect((await unseen.replay()).turns).toMatchObject([
    {
      outcome: { kind: "diverged", divergence: { what: "assistant.message.answer.throughSeq" } },
      modelCalls: [{ outcome: { divergence: { what: "what the model is told[0]", expected: "nothing" } } }],
    },
  ]);
});

test("[A83] what comes after a turn has parted from its record is not replayable", async () => {
  const { ids } = setUpRecording([]);
  const cellId: CellId = ids.next("cell");
  const said = { itemId: ids.next("item"), text: "Done.", answer: answer(2) };
  const code = { language: "javascript" as const, code: "return 1", sha256: "0".repeat(64) };
  const { replay } = await write([
    { type: "assistant.message", data: said },
    { type: "cell.submitted", data: { cellId, ...code, providerCallId: "p1", answer: answer(3) } },
  ]);
  const { turns } = await replay();
  expect(turns[0]?.outcome).toMatchObject({
    divergence: { what: "the next event", expected: "cell.submitted" },
  });
  expect(turns[0]?.cells[0]?.outcome).toEqual({
    kind: "not_replayable",
    why: "its turn parted from the record before it",
  });
});

test("[A83] an answer of a version that did not mark its end is not replayable", async () => {
  const { ids } = setUpRecording([]);
  const { replay } = await write([
    { type: "assistant.message", data: { itemId: ids.next("item"), text: "Done." } },
  ]);
  expect(disagreements((await replay()).turns)).toEqual([
    { kind: "not_replayable", why: "the answer at event 3 was recorded by an earlier version" },
  ]);
});
