import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { type Daemon, PLUGIN, runDeputy, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

const CLOSE = `\`\`\`ts
return await tools.github.issues.close({ owner: "acme", repo: "demo", issueNumber: 1 });
\`\`\``;
const PROGRAM = "```ts\nreturn 1;\n```";

/** The types of a task's events in the daily files. */
function dailyTypes(home: string, taskId: string): readonly string[] {
  const daily = join(home, "daily");
  const names = existsSync(join(daily, "cursor.json")) ? readdirSync(daily) : [];
  return names
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(daily, name), "utf8").split("\n").slice(0, -1))
    .map(
      (line) =>
        JSON.parse(line) as { readonly type: string; readonly data: { readonly taskId?: string } | null },
    )
    .flatMap(({ type, data }) => (data?.taskId === taskId ? [type] : []));
}

const create = async (daemon: Daemon): Promise<{ status: number; body: Record<string, unknown> }> => {
  const response = await daemon.post("/api/tasks", { prompt: PROGRAM });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const health = async (daemon: Daemon): Promise<unknown> =>
  await (await fetch(new URL("/health", daemon.url))).json();

/**
 * Runs a task until it asks and its program sleeps, which is the last that is written. A file that is taken away in the
 * middle of a write fails for good, and the daemon closes all connections before it opens it again.
 */
async function startWaiting(daemon: Daemon, database: string): Promise<string> {
  const { id } = (await (await daemon.post("/api/tasks", { prompt: CLOSE })).json()) as { id: string };
  using log = new DatabaseSync(database, { readOnly: true });
  const suspended = log.prepare("SELECT 1 FROM events WHERE type = 'cell.suspended'");
  await vi.waitFor(() => expect(suspended.get()).toBeDefined());
  // A daemon that answers is done with the write.
  await health(daemon);
  return id;
}

test("[E730] database moved away, put back, and lost: nothing acknowledged is lost unnoticed, and repair recovers what it can", async () => {
  using home = scratchDirectory();
  const database = join(home.path, "deputy.db");
  const daemon = await startDaemon(home.path, ["--tools", PLUGIN]);
  let told = "";
  daemon.child.stderr?.on("data", (bytes: Buffer) => (told += bytes.toString()));
  const waiting = await startWaiting(daemon, database);

  renameSync(database, `${database}.away`);
  expect(await create(daemon)).toMatchObject({ status: 503, body: { code: "log_missing" } });
  expect(await health(daemon)).toMatchObject({ status: "failing", problem: { code: "log_missing" } });
  const doctor = await runDeputy(["doctor", "--home", home.path]);
  expect(doctor.stdout).toMatch(
    /✗ daemon.*cannot store anything new: The log is not where it was \(log_missing\)/,
  );
  renameSync(`${database}.away`, database);
  expect(await health(daemon)).toMatchObject({ status: "ok" });
  const { status, body } = await create(daemon);
  expect(status).toBe(201);
  await vi.waitFor(async () => {
    const task = (await (await daemon.fetch(`/api/tasks/${String(body["id"])}`)).json()) as {
      status: string;
    };
    expect(task.status).toBe("succeeded");
  });
  // The daily files are what the repair has: a busy machine may still be writing this task's end.
  await vi.waitFor(() => expect(dailyTypes(home.path, String(body["id"]))).toContain("task.completed"));
  expect(await daemon.end("SIGTERM")).toBe(0);
  expect(told).not.toContain("a bug");

  rmSync(database);
  const args = ["--home", home.path];
  for (const command of [
    ["serve", "--port", "0"],
    ["audit", "verify"],
  ]) {
    const { code, stderr } = await runDeputy([...command, ...args], { env: { DEPUTY_TOKEN: TOKEN } });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/is missing or empty, and \d+ events were acknowledged/),
    ]);
    expect(stderr).toContain("`deputy audit repair` rebuilds the log from the daily files");
  }
  const repair = await runDeputy(["audit", "repair", ...args]);
  expect(repair.stdout).toMatch(
    /Kept \d+ events, \d+ of them from the daily files\.\nLost \d+ events:\n  ses_\w+: \d+/,
  );
  expect(repair.stdout).toContain("1 turn under way ended as failed");

  await using again = await startDaemon(home.path, ["--tools", PLUGIN]);
  const task = (await (await again.fetch(`/api/tasks/${waiting}`)).json()) as { status: string };
  expect(task.status).toBe("failed");
  expect(await (await again.fetch("/api/approvals")).json()).toMatchObject({ approvals: [] });
  expect((await create(again)).status).toBe(201);
  expect((await runDeputy(["audit", "verify", ...args])).code).toBe(0);
});

test("[E731] a read-only home can be inspected, and doctor names the problem", async () => {
  using home = scratchDirectory();
  const directory = join(home.path, "home");
  mkdirSync(directory, { mode: 0o700 });
  expect((await runDeputy(["run", PROGRAM, "--home", directory])).code).toBe(0);
  const release = makeUnwritable(directory);
  const found = [];
  try {
    found.push(await runDeputy(["audit", "verify", "--home", directory]));
    found.push(await runDeputy(["doctor", "--home", directory]));
    found.push(await runDeputy(["serve", "--port", "0", "--home", directory]));
  } finally {
    release();
  }
  const [verify, doctor, serve] = found;
  expect(verify).toMatchObject({ code: 0, stdout: expect.stringContaining("Every hash holds.") as string });
  expect(doctor?.stdout).toMatch(
    /✗ home .*(?:on a disk that is read-only|cannot be written to: permission denied)/,
  );
  expect(doctor?.stdout).toMatch(/✓ log/);
  expect(serve).toMatchObject({ code: 1, stderr: expect.stringContaining("home_unusable") as string });
});

/** Root ignores permissions, but can mount instead. */
function makeUnwritable(directory: string): () => void {
  if (process.getuid?.() !== 0) {
    chmodSync(directory, 0o500);
    return () => chmodSync(directory, 0o700);
  }
  execFileSync("mount", ["--bind", directory, directory]);
  execFileSync("mount", ["-o", "remount,ro,bind", directory]);
  return () => void execFileSync("umount", [directory]);
}

const canMount = process.platform === "linux" && process.getuid?.() === 0;

test.skipIf(!canMount && process.env["DEPUTY_CI"] === undefined)(
  "[E732] reports a full disk as such, at the start and while it runs, and not as a bug",
  async () => {
    using scratch = scratchDirectory();
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=2m,mode=700", "tmpfs", scratch.path]);
    try {
      const home = join(scratch.path, "home");
      const filler = join(scratch.path, "filler");
      const fill = (): void => {
        try {
          writeFileSync(filler, Buffer.alloc(4_000_000));
        } catch {
          // As much as there was room for.
        }
      };
      const daemon = await startDaemon(home);
      let told = "";
      daemon.child.stderr?.on("data", (bytes: Buffer) => (told += bytes.toString()));
      expect((await create(daemon)).status).toBe(201);
      fill();
      await vi.waitFor(async () => expect((await create(daemon)).status).toBe(507));
      expect(await health(daemon)).toMatchObject({ status: "failing", problem: { code: "storage_full" } });
      rmSync(filler);
      await vi.waitFor(async () => expect((await create(daemon)).status).toBe(201));
      expect(await health(daemon)).toMatchObject({ status: "ok" });
      await daemon.end("SIGTERM");
      expect(told).not.toContain("a bug");

      fill();
      const { code, stderr } = await runDeputy(["serve", "--port", "0", "--home", home], {
        env: { DEPUTY_TOKEN: TOKEN },
      });
      expect([code, stderr]).toEqual([1, expect.stringMatching(/The disk is full/)]);
      expect(stderr).toContain("everything that was acknowledged is safe. Make room");
      expect(stderr).not.toContain("delete it");
      const doctor = await runDeputy(["doctor", "--home", home]);
      expect(doctor.stdout).toMatch(/✗ disk +It is full/);
      expect(doctor.stdout).toMatch(/✓ log/);
      expect(readdirSync(home).filter((name) => /\.\d+$/.test(name))).toEqual([]);
    } finally {
      execFileSync("umount", [scratch.path]);
    }
  },
  90_000,
);
