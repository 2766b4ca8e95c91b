import { expect, test, vi } from "vitest";
import { addNote } from "../outbox/add-note.ts";
import { EVERY_MS, MINUTE_MS, setUpHeartbeat } from "./heartbeat.fixture.ts";
import { processEnded } from "./system-event.ts";

const LOOK = "- Tell me when the build is red.";

test("[J94] asks the agent at intervals what HEARTBEAT.md says, and sends its answer to the owner", async () => {
  const { open, files, clock, begin, untilAsked, notes, ofType } = setUpHeartbeat();
  files.heartbeat = LOOK;
  const session = await begin("terminal--default");
  await open().heartbeat.start();
  await clock.advance(EVERY_MS);
  const asked = await untilAsked(1);
  expect(asked.said[0]).toContain(LOOK);
  expect(asked.said[0]).toContain("HEARTBEAT_OK");
  asked.answer("The build is red.");
  await vi.waitFor(async () =>
    expect(await ofType("system", "heartbeat.ended")).toMatchObject([{ outcome: "told" }]),
  );
  expect(await notes(session)).toEqual([{ from: "heartbeat", text: "The build is red." }]);
  await clock.advance(EVERY_MS);
  expect((await untilAsked(2)).said[0]).toContain(LOOK);
});

test("[J96] logs HEARTBEAT_OK and notifies nobody", async () => {
  const { open, files, clock, begin, untilAsked, notes, ofType } = setUpHeartbeat();
  files.heartbeat = LOOK;
  const session = await begin("terminal--default");
  await open().heartbeat.start();
  await clock.advance(EVERY_MS);
  (await untilAsked(1)).answer("**HEARTBEAT_OK**");
  await vi.waitFor(async () =>
    expect(await ofType("system", "heartbeat.ended")).toMatchObject([{ outcome: "silent" }]),
  );
  expect(await notes(session)).toEqual([]);
});

test("[J104] paused, it looks at nothing, in the next process too, until it is resumed", async () => {
  const { open, files, clock, asked, untilAsked, log } = setUpHeartbeat();
  files.heartbeat = LOOK;
  await log.append("system", [{ type: "heartbeat.paused", data: { by: "owner" } }]);
  await open().heartbeat.start();
  await clock.advance(3 * EVERY_MS);
  expect(asked).toEqual([]);
  await log.append("system", [{ type: "heartbeat.resumed", data: { by: "owner" } }]);
  await clock.advance(EVERY_MS);
  expect((await untilAsked(1)).said[0]).toContain(LOOK);
});

test("[J97] asks no model while HEARTBEAT.md asks for nothing, and logs why once", async () => {
  const { open, files, clock, asked, ofType } = setUpHeartbeat();
  files.heartbeat = "<!-- nothing yet -->";
  await open().heartbeat.start();
  await clock.advance(5 * EVERY_MS);
  expect(asked).toEqual([]);
  expect(await ofType("system", "heartbeat.skipped")).toEqual([
    { agentId: "main", reason: "HEARTBEAT.md asks for nothing" },
  ]);
});

test("[J97] with checks alone, asks a model only if a check has news or the file is new", async () => {
  const { open, files, clock, asked, untilAsked, ofType } = setUpHeartbeat();
  files.heartbeat = "- file notes.md changed\n- file other.md changed";
  await open().heartbeat.start();
  await clock.advance(EVERY_MS);
  (await untilAsked(1)).answer("HEARTBEAT_OK");
  await vi.waitFor(async () => expect(await ofType("system", "heartbeat.ended")).toHaveLength(1));
  await clock.advance(3 * EVERY_MS);
  expect(asked).toHaveLength(1);
  expect(await ofType("system", "heartbeat.skipped")).toMatchObject([
    { reason: expect.stringContaining("nothing to tell") as string },
  ]);
  files.states.set("notes.md", "changed at nine");
  await clock.advance(EVERY_MS);
  const second = await untilAsked(2);
  expect(second.said[0]).toContain("Since the last time: file notes.md changed.");
  second.answer("HEARTBEAT_OK");
  await vi.waitFor(async () => expect(await ofType("system", "heartbeat.ended")).toHaveLength(2));
  await clock.advance(2 * EVERY_MS);
  expect(asked).toHaveLength(2);
  files.heartbeat = "- file notes.md changed";
  await clock.advance(EVERY_MS);
  await untilAsked(3);
});

test("[J97] notices reports of hooks and failed tasks without a model", async () => {
  const { open, files, clock, log, ids, asked, untilAsked, ofType, begin } = setUpHeartbeat();
  files.heartbeat = "- hook builds reported\n- task any failed";
  await open().heartbeat.start();
  await clock.advance(EVERY_MS);
  (await untilAsked(1)).answer("HEARTBEAT_OK");
  await vi.waitFor(async () => expect(await ofType("system", "heartbeat.ended")).toHaveLength(1));
  const task = await begin("tasks--1");
  const taskId = ids.next("task");
  await log.append(task, [
    { type: "task.created", data: { taskId, kind: "one-shot", prompt: "Look", agentId: "main" } },
    { type: "task.completed", data: { taskId, outcome: "succeeded" } },
  ]);
  await clock.advance(EVERY_MS);
  expect(asked).toHaveLength(1);
  await log.append(task, [{ type: "task.completed", data: { taskId, outcome: "failed" } }]);
  await clock.advance(EVERY_MS);
  expect((await untilAsked(2)).said[0]).toContain("Since the last time: task any failed.");
});

test("[J98] looks at nothing outside of active hours, and catches up when they begin", async () => {
  // The clock begins at midnight.
  const { open, files, clock, asked, untilAsked } = setUpHeartbeat({ hours: "8-21" });
  files.heartbeat = LOOK;
  await open().heartbeat.start();
  await clock.advance(8 * 60 * MINUTE_MS - MINUTE_MS);
  expect(asked).toEqual([]);
  await clock.advance(MINUTE_MS);
  await untilAsked(1);
});

test("[J98] reports events at any time, even without regular looks", async () => {
  const { open, clock, begin, untilAsked, notes } = setUpHeartbeat({ regular: "off" });
  const session = await begin("terminal--default");
  const { heartbeat, reminders } = open();
  await heartbeat.start();
  await reminders.keep();
  await reminders.add({ name: "Tea", text: "It is ready", schedule: "in 3 minutes", from: session });
  await clock.advance(4 * MINUTE_MS);
  (await untilAsked(1)).answer("Your tea is ready.");
  await vi.waitFor(async () =>
    expect(await notes(session)).toEqual([{ from: "reminder", text: "Your tea is ready." }]),
  );
});

test("[J95] [J150] reports ended background commands in their own session, several at once, and repeats no note", async () => {
  const { open, clock, log, begin, asked, untilAsked, ofType } = setUpHeartbeat();
  const session = await begin("terminal--default");
  await open().heartbeat.start();
  for (const ref of ["p1", "p2"]) {
    const text = `The command ${ref} has ended.`;
    await addNote(log, session, { from: "process", text }, [processEnded({ ref, session, text })]);
  }
  await clock.advance(2_000);
  const first = await untilAsked(1);
  expect(first.said.join("\n")).toMatch(/p1[^]*p2[^]*come to an end, as noted above\./);
  expect(first.said.join("\n").match(/p[12]/g)).toEqual(["p1", "p2"]);
  first.answer("Both builds are through.");
  await vi.waitFor(async () =>
    expect(await ofType("system", "heartbeat.ended")).toMatchObject([{ outcome: "told" }]),
  );
  // It is already there, so it is not repeated.
  expect(await ofType(session, "outbox.sent")).toEqual([]);
  await clock.advance(5_000);
  expect(asked).toHaveLength(1);
});

test.each([
  ["work--1", [{ from: "heartbeat", text: "The build is through." }]],
  ["terminal--default", []],
])("[J95] an ended command of %s is told where messages go, too, and once", async (key, expected) => {
  const { open, clock, log, begin, untilAsked, notes, ofType } = setUpHeartbeat({
    deliverTo: "terminal--default",
  });
  const owner = await begin("terminal--default");
  const session = key === "terminal--default" ? owner : await begin(key);
  await log.append(session, [processEnded({ ref: "p1", session, text: "It ended." })]);
  await open().heartbeat.start();
  await clock.advance(2_000);
  (await untilAsked(1)).answer("The build is through.");
  await vi.waitFor(async () =>
    expect(await ofType("system", "heartbeat.ended")).toMatchObject([{ outcome: "told" }]),
  );
  expect(await notes(owner)).toEqual(expected);
});

test("[J95] needs no heartbeat for what the agent learned in a turn of its session", async () => {
  const { open, clock, log, begin, asked, untilAsked, ofType } = setUpHeartbeat();
  const session = await begin("terminal--default");
  const { heartbeat, queue } = open();
  await heartbeat.start();
  const said = { session, text: "Build it", channel: "test", sender: "owner", trust: "user" } as const;
  await queue.send(said);
  const first = await untilAsked(1);
  const text = "The command has ended.";
  await addNote(log, session, { from: "process", text }, [processEnded({ ref: "p1", session, text })]);
  await clock.advance(2_000);
  expect(asked).toHaveLength(1);
  first.answer("It is being built.");
  (await untilAsked(2)).answer("It is built.");
  await vi.waitFor(async () => {
    await clock.advance(1_000);
    expect(await ofType("system", "heartbeat.skipped")).toMatchObject([{ refs: ["p1"] }]);
  });
  expect(asked).toHaveLength(2);
});

test("[J95] drops the oldest of more than twenty waiting events, and tells the agent so", async () => {
  const { open, clock, log, begin, untilAsked } = setUpHeartbeat();
  const session = await begin("terminal--default");
  for (let n = 1; n <= 23; n++)
    await log.append(session, [processEnded({ ref: `p${n}`, session, text: `Command ${n}.` })]);
  await open().heartbeat.start();
  await clock.advance(2_000);
  const [prompt = ""] = (await untilAsked(1)).said;
  expect(prompt).toContain("(3 older ones were dropped.)");
  expect(prompt).not.toContain("Command 3.");
  expect(prompt.match(/Command \d+\./g)).toHaveLength(20);
});

test("[J95] reports a task's background commands in a session of the heartbeat's own", async () => {
  const { open, clock, log, ids, begin, untilAsked, notes, ofType } = setUpHeartbeat();
  const [owner, task] = [await begin("terminal--default"), await begin("tasks--1")];
  const created = { taskId: ids.next("task"), kind: "one-shot", prompt: "Look", agentId: "main" } as const;
  await log.append(task, [{ type: "task.created", data: created }]);
  await log.append(task, [processEnded({ ref: "p1", session: task, text: "It ended." })]);
  await open().heartbeat.start();
  await clock.advance(2_000);
  (await untilAsked(1)).answer("It is through.");
  await vi.waitFor(async () =>
    expect(await notes(owner)).toEqual([{ from: "heartbeat", text: "It is through." }]),
  );
  expect(await ofType(task, "user.message")).toEqual([]);
});

test("[J99] delivers a reminder with its own text if the agent could not be asked", async () => {
  const { open, clock, begin, untilAsked, notes } = setUpHeartbeat();
  const session = await begin("terminal--default");
  const { heartbeat, reminders } = open();
  await heartbeat.start();
  await reminders.keep();
  await reminders.add({ name: "Tea", text: "It is ready", schedule: "in 3 minutes", from: session });
  await clock.advance(4 * MINUTE_MS);
  (await untilAsked(1)).fail();
  await vi.waitFor(async () =>
    expect(await notes(session)).toEqual([{ from: "reminder", text: "Tea: It is ready" }]),
  );
});

test("[J99] stops a turn that takes too long, such as one that waits for an approval", async () => {
  const { open, files, clock, untilAsked, ofType, bugs } = setUpHeartbeat();
  files.heartbeat = LOOK;
  await open().heartbeat.start();
  await clock.advance(EVERY_MS);
  await untilAsked(1);
  await vi.waitFor(async () => {
    await clock.advance(10 * MINUTE_MS);
    expect(await ofType("system", "heartbeat.ended")).toMatchObject([{ outcome: "untold" }]);
  });
  expect(bugs).toEqual([]);
});

test("[J99] continues a heartbeat in which the process died: reported once, and not started again", async () => {
  const { open, files, clock, asked, begin, untilAsked, notes, ofType } = setUpHeartbeat();
  files.heartbeat = LOOK;
  const session = await begin("terminal--default");
  const first = open();
  await first.heartbeat.start();
  await clock.advance(EVERY_MS);
  await untilAsked(1);
  await first.close();
  expect(await ofType("system", "heartbeat.ended")).toEqual([]);

  const second = open();
  await second.queue.goOn([]);
  await second.heartbeat.start();
  (await untilAsked(2)).answer("The build is red.");
  await vi.waitFor(async () => expect(await ofType("system", "heartbeat.ended")).toHaveLength(1));
  await second.close();

  const third = open();
  await third.queue.goOn([]);
  await third.heartbeat.start();
  await clock.advance(5_000);
  expect(asked).toHaveLength(2);
  expect(await notes(session)).toEqual([{ from: "heartbeat", text: "The build is red." }]);
});

test("[J99] reports an answer from before a crash, under the same key", async () => {
  const { open, log, clock, sessions, ids, begin, notes, asked } = setUpHeartbeat();
  const session = await begin("terminal--default");
  const own = await sessions.start({ key: "heartbeat--main", agentId: "main", channel: "heartbeat" });
  const turnId = ids.next("turn");
  const usage = { inputTokens: 1, outputTokens: 1, modelCalls: 1 };
  await log.append(own.id, [
    { type: "heartbeat.began", turnId, data: { kind: "standard", agentId: "main", refs: [] } },
    { type: "turn.started", turnId, data: { agentId: "main", model: "m" } },
    { type: "assistant.message", turnId, data: { itemId: ids.next("item"), text: "The build is red." } },
    { type: "turn.completed", turnId, data: { usage } },
  ]);
  for (const process of [open(), open()]) {
    await process.queue.goOn([]);
    await process.heartbeat.start();
    await vi.waitFor(async () => expect(await notes(session)).toHaveLength(1));
    await clock.advance(2_000);
    await process.close();
  }
  expect(await notes(session)).toHaveLength(1);
  expect(asked).toEqual([]);
});

test("[J99] reports events that waited when the process died", async () => {
  const { open, clock, begin, untilAsked, notes } = setUpHeartbeat();
  const session = await begin("terminal--default");
  const first = open();
  await first.reminders.keep();
  await first.reminders.add({ name: "Tea", text: "It is ready", schedule: "in 3 minutes", from: session });
  await clock.advance(4 * MINUTE_MS);
  await first.close();
  const second = open();
  await second.heartbeat.start();
  await clock.advance(2_000);
  (await untilAsked(1)).answer("Tea!");
  await vi.waitFor(async () => expect(await notes(session)).toEqual([{ from: "reminder", text: "Tea!" }]));
});
