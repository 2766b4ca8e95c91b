import { createSystemClock } from "@deputy/kit";
import {
  type ChatAppHarness,
  describeChatApp,
  type PostFault,
  serveTelegram,
  type TelegramFault,
} from "@deputy/testing/chat-apps";
import { freePort } from "./free-port.fixture.ts";
import type { WebhookOptions } from "./serve-webhook.ts";
import { createTelegramApp } from "./telegram-app.ts";

const ada = { id: 17, first_name: "Ada" };
const GROUP = { id: -100, type: "supergroup" as const };
const FAULTS: Readonly<Record<PostFault, TelegramFault>> = {
  limited: { kind: "refuse", code: 429, description: "Too Many Requests", retryAfter: 1 },
  failing: { kind: "refuse", code: 502, description: "Bad Gateway" },
  lost: { kind: "cut_after" },
};

const SECRET = "s3cret-of-ours";
describeChatApp("Telegram", () => open(async () => undefined));
describeChatApp(
  "Telegram by webhook",
  () =>
    open(async () => {
      const port = await freePort();
      return { url: `http://127.0.0.1:${port}/telegram`, host: "127.0.0.1", port, secret: SECRET };
    }),
  { lacks: ["revocations"] },
);

async function open(choose: () => Promise<WebhookOptions | undefined>): Promise<ChatAppHarness> {
  const server = await serveTelegram();
  const webhook = await choose();
  const { token, apiRoot } = server;
  return {
    connect: ({ tell = () => undefined } = {}) =>
      createTelegramApp({ token, apiRoot, clock: createSystemClock(), tell, webhook }),
    secrets: [token, SECRET],
    ada: String(ada.id),
    say(text, { group, byBot, file } = {}) {
      const words = group === "to_deputy" ? `@deputy_test_bot ${text}` : text;
      server.say({ ...ada, ...(byBot === true && { is_bot: true }) }, words, {
        ...(group !== undefined && { chat: GROUP }),
        ...(file !== undefined && { file }),
      });
      return group === undefined ? String(ada.id) : String(GROUP.id);
    },
    press: (place, ref, label) => server.press(ada, Number(place), Number(ref), label),
    shown: (place) =>
      server
        .messages(Number(place))
        .map(({ id, text, buttons, file }) => ({ ref: String(id), text, buttons, file })),
    breakPost: (how) => server.fail("sendMessage", FAULTS[how]),
    storm: () => server.storm("begins"),
    mend: () => server.storm("ends"),
    nowhere: "99",
    revoke: server.revoke,
    service: { ...server, garble: (body) => server.fail("sendMessage", { kind: "garble", body }) },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
