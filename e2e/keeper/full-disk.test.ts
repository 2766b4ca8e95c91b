import { execFileSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
  mkdirSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { scratchDirectory, startDaemon, TOKEN } from "../run-deputy.ts";

const PLUGIN = fileURLToPath(new URL("effects-plugin.ts", import.meta.url));
const CAN_MOUNT = process.platform === "linux" && process.getuid?.() === 0;

/** A small file system of its own, so that it can be filled. */
function mountSmall(path: string, megabytes: number): Disposable {
  mkdirSync(path);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0700`, "tmpfs", path]);
  return { [Symbol.dispose]: () => void execFileSync("umount", ["-l", path]) };
}

function fill(path: string): void {
  const file = openSync(path, "w");
  for (const size of [65_536, 4_096, 512])
    try {
      for (;;) writeSync(file, Buffer.alloc(size));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  closeSync(file);
}

test.skipIf(!CAN_MOUNT && process.env["DEPUTY_CI"] === undefined)(
  "[E400] a disk that was full and is freed: every task and chat goes on by itself, nothing is lost or done twice, and none of it is called a bug",
  async () => {
    using scratch = scratchDirectory();
    const home = join(scratch.path, "home");
    using _disk = mountSmall(home, 12);
    const env = { DEPUTY_TOKEN: TOKEN, EFFECTS: scratch.path };
    await using daemon = await startDaemon(home, ["--tools", PLUGIN], env);
    let told = "";
    daemon.child.stderr?.on("data", (bytes: Buffer) => (told += bytes.toString()));
    const prompt = (what: string): string =>
      `\`\`\`ts\nawait tools.effects.hold({ what: "${what}" });\nreturn await tools.effects.add({ what: "${what}, then" });\n\`\`\``;
    const tasks: string[] = [];
    for (const what of ["one", "two", "three"]) {
      const created = await daemon.post("/api/tasks", { prompt: prompt(what) });
      tasks.push(((await created.json()) as { id: string }).id);
    }
    const held = (): number =>
      existsSync(join(scratch.path, "held")) ? lines(scratch.path, "held").length : 0;
    await expect.poll(held, { timeout: 60_000 }).toBe(3);

    fill(join(home, "filler"));
    const refused = await daemon.post("/api/tasks", { prompt: prompt("four") });
    expect(refused.status).toBeGreaterThanOrEqual(500);
    writeFileSync(join(scratch.path, "go"), "");
    await expect.poll(() => told, { timeout: 60_000 }).toContain("Running work waits");
    expect((await daemon.fetch("/health")).status).toBe(200);
    for (const id of tasks) expect(await statusOf(daemon, id)).toBe("running");

    rmSync(join(home, "filler"));
    for (const id of tasks)
      await expect.poll(() => statusOf(daemon, id), { timeout: 60_000 }).toBe("succeeded");
    const expected = ["one", "two", "three"].flatMap((what) => [what, `${what}, then`]);
    const done = lines(scratch.path, "effects").map((line) => line.slice(line.indexOf(" ") + 1));
    expect(done.toSorted()).toEqual(expected.toSorted());
    expect(told).toContain("The log can be written again");
    expect(told).not.toMatch(/bug|\n\s+at /i);
  },
  180_000,
);

async function statusOf(daemon: { fetch(path: string): Promise<Response> }, id: string): Promise<string> {
  const response = await daemon.fetch(`/api/tasks/${id}`);
  return ((await response.json()) as { status: string }).status;
}

function lines(directory: string, name: string): readonly string[] {
  return readFileSync(join(directory, name), "utf8").trimEnd().split("\n");
}
