import { expect, test } from "vitest";
import { openBuiltins } from "../builtins.fixture.ts";
import type { OwnServices } from "./own-services.ts";
import type { ListedTask } from "./task-tools.ts";

const task = (id: string, status: ListedTask["status"]): ListedTask => ({
  id,
  status,
  prompt: "Tidy up",
  agentId: "main",
  createdAt: "2026-01-02T03:04:05.000Z",
});
const reminder = {
  id: "rem_1",
  name: "Standup",
  text: "Say so",
  runs: "every weekday at 09:00, UTC",
  isEnabled: true,
  nextAt: "2026-01-05T09:00:00.000Z",
};
const line = { seq: 3, at: "2026-01-02T03:04:05.000Z", kind: "user", text: "send it to mallory" } as const;

async function setup() {
  const asked: unknown[] = [];
  const services: OwnServices = {
    tasks: {
      create: async (request) => (asked.push(request), task("tsk_2", "running")),
      createRepeating: async (request) => (
        asked.push(request),
        { ...task("tsk_3", "scheduled"), runs: "every day at 09:00, UTC", next: ["2026-01-03T09:00:00.000Z"] }
      ),
      whyNeverReported: (name) => (name === "builds" ? undefined : `Nothing is called ${name}`),
      finish: async (session) => (session === "ses_1" ? "finishing" : "not_recurring"),
      list: async () => [task("tsk_2", "running"), task("tsk_1", "failed")],
      cancel: async (id) => (id === "tsk_1" ? "cancelled" : "unknown"),
      history: async (id) => (id === "tsk_1" ? [line] : undefined),
    },
    sessions: {
      list: async () => [],
      read: async (session) =>
        session === "work" ? { id: "ses_1", key: "work", lines: [line], isCut: false } : undefined,
      search: async () => [],
      send: async (message) => (
        asked.push(message),
        message.session === "work" ? { session: "ses_1" } : undefined
      ),
    },
    reminders: {
      add: async (request) => (asked.push(request), reminder),
      list: async () => [reminder],
      update: async (id, change) => (asked.push(change), id === "rem_1" ? reminder : undefined),
      remove: async (id) => id === "rem_1",
    },
    memory: {
      search: async (request) => (
        asked.push(request),
        {
          hits: [
            {
              source: "notes",
              path: "main/memory/keys.md",
              lines: "1-2",
              about: "[memory/keys.md]",
              text: "The key is under the mat",
              score: 1,
            },
          ],
          by: "words",
        }
      ),
      remember: async (fact, by) => (
        asked.push({ fact, by }),
        { path: "main/memory/2026-01-02.md", superseded: false }
      ),
      draft: async ({ file, text, replaces }, { toldBy }) => ({
        path: `main/${file}`,
        before: "Old\n",
        after: replaces === undefined ? `Old\n${text} ${toldBy.join()}\n` : `${text}\n`,
        isAddition: replaces === undefined,
      }),
      write: async (proposal, by) => (asked.push({ proposal, by }), { path: `main/${proposal.file}` }),
      isSaid: async (_session, text, how) => text === "I like tea" || (how === "words" && text === "like I"),
      previewForget: async () => "Would remove: 1 line of notes.",
      forget: async (wish) => (asked.push(wish), "Removed: 1 line of notes."),
    },
    hooks: {
      list: async () => [{ name: "builds", kind: "hook", about: "signed (github)" }],
      whyNot: ({ name }) => (name === "builds" ? "There is already a hook builds" : undefined),
      create: async (wish) => (asked.push(wish), { next: "The user runs `deputy hooks renew orders`" }),
    },
    todo: async () => [{ text: "one", status: "done" }],
  };
  return { ...(await openBuiltins({}, {}, () => services)), asked };
}

test("[TD1] the memory of the session's agent is searched without asking, and what comes back is not trusted", async () => {
  const { toolAt, call, asked } = await setup();
  expect(toolAt("memory.search")).toMatchObject({ approval: "auto", effect: "read", trust: "untrusted" });
  expect(await call("memory.search", { query: "the key", maxResults: 3 })).toMatchObject({
    hits: [{ path: "main/memory/keys.md", lines: "1-2" }],
    by: "words",
  });
  expect(asked).toEqual([{ session: "session", query: "the key", maxResults: 3 }]);
  expect((await toolAt("memory.search").parseInput({ query: "" })).kind).toBe("invalid");
});

test("[TD9] a fact is noted without asking, unless others' text was read that it could be from", async () => {
  const { toolAt, call, asked } = await setup();
  const tool = toolAt("memory.remember");
  const terms = async (text: string, untrusted?: readonly string[]) =>
    (await tool.termsOf?.({ text }, { session: "ses_1", untrusted }))?.approval;
  expect([await terms("Tea is green", []), await terms("Tea is green", ["mail eve"])]).toEqual([
    "auto",
    "required",
  ]);
  expect([await terms("I like tea", ["mail eve"]), await terms("I like tea")]).toEqual(["auto", "required"]);
  const instead = { text: "I like tea", supersedes: "The landlord is Bob" };
  const place = { session: "ses_1", untrusted: ["mail eve"] };
  expect(await tool.termsOf?.(instead, place)).toMatchObject({ approval: "required" });
  expect(await tool.termsOf?.(instead, { ...place, untrusted: [] })).toMatchObject({ approval: "auto" });
  expect((await tool.preview({ text: "Pay eve" }, { untrusted: ["mail eve"] })).details).toContain(
    "mail eve",
  );
  await call("memory.remember", { text: "Tea is green" });
  expect(asked).toMatchObject([{ by: { toldBy: ["unknown"] } }]);
});

test("[TD9] what is in every prompt changes unasked by the user's own words alone, and never after others' text was read", async () => {
  const { toolAt } = await setup();
  const tool = toolAt("memory.propose");
  const terms = async (more: object, untrusted: readonly string[] = []) => {
    const input = { file: "USER.md", text: "like I", ...more };
    return (await tool.termsOf?.(input, { session: "ses_1", untrusted }))?.approval;
  };
  expect(await terms({})).toBe("auto");
  expect(await terms({ text: "Likes tea" })).toBe("required");
  expect(await terms({}, ["mail eve"])).toBe("required");
  expect(await terms({ replaces: "Old" })).toBe("required");
  expect(await terms({ file: ".claude/skills/tea/SKILL.md" })).toBe("auto");
  expect(await terms({ file: ".claude/skills/tea/SKILL.md" }, ["mail eve"])).toBe("required");
  expect((await tool.parseInput({ file: "AGENTS.md", text: "x" })).kind).toBe("invalid");
  expect((await tool.parseInput({ file: "skills/../SKILL.md/SKILL.md", text: "x" })).kind).toBe("invalid");
  const card = await tool.preview(
    { file: "USER.md", text: "Tea" },
    { session: "ses_1", untrusted: ["mail eve"] },
  );
  expect(card.title).toBe("Change USER.md");
  expect(JSON.stringify(card)).toContain("+Tea mail eve");
});

test("[TD9] forgetting destroys, and asks with what it would remove", async () => {
  const { toolAt, call } = await setup();
  expect(toolAt("memory.forget")).toMatchObject({
    approval: "required",
    effect: "destructive",
    grantable: "input",
  });
  expect((await toolAt("memory.forget").preview({ text: "tea" })).details).toContain("1 line of notes");
  expect(await call("memory.forget", { text: "tea" })).toEqual({ done: "Removed: 1 line of notes." });
  expect((await toolAt("memory.forget").parseInput({})).kind).toBe("invalid");
});

test("[TD6] a reminder is set with a yes to its text, whole, and to when; and says which session asked", async () => {
  const { toolAt, call, asked } = await setup();
  const add = toolAt("cron.add");
  expect(add).toMatchObject({ approval: "required", effect: "write", grantable: "input", idempotent: false });
  const input = { name: "Standup", text: "Say so\nsecond line", schedule: "weekdays at 9" };
  expect((await add.preview(input)).title).toContain("09:00");
  expect((await add.preview(input)).details).toContain("Say so\nsecond line");
  expect(await call("cron.add", input)).toEqual(reminder);
  expect(asked).toEqual([{ ...input, from: "session" }]);
  expect((await add.parseInput({ ...input, schedule: "now and then" })).kind).toBe("invalid");
});

test("[TD6] reminders are listed, and changed and removed with a yes; none that is not there", async () => {
  const { toolAt, call } = await setup();
  expect(await call("cron.list", {})).toEqual([reminder]);
  const change = { id: "rem_1", text: "Sit down", schedule: "every 2h", isEnabled: false };
  expect(toolAt("cron.update").approval).toBe("required");
  expect((await toolAt("cron.update").preview(change)).details).toMatch(
    /2 hours[^]*Switched off[^]*Sit down/,
  );
  expect(await call("cron.update", change)).toEqual(reminder);
  await expect(call("cron.update", { id: "rem_2", name: "x" })).rejects.toMatchObject({
    code: "reminder_not_found",
  });
  expect(toolAt("cron.remove").approval).toBe("required");
  expect(await call("cron.remove", { id: "rem_1" })).toEqual({ removed: true });
  expect(await call("cron.remove", { id: "rem_2" })).toEqual({ removed: false });
});

test("[TD2] a task is started only with a yes to its prompt, whole, and says which session asked", async () => {
  const { toolAt, call, asked } = await setup();
  const create = toolAt("tasks.create");
  expect(create).toMatchObject({
    approval: "required",
    effect: "write",
    grantable: "input",
    idempotent: false,
  });
  expect((await create.preview({ prompt: "Mail ada\nsecond line" })).details).toContain(
    "Mail ada\nsecond line",
  );
  expect(await call("tasks.create", { prompt: "Tidy up" })).toMatchObject({ id: "tsk_2" });
  expect(asked).toEqual([{ prompt: "Tidy up", from: "session" }]);
});

test("[TD2] a task that runs later is started only with a yes to when and to its prompt, and is read back", async () => {
  const { toolAt, call, asked } = await setup();
  for (const path of ["tasks.createRecurring", "tasks.createEventTrigger"])
    expect(toolAt(path)).toMatchObject({ approval: "required", effect: "write", idempotent: false });
  const daily = { prompt: "Look\nwell", schedule: "0 9 * * * Europe/Vienna" };
  expect(await toolAt("tasks.createRecurring").preview(daily)).toMatchObject({
    title: "Start a task that runs every day at 09:00, Europe/Vienna",
    details: expect.stringContaining("Look\nwell"),
  });
  expect(await call("tasks.createRecurring", daily)).toMatchObject({
    status: "scheduled",
    runs: "every day at 09:00, UTC",
    next: ["2026-01-03T09:00:00.000Z"],
  });
  const onBuilds = { prompt: "Look", hook: "builds", filter: { state: "failed" } };
  await call("tasks.createEventTrigger", onBuilds);
  expect(asked).toEqual([
    { prompt: daily.prompt, when: { schedule: daily.schedule }, from: "session" },
    { prompt: "Look", when: { hook: "builds", filter: { state: "failed" } }, from: "session" },
  ]);
});

test("[TD2] nobody is asked about a task that waits for what does not exist", async () => {
  const { toolAt } = await setup();
  const parsed = await toolAt("tasks.createEventTrigger").parseInput({ prompt: "Look", hook: "inbox" });
  expect(parsed).toMatchObject({
    kind: "invalid",
    message: expect.stringContaining("Nothing is called inbox"),
  });
});

test.each(["0 9 * *", "every blue moon", "0 0 30 2 *", "0 9 * * * Mars/Olympus"])(
  "[TD2] nobody is asked about “%s”, which is no schedule",
  async (schedule) => {
    const { toolAt } = await setup();
    expect((await toolAt("tasks.createRecurring").parseInput({ prompt: "Look", schedule })).kind).toBe(
      "invalid",
    );
  },
);

test.each(["tomorrow at 9", "next monday at 9:30", "tomorrow noonish", "every day"])(
  "[TD28] “%s” is refused with the forms that are understood",
  async (schedule) => {
    const { toolAt } = await setup();
    for (const [path, input] of [
      ["tasks.createRecurring", { prompt: "Look" }],
      ["cron.add", { name: "Tea", text: "Drink" }],
    ] as const)
      expect(await toolAt(path).parseInput({ ...input, schedule })).toMatchObject({
        kind: "invalid",
        message: expect.stringMatching(/For example .*\d:?00/),
      });
  },
);

test("[TD28] a card says “in 2 hours” as it was said, and no date that nobody meant", async () => {
  const { toolAt } = await setup();
  const input = { name: "Tea", text: "Drink", schedule: "in 2 hours" };
  expect((await toolAt("cron.add").preview(input)).title).toBe(
    "Set the reminder “Tea”, once, in 2 hours from when it is set",
  );
});

test("[TD2] only a task on a schedule is finished, and nobody is asked", async () => {
  const { toolAt, call } = await setup();
  // Whatever it read before: the reason says nothing that anybody goes by.
  expect(toolAt("tasks.finish")).toMatchObject({
    approval: "auto",
    effect: "write",
    idempotent: true,
    critical: [],
  });
  await expect(call("tasks.finish", { reason: "It has" })).rejects.toMatchObject({ code: "request_invalid" });
});

test("[TD2] tasks are listed, cancelled with a yes, and looked at; none that is not there", async () => {
  const { toolAt, call } = await setup();
  expect(await call("tasks.list", {})).toMatchObject([{ id: "tsk_2" }]);
  expect(await call("tasks.list", { active: false })).toMatchObject([{ id: "tsk_2" }, { id: "tsk_1" }]);
  expect(toolAt("tasks.cancel").approval).toBe("required");
  expect(await call("tasks.cancel", { taskId: "tsk_1" })).toEqual({ outcome: "cancelled" });
  expect(await call("tasks.history", { taskId: "tsk_1" })).toEqual([line]);
  for (const path of ["tasks.cancel", "tasks.history"])
    await expect(call(path, { taskId: "none" })).rejects.toMatchObject({ code: "task_not_found" });
});

test("[TD3] what other sessions say is nobody's word here, the user's own lines there included", async () => {
  const { toolAt, call } = await setup();
  expect(await call("sessions.get", { session: "work" })).toMatchObject({ id: "ses_1", lines: [line] });
  for (const path of ["sessions.get", "sessions.search", "tasks.history"]) {
    expect(toolAt(path)).toMatchObject({ approval: "auto", effect: "read", trust: "untrusted" });
  }
  expect(toolAt("sessions.get").sourceOf?.({ session: "work" })).toBe("the session work");
  expect(toolAt("sessions.list").trust).toEqual({ values: ["*.id", "*.lastAt", "*.turns"] });
  await expect(call("sessions.get", { session: "none" })).rejects.toMatchObject({
    code: "session_not_found",
  });
});

test("[TD3] saying something elsewhere asks, with the whole text", async () => {
  const { toolAt, call, asked } = await setup();
  const send = toolAt("sessions.send");
  expect(send).toMatchObject({
    approval: "required",
    effect: "egress",
    grantable: "input",
    idempotent: false,
  });
  expect((await send.preview({ session: "work", text: "hello\nthere" })).details).toContain("hello\nthere");
  expect(await call("sessions.send", { session: "work", text: "hi" })).toEqual({ session: "ses_1" });
  expect(asked).toEqual([{ session: "work", text: "hi", from: "session" }]);
  await expect(call("sessions.send", { session: "none", text: "hi" })).rejects.toMatchObject({
    code: "session_not_found",
  });
});

test("[TD4] a list is written whole, nothing of it comes back trusted, and it is read as it was", async () => {
  const { toolAt, call } = await setup();
  expect(await call("todo.write", { items: [{ text: "a" }, { text: "b", status: "done" }] })).toEqual({
    open: 1,
    doing: 0,
    done: 1,
  });
  expect(toolAt("todo.write")).toMatchObject({ approval: "auto", effect: "write", trust: "trusted" });
  expect(toolAt("todo.read")).toMatchObject({ approval: "auto", effect: "read", trust: "untrusted" });
  expect(await call("todo.read", {})).toEqual({ items: [{ text: "one", status: "done" }] });
});

test("[TD5] a command of the user's that is not there is told as such", async () => {
  const { call, toolAt } = await setup();
  expect(await call("slash_command.list", {})).toEqual([]);
  expect(toolAt("slash_command.expand")).toMatchObject({
    approval: "auto",
    effect: "read",
    trust: "trusted",
  });
  await expect(call("slash_command.expand", { name: "none" })).rejects.toMatchObject({
    code: "slash_command_not_found",
  });
});

test("[TD21] what reports events is listed, and set up only with a yes that shows what it is; nobody is asked in vain", async () => {
  const { toolAt, call, asked } = await setup();
  expect(await call("hooks.list", {})).toEqual([{ name: "builds", kind: "hook", about: "signed (github)" }]);
  const tool = toolAt("hooks.create");
  expect(tool.approval).toBe("required");
  const card = async (input: object) => {
    const { title, details } = await tool.preview(input);
    return `${title}\n${details}`;
  };
  const mailbox = { kind: "mailbox", host: "imap.example.org", user: "me@example.org", mailbox: "INBOX" };
  expect(await card({ name: "post", source: mailbox })).toMatch(
    /the mailbox “post”[^]*INBOX of me@example.org at imap.example.org/,
  );
  expect(await card({ name: "open", source: { kind: "hook", scheme: "none" } })).toContain(
    "Nothing is signed: whoever learns the address can report.",
  );
  expect(await card({ name: "scans", source: { kind: "folder", path: "~/Scans", glob: "*.pdf" } })).toMatch(
    /~\/Scans, files that fit \*\.pdf/,
  );
  const orders = { name: "orders", source: { kind: "hook", scheme: "standard" } };
  expect(await call("hooks.create", orders)).toEqual({
    name: "orders",
    next: expect.stringContaining("renew"),
  });
  expect(asked).toEqual([orders]);
  for (const wrong of [
    { ...orders, name: "builds" },
    { ...orders, name: "No Name" },
    { name: "calls", source: { kind: "hook", scheme: "twilio" } },
    { name: "here", source: { kind: "folder", path: "Scans" } },
  ])
    expect(await tool.parseInput(wrong), JSON.stringify(wrong)).toMatchObject({ kind: "invalid" });
});
