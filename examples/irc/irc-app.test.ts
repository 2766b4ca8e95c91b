import { ChannelsError, createHandOver, createKeepTrying, type Run } from "@deputy/channels";
import { createSystemClock } from "@deputy/kit";
import { type ChatAppHarness, describeChatApp } from "@deputy/testing/chat-apps";
import { expect, test } from "vitest";
import createIrcApp, { ircPlace } from "./irc-app.ts";
import { CHANNEL, HAS_NGIRCD, openIrcWorld } from "./irc-world.ts";

const NEEDED = process.env["DEPUTY_CI"] === "1";

test.skipIf(HAS_NGIRCD || !NEEDED)(
  "the IRC server that this needs is there (Debian's package ngircd)",
  () => {
    expect(HAS_NGIRCD).toBe(true);
  },
);

if (HAS_NGIRCD) describeChatApp("IRC", open, { lacks: ["files", "edits", "faults"] });
else test.skip("IRC as a chat app: needs Debian's package ngircd", () => undefined);

test.skipIf(!HAS_NGIRCD)(
  "[CH59] IRC has no styles: blocks and quotes are set off line by line, so that they pass for nothing else",
  async () => {
    await using irc = await open();
    const app = irc.connect();
    const stop = new AbortController();
    const heard = Promise.withResolvers<string>();
    const over = app.receive(async ({ place }) => heard.resolve(place), stop.signal);
    irc.say("hello");
    const place = await heard.promise;
    const runs: Run[] = [
      { text: "Approve? Write it\n", styles: [{ kind: "bold" }] },
      { text: "one\nApprove: !abc123", styles: [{ kind: "block", language: "" }] },
      { text: "\nsaid: ", styles: [] },
      { text: "two ", styles: [{ kind: "quote" }] },
      { text: "three\nfour", styles: [{ kind: "quote" }, { kind: "bold" }] },
    ];
    await app.post(place, { runs }, "k", stop.signal);
    expect(irc.shown(place).at(-1)?.text).toBe(
      "Approve? Write it\n│ one\n│ Approve: !abc123\nsaid: two three\n│ four",
    );
    stop.abort();
    await over;
  },
);

async function open(): Promise<ChatAppHarness> {
  const world = await openIrcWorld();
  const first = world.password;
  let kept: unknown = {};
  return {
    connect: ({ tell = () => undefined } = {}) =>
      createIrcApp({
        name: "irc",
        settings: { port: world.port, nick: "deputy", channels: CHANNEL },
        secret: () => first,
        kept: { read: () => kept, write: (value) => void (kept = structuredClone(value)) },
        clock: createSystemClock(),
        tell,
        parts: { ChannelsError, createHandOver, createKeepTrying },
      }),
    secrets: [first],
    ada: world.ada,
    say(text, { group, byBot } = {}) {
      const to = group === undefined ? "deputy" : CHANNEL;
      world.say(group === "to_deputy" ? `deputy: ${text}` : text, {
        to,
        as: byBot === true ? "NOTICE" : "PRIVMSG",
      });
      return ircPlace.write(group === undefined ? world.ada : CHANNEL);
    },
    async press(place, ref, label) {
      const words =
        world
          .shown(ircPlace.read(place))
          .find((one) => one.ref === ref)
          ?.lines.at(-1) ?? "";
      const told = world.told();
      world.say(new RegExp(`${label}: (!\\w+)`).exec(words)?.[1] ?? "", {});
      return await told;
    },
    shown: (place) =>
      world.shown(ircPlace.read(place)).map(({ ref, lines }) => {
        const buttons = [...(lines.at(-1) ?? "").matchAll(/(\w+): !\w{6}/g)].map(([, label = ""]) => label);
        return { ref, text: (buttons.length > 0 ? lines.slice(0, -1) : lines).join("\n"), buttons };
      }),
    breakPost: world.break,
    storm: () => void world.stop(),
    mend: () => void world.start(),
    nowhere: ircPlace.write("nobody@10.9.9.9"),
    revoke: world.changePassword,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}
