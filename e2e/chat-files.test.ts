import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openStage, STAGED_APPS } from "./chat-stage.ts";
import { ROOT } from "./repository.ts";
import { scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

const ADA = 1;
const WAIT = { timeout: 60_000, interval: 50 };

test("[E756] files that a call makes are posted in Telegram, Slack and Discord, by one daemon that is small with all of them", async () => {
  await using opened = new AsyncDisposableStack();
  const stages = [];
  for (const app of STAGED_APPS) stages.push(opened.use(await openStage(app)));
  const home = opened.use(scratchDirectory());
  const adapters = Object.fromEntries(
    stages.map((stage) => [stage.app, stage.settings({ allowedUserIds: [stage.person(ADA)] })]),
  );
  const toolSources = [join(ROOT, "e2e/chat-plugin.ts")];
  writeFileSync(join(home.path, "config.json"), JSON.stringify({ adapters, toolSources }));
  const env = { DEPUTY_TOKEN: TOKEN, DEPUTY_MODEL: "rehearsal/tour" };
  const daemon = opened.use(
    await startDaemon(home.path, [], Object.assign(env, ...stages.map((stage) => stage.env))),
  );
  for (const stage of stages) await vi.waitFor(() => expect(stage.connected()).toBe(true), WAIT);
  const status = readFileSync(`/proc/${daemon.child.pid}/status`, "utf8");
  expect(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024).toBeLessThanOrEqual(160);
  for (const stage of stages) {
    stage.say(ADA, "```ts\nreturn await tools.shots.take({});\n```");
    await vi.waitFor(() => {
      const files = stage.shown(ADA).flatMap(({ file }) => file ?? []);
      expect(files.map(({ name, bytes }) => [name, new TextDecoder().decode(bytes)])).toEqual([
        ["shot.png", "a picture"],
        ["rows.csv", "a,b"],
      ]);
    }, WAIT);
    expect(stage.shown(ADA).find(({ file }) => file?.name === "shot.png")?.text).toBe("shot.png");
  }
});
