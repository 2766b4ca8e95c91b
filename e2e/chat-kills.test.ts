import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type ChatStage, openStage, STAGED_APPS, type StagedApp, type StageShown } from "./chat-stage.ts";
import { openCountingProxy } from "./counting-proxy.ts";
import { createRandom } from "./crash-run.ts";
import { jsonLines, runDeputy, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";
import { SEED } from "./seed.ts";

const ADA = 1;
const FIRST = "```ts\nreturn 20 + 1;\n```";
const PROMPT = "Close all issues older than 90 days";
const LAST = "```ts\nreturn 40 + 2;\n```";
const WAIT = { timeout: 100_000, interval: 50 };
/** Each look is a command. */
const SLOW = { timeout: 100_000, interval: 500 };
const ENV = { DEPUTY_TOKEN: TOKEN, DEPUTY_MODEL: "rehearsal/tour" };

/** How often each app's daemon is killed; `npm run fuzz:chat` does it more often. */
const KILLS = Number(process.env["DEPUTY_CHAT_KILLS"] ?? 3);
/** A conversation is about so long: each piece that is sent or received has a moment before and one after. */
const MOMENTS = 64;

const AGAIN = "Show again";
const asks = ({ buttons }: StageShown): boolean => buttons.includes("Approve");
const isNotice = (text: string): boolean => text.includes("If you do not see it above");
const below = createRandom(SEED);
const cases = STAGED_APPS.flatMap((app) =>
  Array.from({ length: KILLS }, () => ({ app, moment: below(MOMENTS) })),
);

test.each(cases)(
  "[E751] (GC37) killed at moment $moment of what Deputy and $app say to each other: nothing said is lost, nothing is shown twice, and buttons of before still work",
  async ({ app, moment }) => {
    await using world = await openKilledWorld(app, moment);
    const { stage } = world;
    await world.converse();
    const said = await world.transcript();
    for (const text of [FIRST, PROMPT, LAST])
      expect([text, said.filter((one) => one === text).length]).toEqual([text, 1]);
    const replies = stage
      .shown(ADA)
      .map(({ text }) => text)
      .filter((text) => !isNotice(text));
    // A model that is killed in the middle of an answer may say its beginning again: then the session has it twice, too.
    const timesIn = (all: readonly string[], text: string): number =>
      all.filter((one) => one === text).length;
    const twice = replies.filter((text) => timesIn(replies, text) > Math.max(1, timesIn(said, text)));
    expect([...new Set(twice)].slice(world.shownAgain())).toEqual([]);
  },
);

/** A daemon that is killed once, at that moment of the conversation with it, or after its end. */
async function openKilledWorld(app: StagedApp, moment: number) {
  await using opened = new AsyncDisposableStack();
  const stage: ChatStage = opened.use(await openStage(app));
  const home = opened.use(scratchDirectory());
  let moments = -1;
  const killed = Promise.withResolvers<void>();
  const proxy = opened.use(
    await openCountingProxy(stage.apiRoot, (when) => {
      if (moments < 0 || moments > moment) return "goes on";
      // Before or after, as they come.
      if (moments++ !== moment) return "goes on";
      killed.resolve();
      daemon.child.kill("SIGKILL");
      return when === "before" ? "is dropped" : "goes on";
    }),
  );
  const settings = stage.settings({ apiRoot: proxy.origin, allowedUserIds: [stage.person(ADA)] });
  writeFileSync(join(home.path, "config.json"), JSON.stringify({ adapters: { [app]: settings } }));
  const env = { ...ENV, ...stage.env };
  const start = () => startDaemon(home.path, [], env);
  let daemon = await start();
  opened.defer(async () => void (await daemon.end("SIGKILL")));
  let isBack = false;
  const back = killed.promise.then(async () => {
    await daemon.end("SIGKILL");
    daemon = await start();
    await vi.waitFor(() => expect(stage.connected()).toBe(true), WAIT);
    isBack = true;
  });
  back.catch(() => undefined);

  const seen = (fits: (one: StageShown) => boolean): Promise<StageShown> =>
    vi.waitFor(() => {
      const found = stage.shown(ADA).findLast(fits);
      const texts = stage.shown(ADA).map(({ text, buttons }) => `${text} [${buttons.join()}]`);
      if (found === undefined) throw new Error(`not yet: ${texts.join("\n---\n")}`);
      return found;
    }, WAIT);
  let again = 0;
  const pending = async (): Promise<string> =>
    (await runDeputy(["approvals", "--json", "--home", home.path], { env })).stdout.trim();
  /** As a person does: where nothing came of it because Deputy was away, once more. */
  const approve = async (): Promise<void> => {
    const noticed = await seen((one) => asks(one) || one.buttons.includes(AGAIN));
    const { ref, buttons } = stage.shown(ADA).find(asks) ?? noticed;
    if (buttons.includes(AGAIN)) {
      // Perhaps it was the card that did not arrive; then a question waits, and is shown when that is wanted.
      await vi.waitFor(async () => expect(await pending()).not.toBe(""), SLOW);
      if (!stage.shown(ADA).some(asks)) {
        again += 1;
        await stage.press(ADA, ref, AGAIN).catch(() => "it is another message by now");
        await seen(asks);
      }
      return await approve();
    }
    const before = isBack;
    const told = stage.press(ADA, ref, "Approve").then(() => "told" as const);
    const lost = before ? new Promise<never>(() => undefined) : back.then(() => "lost" as const);
    if ((await Promise.race([told, lost])) === "told") return;
    if (stage.shown(ADA).some(asks)) await approve();
  };
  /** What the session has, in order. */
  const transcript = async (): Promise<readonly string[]> => {
    const args = ["sessions", "show", stage.session(ADA), "--json", "--home", home.path];
    const { stdout } = await runDeputy(args, { env });
    return jsonLines(stdout).map((line) => (line as { content?: string }).content?.trim() ?? "");
  };
  const owned = opened.move();
  return {
    stage,
    transcript,
    /** How often something was shown again, because that was wanted. */
    shownAgain: () => again,
    async converse() {
      await vi.waitFor(() => expect(stage.connected()).toBe(true), WAIT);
      stage.say(ADA, FIRST);
      await seen(({ text }) => text.includes("21"));
      moments = 0;
      stage.say(ADA, PROMPT);
      await approve();
      await seen(({ text }) => text.startsWith("acme/website had") || isNotice(text));
      await vi.waitFor(() => expect(stage.shown(ADA).filter(asks)).toEqual([]), WAIT);
      stage.say(ADA, LAST);
      await vi.waitFor(async () => expect((await transcript()).at(-1)).toContain("42"), SLOW);
      if (moments <= moment) {
        moments = moment + 1;
        killed.resolve();
      }
      await back;
      await seen(({ text }) => text.includes("42") || isNotice(text));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
