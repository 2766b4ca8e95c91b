import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Engine } from "../engine.ts";
import { runs, say, says, setupMemoryHome } from "./memory-home.fixture.ts";
import { scanHome } from "./scan-home.fixture.ts";

const live = new AbortController().signal;

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

type World = Awaited<ReturnType<typeof setupMemoryHome>> & { readonly engine: Engine };

/** Every way in. Each is given the text with a name of its own behind it, which says where it is found afterwards. */
const WAYS: Readonly<Record<string, (world: World, mark: string) => Promise<unknown>>> = {
  message: ({ engine }, mark) => say(engine, "message", `Tell me about ${mark} please`),
  answer({ engine, answers }, mark) {
    answers.push(says(`It is ${mark}.`));
    return say(engine, "answer", "What is it?");
  },
  stranger: ({ engine }, mark) => say(engine, "stranger", `I am ${mark}`, { trust: "untrusted" }),
  async attachment({ engine }, mark) {
    const blob = await engine.blobs.put(bytesOf(`An attached file with ${mark} in it`), live);
    const attachment = { ...blob, name: "plan.txt", mimeType: "text/plain" };
    await say(engine, "attachment", "See the file", { attachments: [attachment] });
  },
  program({ engine, answers }, mark) {
    answers.push(runs(`const it = ${JSON.stringify(mark)}; return { it, again: it.repeat(400) };`));
    return say(engine, "program", "Run it");
  },
  todo({ engine, answers }, mark) {
    answers.push(
      runs(`return await tools.todo.write(${JSON.stringify({ items: [{ text: mark, status: "open" }] })});`),
    );
    return say(engine, "todo", "Put it on the list", { answer: "approved" });
  },
  note({ engine, answers }, mark) {
    answers.push(runs(`return await tools.memory.remember(${JSON.stringify({ text: `It is ${mark}` })});`));
    return say(engine, "note", "Note it", { answer: "approved" });
  },
  draft({ engine, answers }, mark) {
    const draft = { file: "MEMORY.md", text: `- ${mark}` };
    answers.push(runs(`return await tools.memory.propose(${JSON.stringify(draft)});`));
    return say(engine, "draft", "Propose it", { reason: `No, because of ${mark}` });
  },
  async noteFile({ directory }, mark) {
    mkdirSync(join(directory, "agents/main/memory/deep"), { recursive: true });
    writeFileSync(join(directory, "agents/main/memory/deep/plans.md"), `# Plans\nBuy ${mark}\nSleep\n`);
    appendFileSync(join(directory, "agents/main/MEMORY.md"), `\n- ${mark} of the house\n`);
  },
  async title({ engine }, mark) {
    const { session } = await say(engine, "title", "Something else");
    await engine.sessions.update(session, { title: `About ${mark}` }, "owner");
  },
  async fork({ engine }, mark) {
    const { session } = await say(engine, "fork", `Copy ${mark}`);
    await engine.sessions.fork(session, { key: "forked" });
  },
  async endedTask({ engine }, mark) {
    const task = await engine.tasks.create({ prompt: `Look for ${mark}` });
    await expect.poll(async () => (await engine.tasks.get(task.id))?.status).toBe("succeeded");
  },
  async cancelledTask({ engine }, mark) {
    const task = await engine.tasks.create({ prompt: `Every day ${mark}`, schedule: "daily at 9" });
    await engine.tasks.change(task.id, { kind: "edit", prompt: `Each day ${mark} edited` }, "owner");
    await engine.tasks.cancel(task.id, "owner");
  },
  async removedReminder({ engine }, mark) {
    const { id } = await engine.reminders.add({
      name: `To ${mark}`,
      text: mark,
      schedule: "daily at 9",
      from: "cli",
    });
    await engine.reminders.update(id, { text: `${mark} changed` });
    await engine.reminders.remove(id, "owner");
  },
  async report({ engine }, mark) {
    const payload = { state: mark, deep: [{ [mark]: 1 }] };
    await engine.inbox.accept({
      hookId: "hk1",
      hook: "builds",
      scheme: "standard",
      key: "k1",
      deliveryId: `d-${mark}`,
      contentType: "application/json",
      bytes: 10,
      sha256: createHash("sha256").update("x").digest("hex"),
      payload,
    });
  },
  async recalled({ engine, answers }, mark) {
    await engine.memory?.search({ query: mark }, live);
    answers.push(runs(`return await tools.memory.search({ query: ${JSON.stringify(mark)} });`));
    await say(engine, "recalled", "What was that about buying for the house plans?");
  },
};

/** What stays, since somebody still needs it: the answer says so, and how it can go. */
const NEEDED: Readonly<
  Record<string, readonly [plant: (world: World, mark: string) => Promise<unknown>, what: string]>
> = {
  "a task that is due": [
    ({ engine }, mark) => engine.tasks.create({ prompt: `Daily ${mark}`, schedule: "daily at 9" }),
    "task.created",
  ],
  "a reminder": [
    ({ engine }, mark) =>
      engine.reminders.add({ name: "Mind", text: `Mind ${mark}`, schedule: "daily at 9", from: "cli" }),
    "cron.added",
  ],
  "the key of a conversation": [({ engine }, mark) => say(engine, mark, "Hello there"), "session.started"],
  "the agents' copy of the files": [
    async ({ engine, answers }, mark) => {
      const file = { path: "made.md", content: mark };
      answers.push(runs(`return await tools.files.write(${JSON.stringify(file)});`));
      await say(engine, "file", "Write it", { answer: "approved" });
    },
    "workspace/",
  ],
};

test.each(["Zq8vKw3", 'Zq"8\\v Kw', "Zqä8字Kw"])(
  "[E600] a text that came in every way there is, is in no file of the home once it is forgotten: %s",
  async (text) => {
    const world = await setupMemoryHome();
    const engine = await world.open();
    let isOpen = true;
    onTestFinished(async () => {
      if (isOpen) await engine[Symbol.asyncDispose]();
    });
    for (const [name, plant] of Object.entries(WAYS)) await plant({ ...world, engine }, `${text}-${name}`);
    expect(scanHome(world.directory, text)).not.toEqual([]);
    const report = await engine.memory?.forget({ text }, "owner", live);
    expect.soft(scanHome(world.directory, text), "at once").toEqual([]);
    expect.soft(report?.kept, "nothing is kept").toEqual([]);
    expect(await engine.log.verify()).toMatchObject({ damage: [] });
    // Nothing that was only in memory comes back with the end of the process, or with the next one.
    await engine.tasks.create({ prompt: "Something else" });
    await engine[Symbol.asyncDispose]();
    isOpen = false;
    expect.soft(scanHome(world.directory, text), "after the end").toEqual([]);
    await using again = await world.open();
    await say(again, "message", "And now?");
    expect(JSON.stringify(await again.tasks.list())).not.toContain(text);
    expect(JSON.stringify(await again.memory?.search({ query: text }, live))).not.toContain(`${text}-`);
    expect.soft(scanHome(world.directory, text), "after a restart").toEqual([]);
  },
);

test.each(Object.entries(NEEDED))(
  "[E601] forgetting says that it must keep %s, and why",
  async (_, [plant, what]) => {
    const world = await setupMemoryHome();
    await using engine = await world.open();
    await plant({ ...world, engine }, "Zq8vKw3");
    const report = await engine.memory?.forget({ text: "Zq8vKw3" }, "owner", live);
    const found = report?.kept.filter((each) => each.what.startsWith(what)) ?? [];
    expect(found).not.toEqual([]);
    for (const { why } of found) expect(why).not.toBe("");
    // Each file that still has it is named.
    const named = new Set(report?.kept.map((each) => each.what));
    for (const place of scanHome(world.directory, "Zq8vKw3")) {
      const file = place.split(/[ :]/)[0]?.replace(/-wal$/, "") ?? "";
      expect([file, named.has(file)]).toEqual([file, true]);
    }
  },
);
