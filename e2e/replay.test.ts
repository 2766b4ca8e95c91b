import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CellId, createIdSource, createSystemClock, type SessionId } from "@deputy/kit";
import type { JournalEntry, TaskEvent } from "@deputy/protocol";
import { taskEventSchema } from "@deputy/protocol/wire";
import { openSqliteStore } from "@deputy/store/sqlite";
import { expect, test } from "vitest";
import { readServerSentEvents } from "../packages/client/src/server-sent-events.ts";
import { type Daemon, jsonLines, PLUGIN, runDeputy, scratchDirectory, startDaemon } from "./run-deputy.ts";

const fenced = (code: string): string => `\`\`\`ts\n${code}\n\`\`\``;
const where = '{ owner: "acme", repo: "demo", issueNumber: n }';
const IN_ORDER = fenced(`let closed = 0;
for (const n of [1, 2]) closed += (await tools.github.issues.close(${where})).number;
return closed;`);
const AT_ONCE = fenced(`console.log(Math.random(), Date.now());
const open = await tools.github.issues.list({ owner: "acme", repo: "demo" });
const ends = await Promise.allSettled([1, 2, 3].map((n) => tools.github.issues.close(${where})));
return [open.length, ends.map((end) => end.status)];`);
const FAILS = fenced("throw new Error('on purpose');");
const MISTYPED = fenced("return tools.nowhere;");

/** Follows a task and answers its questions; ends with it, or when `until` says so. */
async function follow(
  daemon: Daemon,
  taskId: string,
  options: { readonly deny?: number; readonly until?: (event: TaskEvent) => boolean } = {},
): Promise<void> {
  const response = await daemon.fetch(`/api/tasks/${taskId}/events`);
  let asked = 0;
  for await (const { data } of readServerSentEvents(response)) {
    const event = taskEventSchema.parse(JSON.parse(data));
    if (options.until?.(event) === true) return;
    if (event.type !== "approval_request") continue;
    const decision = asked++ === options.deny ? "denied" : "approved";
    await daemon.post(`/api/approvals/${event.id}`, { decision });
  }
}

async function create(daemon: Daemon, prompt: string): Promise<string> {
  return ((await (await daemon.post("/api/tasks", { prompt })).json()) as { id: string }).id;
}

test("[E160] sessions replay as recorded beside a running daemon, without their tools, even after kill -9", async () => {
  using home = scratchDirectory();
  const tasks: string[] = [];
  {
    await using daemon = await startDaemon(home.path, ["--tools", PLUGIN]);
    for (const prompt of [IN_ORDER, AT_ONCE, FAILS, MISTYPED, "Hello"]) {
      const id = await create(daemon, prompt);
      tasks.push(id);
      await follow(daemon, id, { deny: 1 });
    }
    const killed = await create(daemon, AT_ONCE);
    tasks.push(killed);
    let settled = 0;
    await follow(daemon, killed, { until: (event) => event.type === "tool_result" && ++settled === 2 });
    await daemon.end("SIGKILL");
  }
  await using daemon = await startDaemon(home.path, ["--tools", PLUGIN]);
  const half = await create(daemon, IN_ORDER);
  await follow(daemon, half, { until: (event) => event.type === "approval_request" });
  await follow(daemon, tasks.at(-1) ?? "");

  const calls: unknown[] = [];
  for (const task of tasks) {
    const { code, stdout } = await runDeputy(["replay", task, "--json", "--home", home.path]);
    const [turn, summary] = jsonLines(stdout);
    expect([task, code, turn?.["outcome"]]).toEqual([task, 0, { kind: "agrees" }]);
    calls.push(summary?.["calls"]);
  }
  expect(calls).toEqual([2, 4, 0, 0, 0, 4]);
  const open = await runDeputy(["replay", half, "--home", home.path]);
  expect(open).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("as recorded until it has not ended"),
  });
});

/** One session whose program made two calls; with what is in its journal. */
async function record(home: string, prompt = IN_ORDER, tools = PLUGIN) {
  const args = ["run", prompt, "--tools", tools, "--approve", "all", "--home", home];
  expect(await runDeputy(args)).toMatchObject({ code: 0 });
  const listed = await runDeputy(["sessions", "list", "--json", "--home", home]);
  return jsonLines(listed.stdout)[0] as { id: SessionId; key: string };
}

/** Rewrites the journal of a session's first cell, with its own key. */
async function tamper(
  home: string,
  session: SessionId,
  change: (entry: JournalEntry, text: string) => string | undefined,
): Promise<void> {
  const clock = createSystemClock();
  await using store = await openSqliteStore({ directory: home, clock, ids: createIdSource({ clock }) });
  const { log } = store;
  const events = await Array.fromAsync(log.read(session));
  const cell = events.find(({ type }) => type === "cell.submitted")?.data as { cellId: CellId };
  const entries = await Array.fromAsync(log.journal.read(cell.cellId));
  await log.journal.erase(cell.cellId);
  const journal = entries.flatMap((entry) => {
    const text = change(entry, Buffer.from(entry.bytes).toString());
    return text === undefined
      ? []
      : [{ ...entry, bytes: entry.kind === "image" ? entry.bytes : Buffer.from(text) }];
  });
  await log.append("system", [], { journal });
}

test("[E161] names a changed journal, with what was expected and what came", async () => {
  using home = scratchDirectory();
  const { id, key } = await record(home.path);
  const replay = (...args: string[]) => runDeputy(["replay", id, "--home", home.path, ...args]);
  const before = readFileSync(join(home.path, "deputy.db"));
  expect(await replay()).toMatchObject({ code: 0, stdout: expect.stringContaining("all as recorded") });
  expect(readFileSync(join(home.path, "deputy.db")).equals(before)).toBe(true);
  expect(await runDeputy(["replay", key.slice("task:".length), "--home", home.path])).toMatchObject({
    code: 0,
  });

  await tamper(home.path, id, (entry, text) =>
    entry.kind === "settled" ? text.replace('\\"number\\":2', '\\"number\\":7') : text,
  );
  const result = await replay();
  expect(result.code).toBe(1);
  expect(result.stdout).toMatch(
    /diverged at event \d+: call 2, github\.issues\.close, in the journal\.preview/,
  );
  expect(result.stdout).toMatch(/expected {2}\{"number":2.*\n +came {6}\{"number":7/);

  await tamper(home.path, id, (_entry, text) => text.replace('\\"number\\":7', '\\"number\\":2'));
  await tamper(home.path, id, (_entry, text) => text.replace("let closed = 0", "let closed = 5"));
  const program = await replay("--json");
  expect(program.code).toBe(1);
  expect(jsonLines(program.stdout)).toMatchObject([
    { cells: [{ outcome: { kind: "diverged", divergence: { what: "cell.submitted.code" } } }] },
    { type: "summary", diverged: 1, notReplayable: 0 },
  ]);
});

test("[E162] a session without its journal cannot be replayed; without the key, none can", async () => {
  using home = scratchDirectory();
  const { id } = await record(home.path);
  await tamper(home.path, id, () => undefined);
  const gone = await runDeputy(["replay", id, "--home", home.path]);
  expect(gone).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("not replayable: the journal has nothing of it"),
  });
  rmSync(join(home.path, "key"));
  expect(await runDeputy(["replay", id, "--home", home.path])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("key_missing"),
  });
  expect(await runDeputy(["replay", "nowhere", "--home", home.path])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("unknown_stream"),
  });
});

test("[E163] --fork-at continues from an earlier point in a new session", async () => {
  using home = scratchDirectory();
  const args = (...more: string[]): string[] => [...more, "--home", home.path];
  const input = `${fenced("return 6 * 7;")}\nHello\n/exit\n`;
  expect(await runDeputy(args("chat"), { input })).toMatchObject({ code: 0 });
  const list = async () => jsonLines((await runDeputy(args("sessions", "list", "--json"))).stdout);
  const [first] = await list();
  const id = String(first?.["id"]);
  const fork = async (...more: string[]) =>
    await runDeputy(args("replay", id, "--json", "--fork-at", ...more));

  const second = await fork("turn:2", "--model", "rehearsal/tour");
  expect(second.code).toBe(0);
  const [forked, ...told] = jsonLines(second.stdout);
  expect(forked).toMatchObject({ type: "forked", from: id });
  const rehearsal = { type: "agent_message", text: expect.stringContaining("rehearsal") };
  expect(told).toContainEqual(expect.objectContaining(rehearsal));
  const anew = await fork("3");
  expect(jsonLines(anew.stdout)).toContainEqual(
    expect.objectContaining({ type: "agent_message", text: expect.stringContaining("42") }),
  );
  expect((await list()).map(({ turns }) => turns).toSorted((a, b) => Number(a) - Number(b))).toEqual([
    1, 2, 2,
  ]);
  for (const session of await list())
    expect(await runDeputy(args("replay", String(session["id"])))).toMatchObject({ code: 0 });

  expect(await fork("turn:9")).toMatchObject({ code: 2 });
  expect(await fork("somewhere")).toMatchObject({ code: 2 });
  expect(await fork("1")).toMatchObject({ code: 2 });
  expect(await runDeputy(args("replay", id, "--model", "rehearsal/tour"))).toMatchObject({ code: 2 });
  expect(await runDeputy(args("replay", id, "--turn", "9"))).toMatchObject({ code: 2 });
});

test("[E164] --typecheck names programs that today's tools would reject", async () => {
  using home = scratchDirectory();
  const plugin = join(home.path, "plugin.ts");
  copyFileSync(PLUGIN, plugin);
  const { id } = await record(home.path, IN_ORDER, plugin);
  const check = () => runDeputy(["replay", id, "--typecheck", "--home", home.path]);
  expect(await check()).toMatchObject({ code: 0 });
  writeFileSync(plugin, readFileSync(plugin, "utf8").replaceAll("issueNumber", "issueId"));
  const { code, stdout } = await check();
  expect(code).toBe(1);
  expect(stdout).toContain("as recorded");
  expect(stdout).toContain("would no longer typecheck");
  expect(stdout).toMatch(/:2:\d+ - TS\d+: .*issueNumber/);
});
