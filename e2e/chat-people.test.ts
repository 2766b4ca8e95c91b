import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openStage, STAGED_APPS, type StagedApp, type StageShown, type Where } from "./chat-stage.ts";
import { EXAMPLE_REQUESTS } from "./example-requests.ts";
import {
  collectOutput,
  jsonLines,
  runDeputy,
  scratchDirectory,
  startDaemon,
  startDeputy,
  TOKEN,
} from "./run-deputy.ts";

const [ADA, EVE, MALLORY] = [1, 2, 3] as const;
const [[FIRST]] = EXAMPLE_REQUESTS as readonly [readonly [string, RegExp]];
const WAIT = { timeout: 90_000, interval: 50 };
const TOKENS: Readonly<Record<StagedApp, readonly string[]>> = {
  telegram: ["--token", "env:TELEGRAM"],
  slack: ["--token", "env:SLACK_BOT", "--app-token", "env:SLACK_APP"],
  discord: ["--token", "env:DISCORD"],
};

const asks = ({ buttons }: StageShown): boolean => buttons.includes("Approve");

/** A daemon with an app that is not connected yet, in whose room Eve is a guest. */
async function setup(app: StagedApp) {
  const stage = await openStage(app);
  const home = scratchDirectory();
  const settings = { enabled: false, botToken: "", guestIds: [stage.person(EVE)], groupIds: [stage.group] };
  writeFileSync(
    join(home.path, "config.json"),
    JSON.stringify({ adapters: { [app]: stage.settings(settings) } }),
  );
  const env = { DEPUTY_TOKEN: TOKEN, DEPUTY_MODEL: "rehearsal/tour", ...stage.env };
  const daemon = await startDaemon(home.path, [], env);
  onTestFinished(async () => {
    await daemon[Symbol.asyncDispose]();
    await stage[Symbol.asyncDispose]();
    home[Symbol.dispose]();
  });
  /** The first that fits, of what is shown there after that message. */
  const seen = (where: Where, fits: (one: StageShown) => boolean, after?: string): Promise<StageShown> =>
    vi.waitFor(() => {
      const all = stage.shown(where);
      const found = all.slice(all.findIndex(({ ref }) => ref === after) + 1).find(fits);
      if (found === undefined) throw new Error(`not yet: ${all.map(({ text }) => text).join("\n---\n")}`);
      return found;
    }, WAIT);
  const own = ["--home", home.path];
  /** Connects the app by the command, and sends the code that it shows as soon as the app hears. */
  const add = async () => {
    const adding = startDeputy(["channels", "add", app, ...TOKENS[app], ...own], { env });
    const code = Promise.withResolvers<string>();
    let told = "";
    adding.stdout?.on("data", (bytes: Buffer) => {
      told += bytes.toString();
      const found = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(told)?.[0];
      if (found !== undefined) code.resolve(found);
    });
    const shown = await code.promise;
    await vi.waitFor(() => expect(stage.connected()).toBe(true), WAIT);
    stage.say(ADA, shown);
    return { ...(await collectOutput(adding)), told };
  };
  const deputy = (...args: readonly string[]) => runDeputy([...args, ...own], { env });
  return { stage, seen, add, deputy };
}

test.each(STAGED_APPS)(
  "[E750] (GC29) (GC38) (GC39) (GC40) `channels add` pairs in %s; a stranger gets one line and no model, a guest is answered and approves nothing, and the example requests are approved by button",
  async (app) => {
    const { stage, seen, add, deputy } = await setup(app);
    const added = await add();
    expect(added).toMatchObject({ code: 0, told: expect.stringContaining("Deputy is @deputy") });
    await seen(ADA, ({ text }) => text.startsWith("You are paired"));
    expect((await deputy("doctor", "--online", "--json")).stdout).toContain("accepts the token");

    stage.say(MALLORY, FIRST);
    await seen(MALLORY, ({ text }) => text.includes("does not know you"));
    stage.say(MALLORY, "hello?");
    stage.say(MALLORY, "hello?", { room: true });
    stage.say(EVE, FIRST, { room: true });
    const card = await seen("room", asks);
    expect(await stage.press(EVE, card.ref, "Approve", "room")).toBe("Only the owner can answer.");
    expect(await stage.press(ADA, card.ref, "Deny", "room")).toBe("Denied");
    const by = `by ${app}:${stage.person(ADA)}`;
    await seen("room", ({ ref, text }) => ref === card.ref && text.includes(`Denied ${by}`));

    let last = stage.shown(ADA).at(-1)?.ref;
    for (const [request, answered] of EXAMPLE_REQUESTS) {
      stage.say(ADA, request);
      const question = await seen(ADA, asks, last);
      expect(await stage.press(ADA, question.ref, "Details")).toBe("All of it is below.");
      const all = await seen(ADA, asks, question.ref);
      expect(await stage.press(ADA, all.ref, "Approve")).toBe("Approved");
      for (const shown of [question, all]) {
        const decided = await seen(ADA, ({ ref, buttons }) => ref === shown.ref && buttons.length === 0);
        expect(decided.text).toContain(`Approved ${by}`);
      }
      last = (await seen(ADA, ({ text }) => answered.test(text), all.ref)).ref;
    }
    expect(jsonLines((await deputy("tasks", "list", "--json")).stdout).length).toBeGreaterThanOrEqual(3);
    expect(stage.shown(MALLORY)).toHaveLength(1);
    expect(stage.shown("room").some(({ text }) => text.includes("does not know you"))).toBe(false);
  },
);
