import { createSystemClock } from "@deputy/kit";
import {
  describeChatApp,
  directChannel,
  type PostFault,
  serveSlack,
  type SlackFault,
} from "@deputy/testing/chat-apps";
import { createSlackApp } from "./slack-app.ts";

const ADA = "UADA";
const GROUP = "C100";
const FAULTS: Readonly<Record<PostFault, SlackFault>> = {
  limited: { kind: "limit", seconds: 1 },
  failing: { kind: "status", status: 502 },
  lost: { kind: "cut_after" },
};

describeChatApp("Slack", async () => {
  const server = await serveSlack();
  const { botToken, appToken, apiRoot } = server;
  const placeOf = (place: string): [string, string] => place.split("--") as [string, string];
  return {
    connect: ({ tell = () => undefined } = {}) =>
      createSlackApp({ botToken, appToken, apiRoot, clock: createSystemClock(), tell }),
    secrets: [botToken, appToken],
    ada: ADA,
    say(text, { after, group, byBot, file } = {}) {
      const channel = group === undefined ? directChannel(ADA) : GROUP;
      const ts = server.say(ADA, text, {
        channel,
        mentions: group === "to_deputy",
        ...(after !== undefined && { thread: placeOf(after)[1] }),
        ...(byBot === true && { byBot }),
        ...(file !== undefined && { file }),
      });
      return after ?? `${channel}--${ts}`;
    },
    press: (place, ref, label) => server.press(ADA, placeOf(place)[0], ref, label),
    shown: (place) =>
      server
        .messages(...placeOf(place))
        .map(({ ts, text, buttons, file }) => ({ ref: ts, text, buttons, file })),
    breakPost: (how) => server.fail("chat.postMessage", FAULTS[how]),
    storm: () => server.storm("begins"),
    mend: () => server.storm("ends"),
    nowhere: "D404--1.2",
    revoke: server.revoke,
    service: { ...server, garble: (body) => server.fail("chat.postMessage", { kind: "garble", body }) },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
});
