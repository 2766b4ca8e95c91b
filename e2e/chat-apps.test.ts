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

/** What of chat apps, mail and push a daemon with these settings has loaded. */
async function loadedBy(
  adapters: object,
  env: Readonly<Record<string, string>>,
  isReady: () => boolean,
): Promise<readonly string[]> {
  using home = scratchDirectory();
  writeFileSync(join(home.path, "config.json"), JSON.stringify({ adapters }));
  const told = `
    import { registerHooks } from "node:module";
    const loaded = new Set();
    registerHooks({ load: (url, context, next) => (loaded.add(url), next(url, context)) });
    const parts = /(?:packages\\/(?:adapter-\\w+|channels|notify)|node_modules\\/(?:@slack|@discordjs|grammy|nodemailer|react|web-push))(?=\\/)/;
    process.on("exit", () => {
      const found = new Set([...loaded].flatMap((url) => parts.exec(url)?.[0] ?? []));
      process._rawDebug("loaded " + loaded.size + ": " + [...found].sort().join(" ") + ";");
    });`;
  const hook = `--import data:text/javascript,${encodeURIComponent(told)}`;
  const all = { DEPUTY_TOKEN: TOKEN, DEPUTY_MODEL: "rehearsal/tour", NODE_OPTIONS: hook, ...env };
  await using daemon = await startDaemon(home.path, [], all, "sources");
  await daemon.fetch("/api/sessions");
  await vi.waitFor(() => expect(isReady()).toBe(true), WAIT);
  await daemon.end("SIGTERM");
  const pattern = /^loaded \d{3,}: (.*);$/m;
  await vi.waitFor(() => expect(daemon.told()).toMatch(pattern), WAIT);
  const [, found = ""] = pattern.exec(daemon.told()) ?? [];
  return found === "" ? [] : found.split(" ");
}

test("[E757] a daemon loads the chat apps that are connected, and no other; with none, nothing of them", async () => {
  await using stage = await openStage("telegram");
  const connected = await loadedBy({ telegram: stage.settings() }, stage.env, stage.connected);
  expect(connected).toEqual(["node_modules/grammy", "packages/adapter-telegram", "packages/channels"]);
  const none = await loadedBy({}, {}, () => true);
  expect(none).toEqual([]);
});
