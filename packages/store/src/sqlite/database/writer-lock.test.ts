import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { writeFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { message, setUpHome } from "../store.fixture.ts";

/** Another process that opens the home, reports it, and stays. */
async function holdElsewhere(directory: string): Promise<ChildProcess> {
  const module = (name: string): string => JSON.stringify(fileURLToPath(import.meta.resolve(name)));
  const script = `
    import { createIdSource, createSystemClock } from ${module("@deputy/kit")};
    import { openSqliteStore } from ${module("@deputy/store/sqlite")};
    const clock = createSystemClock();
    const directory = ${JSON.stringify(directory)};
    globalThis.held = await openSqliteStore({ directory, clock, ids: createIdSource({ clock }) });
    console.log("open");
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

test("[S2] refuses another process and names the holder, until the holder dies", async () => {
  const home = setUpHome();
  const holder = await holdElsewhere(home.directory);
  await expect(home.open()).rejects.toMatchObject({
    code: "home_in_use",
    message: expect.stringContaining(`process ${holder.pid}`) as string,
  });
  holder.kill("SIGKILL");
  await once(holder, "exit");
  const store = await home.open();
  await store.log.append("system", [message("mine now")]);
});

test("[S2] refuses a second opening in the same process without disturbing the first", async () => {
  const home = setUpHome();
  const store = await home.open();
  await expect(home.open()).rejects.toMatchObject({
    code: "home_in_use",
    message: expect.stringContaining("this process") as string,
  });
  await expect(home.open()).rejects.toMatchObject({ code: "home_in_use" });
  await store.log.append("system", [message("still here")]);
  await store.close();
  await store.close();
  await expect(home.open()).resolves.toBeDefined();
});

test("[S2] lets exactly one of many simultaneous openers in", async () => {
  const home = setUpHome();
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => home.open()));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("[S2] a lock file that is not a database is reported as unusable, not as held", async () => {
  const home = setUpHome();
  writeFileSync(home.path("deputy.lock"), "not a database, and longer than a header of one".repeat(20));
  await expect(home.open()).rejects.toMatchObject({
    code: "home_unusable",
    hint: expect.stringContaining("delete it") as string,
  });
});
