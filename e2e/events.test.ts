import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createIdSource, createSystemClock } from "@deputy/kit";
import { openSqliteReader } from "@deputy/store/sqlite";
import { createInboxReader } from "@deputy/tasks/readers";
import { createMemoryEventLog, type FakeImapServer, openFakeImapServer } from "@deputy/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { openOwnHooks } from "../apps/deputy/src/hooks/own-hooks.ts";
import { selfSigned } from "../packages/browser/src/node/self-signed.fixture.ts";
import { compiled, SHORT_LIVED, testProgram } from "./repository.ts";
import { jsonLines, runDeputy, scratchDirectory, startDaemon, TOKEN, waitForOutput } from "./run-deputy.ts";

const SLOW = { timeout: 240_000 };
const eventually = <T>(holds: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(holds, { timeout: 90_000, interval: 50 });

function mail(server: FakeImapServer, subject: string): void {
  server.deliver({ source: Buffer.from(`From: a@b.c\r\nSubject: ${subject}\r\n\r\nhello\r\n`) });
}

function startChild(...args: readonly string[]): ChildProcess {
  const child = spawn(
    process.execPath,
    [...SHORT_LIVED, testProgram("events-child", "e2e/events-child.ts"), ...args],
    {
      env: { ...process.env, ...compiled() },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

const ended = (child: ChildProcess): Promise<NodeJS.Signals | null> =>
  new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));

test(
  "[E420] after repeated kills between commit and cursor, each mail and file is there once",
  SLOW,
  async () => {
    using home = scratchDirectory();
    using outside = scratchDirectory();
    await using server = await openFakeImapServer();
    const folder = join(outside.path, "in");
    mkdirSync(folder);
    const args = [home.path, String(server.port), folder];
    const first = startChild(...args);
    await Promise.all([waitForOutput(first, "mail watching"), waitForOutput(first, "files watching")]);
    const end = ended(first);
    first.kill("SIGKILL");
    await end;

    // One kind after the other: commits that come together share a transaction, and a kill.
    for (const name of ["one", "two", "three"]) mail(server, name);
    for (let kills = 0; kills < 3; kills++) expect(await ended(startChild(...args, "1"))).toBe("SIGKILL");
    for (const name of ["a", "b", "c"]) writeFileSync(join(folder, name), name);
    for (let kills = 0; kills < 3; kills++) expect(await ended(startChild(...args, "1"))).toBe("SIGKILL");

    const last = startChild(...args);
    await Promise.all([waitForOutput(last, "mail watching"), waitForOutput(last, "files watching")]);
    rmSync(join(folder, "a"));
    mail(server, "four");
    const received = async (): Promise<readonly string[]> => {
      await using reader = openSqliteReader({ directory: home.path });
      const all = await createInboxReader(reader).newest({ limit: 100 });
      return all
        .map(({ data }) => (data.payload as { subject?: string }).subject ?? data.deliveryId)
        .toSorted();
    };
    const wanted = ["one", "two", "three", "four", "created a", "created b", "created c", "removed a"];
    await eventually(async () => expect(await received()).toEqual(wanted.toSorted()));
    const gone = ended(last);
    last.kill("SIGKILL");
    await gone;
  },
);

test(
  "[E421] a daemon watches the sources in the settings, reports their state, and catches up after a kill",
  SLOW,
  async () => {
    using home = scratchDirectory();
    using outside = scratchDirectory();
    await using server = await openFakeImapServer();
    await using secured = await openFakeImapServer({ tls: selfSigned() });
    const imap = { type: "imap", host: "127.0.0.1", user: "ada", password: "env:MAIL_PASSWORD" };
    writeFileSync(
      join(home.path, "config.json"),
      JSON.stringify({
        events: [
          { ...imap, name: "orders", port: server.port, secure: "none" },
          { ...imap, name: "bank", port: secured.port },
          { type: "files", name: "scans", path: outside.path, glob: "*.pdf" },
        ],
      }),
      { mode: 0o600 },
    );
    const env = { DEPUTY_TOKEN: TOKEN, MAIL_PASSWORD: "secret-1" };
    const run = async (...args: readonly string[]) =>
      jsonLines((await runDeputy([...args, "--json", "--home", home.path], { env })).stdout);
    const states = async () =>
      Object.fromEntries((await run("hooks", "list")).map(({ name, state }) => [name, state]));
    const told = async (name: string) =>
      (await run("hooks", "deliveries", name)).map(({ deliveryId }) => deliveryId);

    {
      await using daemon = await startDaemon(home.path, [], env);
      await eventually(async () =>
        expect(await states()).toMatchObject({
          orders: { kind: "watching", by: "push" },
          // Its certificate is not trusted, so it never got the password.
          bank: { kind: "failed", code: "source_refused", reason: expect.stringContaining("SELF_SIGNED") },
          scans: { kind: "watching", by: "push" },
        }),
      );
      expect(secured.commands).toEqual([]);
      mail(server, "first");
      writeFileSync(join(outside.path, "a.pdf"), "%PDF");
      writeFileSync(join(outside.path, "b.txt"), "x");
      await eventually(async () => expect(await told("orders")).toEqual(["7:1"]));
      await eventually(async () => expect(await told("scans")).toEqual(["created a.pdf"]));
      const checks = await run("doctor");
      expect(checks.filter(({ check }) => check === "events")).toMatchObject([
        { status: "wrong", message: expect.stringContaining("bank is not watched") },
      ]);
      await daemon.end("SIGKILL");
    }
    expect(await states()).toEqual({ orders: undefined, bank: undefined, scans: undefined });
    mail(server, "second");
    writeFileSync(join(outside.path, "a.pdf"), "%PDF-1.7");
    await using again = await startDaemon(home.path, [], env);
    await eventually(async () => expect(await told("orders")).toEqual(["7:1", "7:2"]));
    await eventually(async () => expect(await told("scans")).toEqual(["created a.pdf", "changed a.pdf"]));
    expect(await again.end("SIGTERM")).toBe(0);
  },
);

test(
  "[E422] a name belongs to a hook or a source, not both; a missing password is reported",
  SLOW,
  async () => {
    using home = scratchDirectory();
    const deputy = (...args: readonly string[]) => runDeputy([...args, "--home", home.path]);
    expect((await deputy("hooks", "add", "orders")).code).toBe(0);
    const source = (name: string): object => ({
      type: "imap",
      name,
      host: "mail.example.org",
      user: "ada",
      password: "env:NOT_SET",
    });
    const settings = (...names: readonly string[]): void =>
      writeFileSync(join(home.path, "config.json"), JSON.stringify({ events: names.map(source) }));
    settings("orders");
    const started = await deputy("serve", "--port", "0");
    expect([started.code, started.stderr]).toEqual([
      1,
      expect.stringContaining("which is the name of a hook"),
    ]);
    settings("bank");
    const added = await deputy("hooks", "add", "bank");
    expect([added.code, added.stderr]).toEqual([2, expect.stringContaining("already called bank")]);
    const listed = await deputy("hooks");
    expect(listed.stdout).toMatch(/bank +imap +not watched: no daemon is running/);
    const { code, stdout } = await deputy("doctor");
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining("bank cannot sign in: env:NOT_SET gives no secret"),
    ]);
    settings("twice", "twice");
    expect((await deputy("hooks")).stderr).toContain("must have another name for each");
  },
);

test(
  "[E700] a folder that an agent sets up is watched by the running daemon, without a restart",
  SLOW,
  async () => {
    using home = scratchDirectory();
    using outside = scratchDirectory();
    const env = { DEPUTY_TOKEN: TOKEN };
    const told = async () =>
      jsonLines(
        (await runDeputy(["hooks", "deliveries", "bills", "--json", "--home", home.path], { env })).stdout,
      ).map(({ deliveryId }) => deliveryId);
    await using daemon = await startDaemon(home.path, [], env);
    const clock = createSystemClock();
    const hooks = openOwnHooks(
      { directory: home.path },
      createMemoryEventLog({ clock, ids: createIdSource({ clock }) }),
    );
    await hooks.create({ name: "bills", source: { kind: "folder", path: outside.path } });
    await eventually(() =>
      expect(readFileSync(join(home.path, "events", "states.json"), "utf8")).toContain('"watching"'),
    );
    writeFileSync(join(outside.path, "a.pdf"), "%PDF");
    await eventually(async () => expect(await told()).toEqual(["created a.pdf"]));
    expect(await daemon.end("SIGTERM")).toBe(0);
  },
);

test(
  "[E716] a task on what nothing reports is refused also without a daemon, with the names that there are",
  SLOW,
  async () => {
    using home = scratchDirectory();
    const deputy = (...args: readonly string[]) => runDeputy([...args, "--home", home.path]);
    expect((await deputy("hooks", "add", "orders")).code).toBe(0);
    const refused = await deputy("tasks", "add", "x", "--on", "nosuch");
    expect([refused.code, refused.stdout]).toEqual([expect.any(Number), ""]);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/called “nosuch”, so this task would never run[^]*orders/);
    expect((await deputy("tasks")).stdout).not.toContain("nosuch");
    expect((await deputy("tasks", "add", "x", "--on", "orders")).stdout).toContain("added: ");
  },
);
