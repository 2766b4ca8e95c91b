import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createIdSource, createSystemClock } from "@deputy/kit";
import type { StoredEvent } from "@deputy/protocol";
import { openSqliteReader, openSqliteStore } from "@deputy/store/sqlite";
import { expect, test, vi } from "vitest";
import { readServerSentEvents } from "../packages/client/src/server-sent-events.ts";
import {
  type Daemon,
  type Finished,
  jsonLines,
  PLUGIN,
  runDeputy,
  scratchDirectory,
  startDaemon,
} from "./run-deputy.ts";

const CLOSE_TWO = `\`\`\`ts
const closed = [];
for (const number of [1, 2]) closed.push(await tools.github.issues.close({ owner: "acme", repo: "demo", issueNumber: number }));
return closed.length;
\`\`\``;

const fixture = (home: string) => ({
  audit: (...args: string[]): Promise<Finished> => runDeputy(["audit", ...args, "--home", home]),
  dailyFiles: (): string[] =>
    readdirSync(join(home, "daily"))
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => join(home, "daily", name)),
  dailyLines: (): StoredEvent[] =>
    fixture(home)
      .dailyFiles()
      .flatMap((file) => jsonLines(readFileSync(file, "utf8")) as unknown as StoredEvent[]),
});

/** Runs the task to its end, or to its first question when `answer` is "none". */
async function follow(daemon: Daemon, taskId: string, answer: "approved" | "none"): Promise<void> {
  const response = await daemon.fetch(`/api/tasks/${taskId}/events`);
  for await (const { data } of readServerSentEvents(response)) {
    const event = JSON.parse(data) as { type: string; id?: string };
    if (event.type !== "approval_request") continue;
    if (answer === "none") return;
    await daemon.post(`/api/approvals/${event.id}`, { decision: answer });
  }
}

async function runProgram(home: string, prompt: string): Promise<void> {
  const args = ["run", prompt, "--home", home, "--tools", PLUGIN, "--approve", "all"];
  expect((await runDeputy(args)).code).toBe(0);
}

/** A home with a task that was killed in the middle and continued. */
async function playedHome(home: string): Promise<void> {
  const first = await startDaemon(home, ["--tools", PLUGIN]);
  const { id } = (await (await first.post("/api/tasks", { prompt: CLOSE_TWO })).json()) as { id: string };
  await follow(first, id, "none");
  await vi.waitFor(() => expect(existsSync(join(home, "daily"))).toBe(true));
  await first.end("SIGKILL");
  const second = await startDaemon(home, ["--tools", PLUGIN]);
  await follow(second, id, "approved");
  await fetch(new URL("/api/tasks", second.url), { headers: { authorization: "Bearer wrong" } });
  expect((await fixture(home).audit("verify")).code).toBe(0);
  await second.end("SIGTERM");
}

test("[E120] after a kill during an approval and a restart, the audit has each event once", async () => {
  using home = scratchDirectory();
  const { audit, dailyFiles, dailyLines } = fixture(home.path);
  await playedHome(home.path);

  const { code, stdout } = await audit("verify", "--json");
  const [report] = jsonLines(stdout);
  expect([code, report]).toMatchObject([0, { damage: [], problems: [], daily: { pending: 0, aside: [] } }]);
  await using reader = openSqliteReader({ directory: home.path });
  const logged = await Array.fromAsync(reader.readAll(), ({ event }) => event);
  const ids = dailyLines().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const left = logged.filter(({ id }) => !ids.includes(id)).map(({ type }) => type);
  const unaudited = ["cell.checked", "cell.suspended", "cell.resumed", "turn.claimed", "turn.suspended"];
  expect(new Set(left)).toEqual(new Set(unaudited.filter((type) => left.includes(type))));
  expect(new Set(dailyLines().map(({ type }) => type))).toEqual(
    new Set(logged.map(({ type }) => type).filter((type) => !left.includes(type))),
  );
  for (const type of ["user.message", "call.requested", "call.decided", "approval.resolved", "call.settled"])
    expect(dailyLines().map((line) => line.type)).toContain(type);
  for (const type of ["auth.accepted", "auth.rejected"])
    expect(dailyLines().map((line) => line.type)).toContain(type);
  for (const file of dailyFiles()) expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("[E121] audit show filters, makes hidden characters visible, and prints everything with --json", async () => {
  using home = scratchDirectory();
  const { audit } = fixture(home.path);
  const prompt = "```ts\nreturn 'a\u202eb'; // \u001b[2J\n```";
  const run = await runDeputy(["run", prompt, "--home", home.path, "--tools", PLUGIN]);
  expect(run.code).toBe(0);
  await runDeputy(["run", CLOSE_TWO, "--home", home.path, "--tools", PLUGIN, "--approve", "all"]);

  const shown = await audit("show", "--type", "user.message");
  expect(shown.stdout.trimEnd().split("\n")).toHaveLength(2);
  expect(shown.stdout).toContain("return 'a\\u{202e}b'; // \\u{1b}[2J\\n");
  const byTool = jsonLines((await audit("list", "--tool", "github.issues", "--json")).stdout);
  expect(new Set(byTool.map(({ toolPath }) => toolPath))).toEqual(new Set(["github.issues.close"]));
  const types = byTool.map(({ type }) => type);
  for (const type of ["call.requested", "call.decided", "call.started", "call.settled"])
    expect(types).toContain(type);
  for (const type of ["approval.requested", "approval.resolved"]) expect(types).toContain(type);
  const session = String(byTool[0]?.["stream"]);
  const ofSession = jsonLines((await audit("show", "--session", session, "--json", "--limit", "3")).stdout);
  expect(ofSession.map(({ stream }) => stream)).toEqual([session, session, session]);
  expect(ofSession.at(-1)).toMatchObject({ type: "task.completed", data: { outcome: "succeeded" } });
  expect((await audit("show", "--until", "2020-01-01")).stdout).toBe("");
  expect((await audit("show", "--since", "1h", "--type", "task.completed")).stdout.split("\n")).toHaveLength(
    3,
  );
  expect((await audit("show", "--since", "soon")).code).toBe(2);
});

test("[E122] finds every kind of tampering with a home, and names the place", async () => {
  using played = scratchDirectory();
  await runProgram(played.path, CLOSE_TWO);
  const sql = (text: string) => (home: string) => {
    using db = new DatabaseSync(join(home, "deputy.db"), { defensive: false });
    db.exec(text);
  };
  const edit = (change: (lines: string[]) => string[]) => (home: string) => {
    const [file = ""] = fixture(home).dailyFiles();
    const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
    writeFileSync(
      file,
      change(lines)
        .map((line) => `${line}\n`)
        .join(""),
    );
  };
  const cases: Readonly<Record<string, readonly [(home: string) => void, RegExp]>> = {
    "a payload in the database": [
      sql("UPDATE events SET payload = replace(payload, 'acme', 'acne') WHERE type = 'call.requested'"),
      /ses_\w+: the payload of event \d+ was changed/,
    ],
    "an event deleted": [
      sql("DELETE FROM events WHERE position = 5"),
      /ses_\w+: expected event \d+, found \d+/,
    ],
    "two events swapped": [
      sql(`UPDATE events SET position = -position WHERE seq IN (5, 6) AND stream_id = (SELECT id FROM streams WHERE stream LIKE 'ses_%');
        UPDATE events SET seq = 11 - seq, position = -position WHERE position < 0`),
      /ses_\w+: event 5 does not follow event 4/,
    ],
    "the tail cut": [
      sql("DELETE FROM events WHERE position > (SELECT max(position) - 2 FROM events)"),
      /were acknowledged .* and are missing/,
    ],
    "a daily line edited": [
      edit((lines) => lines.map((line) => line.replace('"decision":"approved"', '"decision":"denied"'))),
      /daily\/.*jsonl: line \d+: event \d+ of ses_\w+ \(approval\.resolved\) was changed/,
    ],
    "a daily line deleted": [
      edit((lines) => lines.toSpliced(3, 1)),
      /line 4: event \d+ of \w+ .* is missing/,
    ],
    "daily lines swapped": [
      edit((lines) => lines.with(3, lines[4] ?? "").with(4, lines[3] ?? "")),
      /line 5: event \d+ of \w+ .* is out of order/,
    ],
    "a daily file cut": [
      edit((lines) => lines.slice(0, 5)),
      /line 6: event \d+ of .* more after it are missing/,
    ],
    "a daily file deleted": [
      (home) =>
        fixture(home)
          .dailyFiles()
          .forEach((file) => rmSync(file)),
      /the file is gone: event 1 of /,
    ],
  };
  for (const [name, [tamper, message]] of Object.entries(cases)) {
    using copy = scratchDirectory();
    cpSync(played.path, copy.path, { recursive: true });
    tamper(copy.path);
    const { code, stdout } = await fixture(copy.path).audit("verify");
    expect([name, code]).toEqual([name, 1]);
    expect(stdout, name).toMatch(message);
    expect(stdout, name).toMatch(/`deputy audit (repair|rebuild-daily)`/);
  }
});

test("[E124] finds a database set back to an older copy, by its witness and by an anchor kept elsewhere", async () => {
  using older = scratchDirectory();
  using now = scratchDirectory();
  await runProgram(now.path, "```ts\nreturn 1;\n```");
  const early = (await fixture(now.path).audit("head")).stdout.trim();
  cpSync(now.path, older.path, { recursive: true });
  await runProgram(now.path, "```ts\nreturn 2;\n```");
  const later = (await fixture(now.path).audit("head")).stdout.trim();
  expect((await fixture(now.path).audit("verify", "--anchor", early)).code).toBe(0);

  for (const name of ["deputy.db", "deputy.db-wal", "deputy.db-shm"]) {
    rmSync(join(now.path, name), { force: true });
    if (existsSync(join(older.path, name))) cpSync(join(older.path, name), join(now.path, name));
  }
  const setBack = await fixture(now.path).audit("verify");
  expect([setBack.code, setBack.stdout]).toEqual([1, expect.stringMatching(/were acknowledged/)]);
  // With everything set back, only the anchor shows it.
  expect((await fixture(older.path).audit("verify")).code).toBe(0);
  const { code, stdout } = await fixture(older.path).audit("verify", "--anchor", later);
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/the log ends at position \d+, before the anchor/),
  ]);
});

test("[E123] rebuild-daily mends the files, and an erased payload stays erased", async () => {
  using home = scratchDirectory();
  const { audit, dailyFiles, dailyLines } = fixture(home.path);
  await runDeputy(["run", "```ts\nreturn 1; // a-private-word\n```", "--home", home.path]);
  const clock = createSystemClock();
  {
    await using store = await openSqliteStore({
      directory: home.path,
      clock,
      ids: createIdSource({ clock }),
    });
    for (const { id, type, data } of dailyLines())
      if (JSON.stringify(data).includes("a-private-word") && type !== "event.erased")
        await store.log.erase(id, "owner", "on request");
  }
  // The next start applies erasures that happened meanwhile.
  await runDeputy(["run", "```ts\nreturn 2;\n```", "--home", home.path]);
  expect(await audit("verify")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("3 of them erased or lost"),
  });
  for (const file of dailyFiles()) expect(readFileSync(file, "utf8")).not.toContain("a-private-word");

  for (const file of dailyFiles()) renameSync(file, `${file}.gone`);
  expect((await audit("verify")).code).toBe(1);
  expect(await audit("rebuild-daily")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("daily-aside-"),
  });
  expect((await audit("verify")).code).toBe(0);
});
