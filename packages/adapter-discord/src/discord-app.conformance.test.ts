import { createSystemClock } from "@deputy/kit";
import {
  describeChatApp,
  discordChat,
  type DiscordFault,
  type PostFault,
  serveDiscord,
} from "@deputy/testing/chat-apps";
import { expect, vi } from "vitest";
import { createDiscordApp } from "./discord-app.ts";

const ADA = "800000000000000017";
const GROUP = "600000000000000001";
const WAIT = { timeout: 90_000, interval: 20 };
const FAULTS: Readonly<Record<PostFault, DiscordFault>> = {
  limited: { kind: "limit", seconds: 1 },
  failing: { kind: "status", status: 502 },
  lost: { kind: "cut_after" },
};

describeChatApp("Discord", async () => {
  const server = await serveDiscord();
  // Ada has talked to Deputy before: where Deputy was never heard of, Discord does not say what it has missed.
  const before = [discordChat(ADA), GROUP].map((place) => [place, "1"]);
  let kept: unknown = { places: before };
  const began = () => server.counts.identified + server.counts.resumed;
  let beganBefore = 0;
  return {
    connect({ tell = () => undefined } = {}) {
      beganBefore = began();
      return createDiscordApp({
        token: server.token,
        apiRoot: server.apiRoot,
        kept: { read: () => kept, write: (value) => void (kept = structuredClone(value)) },
        clock: createSystemClock(),
        tell,
      });
    },
    secrets: [server.token],
    ada: ADA,
    say(text, { group, byBot, file } = {}) {
      const channel = group === undefined ? discordChat(ADA) : GROUP;
      server.say(ADA, text, {
        channel,
        mentions: group === "to_deputy",
        ...(byBot === true && { byBot }),
        ...(file !== undefined && { file }),
      });
      return channel;
    },
    async press(place, ref, label) {
      // Discord has a button pressed only while Deputy is connected; else it tells who presses that it failed.
      await vi.waitFor(() => expect(began()).toBeGreaterThan(beganBefore), WAIT);
      return await server.press(ADA, place, ref, label);
    },
    shown: (place) =>
      server.messages(place).map(({ id, text, buttons, file }) => ({ ref: id, text, buttons, file })),
    breakPost: (how) => server.fail("POST messages", FAULTS[how]),
    storm: () => server.storm("begins"),
    mend: () => server.storm("ends"),
    nowhere: "404",
    revoke: server.revoke,
    service: { ...server, garble: (body) => server.fail("POST messages", { kind: "garble", body }) },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
});
