import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openStage, STAGED_APPS } from "./chat-stage.ts";
import { ROOT } from "./repository.ts";
import { jsonLines, runDeputy, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

const ADA = 1;
/** Closing asks before every call. */
const CLOSE =
  "```ts\nconst repository = { owner: 'acme', repo: 'website' };\n" +
  "const [first] = await tools.github.issues.list(repository);\n" +
  "return await tools.github.issues.close({ ...repository, issueNumber: first.number, title: first.title });\n```";
const WAIT = { timeout: 90_000, interval: 50 };

/** One daemon with all chat apps, in each of which Ada is its owner. */
async function openWorld() {
  await using opened = new AsyncDisposableStack();
  const stages = [];
  for (const app of STAGED_APPS) stages.push(opened.use(await openStage(app)));
  const home = opened.use(scratchDirectory());
  const adapters = Object.fromEntries(
    stages.map((stage) => [stage.app, stage.settings({ allowedUserIds: [stage.person(ADA)] })]),
  );
  const toolSources = [join(ROOT, "e2e/chat-plugin.ts")];
  writeFileSync(join(home.path, "config.json"), JSON.stringify({ adapters, toolSources }));
  const env: Record<string, string> = { DEPUTY_TOKEN: TOKEN, DEPUTY_MODEL: "rehearsal/tour" };
  Object.assign(env, ...stages.map((stage) => stage.env));
  const daemon = opened.use(await startDaemon(home.path, [], env));
  for (const stage of stages) await vi.waitFor(() => expect(stage.connected()).toBe(true), WAIT);
  const owned = opened.move();
  return {
    stages,
    pid: daemon.child.pid,
    deputy: (...args: readonly string[]) => runDeputy([...args, "--home", home.path], { env }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

test("[E756] files that a call makes are posted in Telegram, Slack and Discord, by one daemon that is small with all of them", async () => {
  await using world = await openWorld();
  const status = readFileSync(`/proc/${world.pid}/status`, "utf8");
  expect(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024).toBeLessThanOrEqual(160);
  for (const stage of world.stages) {
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

test("[E758] a card that is answered elsewhere says so in Telegram, Slack and Discord, and its button answers nothing any more", async () => {
  await using world = await openWorld();
  for (const { say, shown, press } of world.stages) {
    say(ADA, CLOSE);
    const card = await vi.waitFor(() => {
      const found = shown(ADA).find(({ buttons }) => buttons.includes("Approve"));
      if (found === undefined) throw new Error("not asked yet");
      return found;
    }, WAIT);
    const [pending] = jsonLines((await world.deputy("approvals", "--json")).stdout);
    // Somebody presses while it is answered elsewhere: one of them is first, and the card says which.
    expect((await world.deputy("approvals", "approve", String(pending?.["id"]))).code).toBe(0);
    const late = await press(ADA, card.ref, "Approve").catch(() => "gone");
    expect(late).toMatch(/already answered|gone/);
    await vi.waitFor(
      () =>
        expect(shown(ADA).find(({ ref }) => ref === card.ref)).toMatchObject({
          buttons: [],
          text: expect.stringMatching(/Approved by |already answered/),
        }),
      WAIT,
    );
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
