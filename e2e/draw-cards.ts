import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  directChannel,
  discordChat,
  drawChat,
  type DrawnApp,
  readDiscordMarkdown,
  serveDiscord,
  serveSlack,
  serveTelegram,
} from "@deputy/testing/chat-apps";
import { launchChromium } from "./chromium.ts";
import { ROOT } from "./repository.ts";
import { scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

// `npm run pictures`: a card of each chat app, as a real daemon posts it to the app's fake, for docs/pictures.
const REQUEST = "Close all issues older than 90 days";
const ADA = { telegram: 17, slack: "UADA", discord: "800000000000000017" } as const;
const LOOK_MS = 50;
const WITHIN_MS = 120_000;

async function until<Value>(find: () => Value | undefined): Promise<Value> {
  const end = Date.now() + WITHIN_MS;
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error("No card was shown in time");
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

await using telegram = await serveTelegram();
await using slack = await serveSlack();
await using discord = await serveDiscord();
using home = scratchDirectory();
const adapters = {
  telegram: {
    enabled: true,
    botToken: "env:TELEGRAM",
    apiRoot: telegram.apiRoot,
    allowedUserIds: [ADA.telegram],
  },
  slack: {
    enabled: true,
    botToken: "env:SLACK",
    appToken: "env:SLACK_APP",
    apiRoot: slack.apiRoot,
    allowedUserIds: [ADA.slack],
  },
  discord: {
    enabled: true,
    botToken: "env:DISCORD",
    apiRoot: discord.apiRoot,
    allowedUserIds: [ADA.discord],
  },
};
writeFileSync(join(home.path, "config.json"), JSON.stringify({ adapters }));
await using _daemon = await startDaemon(home.path, [], {
  DEPUTY_TOKEN: TOKEN,
  DEPUTY_MODEL: "rehearsal/tour",
  TELEGRAM: telegram.token,
  SLACK: slack.botToken,
  SLACK_APP: slack.appToken,
  DISCORD: discord.token,
});
await until(() => (slack.connections() + discord.connections() === 2 ? true : undefined));
telegram.say({ id: ADA.telegram, first_name: "Ada" }, REQUEST);
const thread = slack.say(ADA.slack, REQUEST);
discord.say(ADA.discord, REQUEST);
interface Drawn {
  readonly html: string;
  readonly buttons: readonly string[];
}
const shown: Readonly<Record<DrawnApp, () => readonly Drawn[]>> = {
  telegram: () => telegram.messages(ADA.telegram),
  slack: () => slack.messages(directChannel(ADA.slack), thread),
  discord: () =>
    discord
      .messages(discordChat(ADA.discord))
      .map(({ markdown, buttons }) => ({ html: readDiscordMarkdown(markdown, "html").text, buttons })),
};
await using browser = await launchChromium();
for (const app of ["telegram", "slack", "discord"] as const) {
  const card = await until(() => shown[app]().find(({ buttons }) => buttons.includes("Approve")));
  const page = await browser.newPage({ viewport: { width: 512, height: 300 } });
  await page.setContent(
    drawChat(app, [
      { by: "person", html: REQUEST, buttons: [] },
      { by: "deputy", ...card },
    ]),
  );
  await page.screenshot({ path: join(ROOT, `docs/pictures/${app}-card.png`), fullPage: true });
}
