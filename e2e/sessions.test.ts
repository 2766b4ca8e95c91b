import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { jsonLines, runDeputy, scratchDirectory } from "./run-deputy.ts";

/** A home, and commands over it. */
function setup() {
  const home = scratchDirectory();
  const deputy = (args: readonly string[], input?: string) =>
    runDeputy([...args, "--home", home.path], input === undefined ? {} : { input });
  const sessions = async (...args: readonly string[]) =>
    jsonLines((await deputy(["sessions", ...args, "--json"])).stdout);
  return { ...home, deputy, sessions, [Symbol.dispose]: () => home[Symbol.dispose]() };
}

test("[E80] the terminal continues its session the next time; another name is another session", async () => {
  using home = setup();
  expect(await home.deputy([], "hello there\n")).toMatchObject({ code: 0 });
  const again = await home.deputy(["chat"], "and again\n/new\nanew\n");
  expect(again.stderr).toContain("Going on with terminal--default: 1 turn,");
  expect(await home.deputy(["--session", "work"], "something else\n")).toMatchObject({ code: 0 });
  expect(await home.sessions("list")).toMatchObject([
    { key: "terminal--work", title: "something else", turns: 1 },
    { key: "terminal--default", title: "anew", turns: 1 },
    { key: "terminal--default", title: "hello there", turns: 2, agentId: "main", channel: "terminal" },
  ]);
  const fresh = await home.deputy(["chat", "--session", "work", "--new"], "fresh\n");
  expect(fresh.stderr).not.toContain("Going on");
  expect(await home.sessions("list", "--limit", "1")).toMatchObject([
    { key: "terminal--work", title: "fresh" },
  ]);
});

test("[E80] names a session that does not exist, and does not chat in a task's own", async () => {
  using home = setup();
  await home.deputy(["run", "hi"]);
  const [task] = await home.sessions("list");
  expect(task).toMatchObject({ isTask: true });
  const refused = await home.deputy(["chat", "--session", String(task?.["id"])], "hi\n");
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain("sessions fork");
  for (const args of [
    ["chat", "--session", "telegram--1"],
    ["sessions", "show", "nope"],
    ["sessions", "fork", "x--y"],
  ]) {
    const { code, stderr } = await home.deputy(args, "hi\n");
    expect(code, args.join(" ")).toBe(1);
    expect(stderr).toContain("unknown_stream");
  }
});

test("[E81] shows and exports a session as a transcript, by its id, key or name", async () => {
  using home = setup();
  await home.deputy([], "hello \u202e there\n```ts\nreturn 6 * 7;\n```\n");
  const shown = await home.deputy(["sessions", "show", "default"]);
  expect(shown.stdout).toContain("> hello \\u{202e} there");
  expect(shown.stdout).toContain("  │ return 6 * 7;");
  expect(shown.stdout).toContain("  ✓ 42");
  const exported = await home.deputy(["sessions", "export", "terminal--default", "--transcript"]);
  const [session] = await home.sessions("list");
  expect(jsonLines(exported.stdout)).toEqual(await home.sessions("show", String(session?.["id"])));
  expect(jsonLines(exported.stdout)).toMatchObject([
    { type: "session", key: "terminal--default" },
    { role: "user", content: "hello \u202e there" },
    { role: "assistant" },
    { role: "user", content: expect.stringContaining("6 * 7") },
    { role: "assistant" },
    { role: "tool_use", toolName: "run_code", content: "return 6 * 7;" },
    { role: "tool_result", toolName: "run_code", content: "42" },
    { role: "assistant" },
  ]);
  expect(await home.deputy(["sessions", "import", "-"], exported.stdout)).toMatchObject({ code: 1 });
});

test("[E81] searches sessions, and says if there is more", async () => {
  using home = setup();
  await home.deputy([], "buy oat milk\nand more MILK\n");
  const found = await home.deputy(["sessions", "search", "milk", "--limit", "1", "--json"]);
  expect(jsonLines(found.stdout)).toMatchObject([
    { role: "user", snippet: "and more MILK", key: "terminal--default" },
  ]);
  expect(found.stderr).toContain("There are more");
  expect(await home.sessions("search", "oat", "milk")).toMatchObject([{ seq: 2 }]);
  expect(await home.deputy(["sessions", "search", "milk", "--limit", "none"])).toMatchObject({ code: 2 });
});

test("[E82] a fork continues from a point of another session, and the log verifies", async () => {
  using home = setup();
  await home.deputy([], "one\ntwo\n");
  const [fork] = await home.sessions("fork", "default", "--at", "5");
  expect(fork).toMatchObject({ copied: 4, forkedFrom: { throughSeq: 5 } });
  const id = String(fork?.["id"]);
  expect((await home.deputy(["chat", "--session", id], "other\n")).stderr).toContain("Going on with");
  const said = async (name: string) =>
    (await home.sessions("show", name)).filter(({ role }) => role === "user").map(({ content }) => content);
  expect(await said(id)).toEqual(["one", "other"]);
  expect(await said("default")).toEqual(["one", "two"]);
  const early = await home.deputy(["sessions", "fork", "default", "--at", "1"]);
  expect(early).toMatchObject({ code: 2 });
  expect(early.stderr).toContain("nothing to copy");
  expect(await home.deputy(["audit", "verify"])).toMatchObject({ code: 0 });
  writeFileSync(join(home.path, "fork.jsonl"), (await home.deputy(["sessions", "export", id])).stdout);
  using elsewhere = setup();
  expect(await elsewhere.deputy(["sessions", "import", join(home.path, "fork.jsonl")])).toMatchObject({
    code: 0,
  });
  expect(await elsewhere.deputy(["audit", "verify"])).toMatchObject({ code: 0 });
});
