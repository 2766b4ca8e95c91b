import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { HAS_NGIRCD, openIrcWorld } from "../examples/irc/irc-world.ts";
import { ROOT } from "./repository.ts";
import { runDeputy, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

const WAIT = { timeout: 90_000, interval: 50 };

test.skipIf(!HAS_NGIRCD && process.env["DEPUTY_CI"] !== "1")(
  "[E825] an adapter that the settings name is a chat app like any other: strangers are told so once, who pairs is heard, and approves by the word of a button, also after a kill",
  async () => {
    await using world = await openIrcWorld();
    using home = scratchDirectory();
    const irc = {
      enabled: true,
      module: join(ROOT, "examples/irc/irc-app.ts"),
      settings: { port: world.port, nick: "deputy" },
      secrets: { password: "env:IRC" },
    };
    writeFileSync(join(home.path, "config.json"), JSON.stringify({ adapters: { others: { irc } } }));
    const env = { DEPUTY_TOKEN: TOKEN, DEPUTY_MODEL: "rehearsal/tour", IRC: world.password };
    const texts = () => world.shown(world.ada).map(({ lines }) => lines.join("\n"));
    const seen = (fits: RegExp) =>
      vi.waitFor(() => {
        const found = fits.exec(texts().join("\n---\n"));
        if (found === null) throw new Error(`not yet: ${texts().join("\n---\n")}`);
        return found;
      }, WAIT);
    const deputy = (...args: readonly string[]) => runDeputy([...args, "--home", home.path], { env });
    {
      await using daemon = await startDaemon(home.path, [], env);
      world.say("hello?");
      world.say("Close all issues older than 90 days");
      await seen(/does not know you/);
      expect((await deputy("doctor", "--online", "--json")).stdout).toContain("irc accepts the token");
      expect((await deputy("channels", "pair", "pigeon")).stderr).toContain(
        "One of: telegram, slack, discord, irc",
      );
      const { stdout } = await deputy("channels", "pair", "irc");
      world.say(/[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(stdout)?.[0] ?? stdout);
      await seen(/You are paired/);
      world.say("Close all issues older than 90 days");
      await seen(/Approve: !\w{6}/);
      await daemon.end("SIGKILL");
    }
    await using _again = await startDaemon(home.path, [], env);
    const [, code = ""] = await seen(/Approve: (!\w{6})/);
    const told = world.told();
    world.say(code);
    expect(await told).toBe("Approved");
    await seen(/Approved by irc:ada@10\.1\.2\.3/);
    await seen(/acme\/website had/);
    // Nothing grows there: an answer is shown once it is complete, and once.
    expect(texts().filter((text) => text.includes("acme/website had"))).toHaveLength(1);
    expect(texts().filter((text) => text.includes("does not know you"))).toHaveLength(1);
    expect(texts().join("\n")).not.toContain(" …");
    expect((await deputy("sessions", "show", "irc--ada~4010.1.2.3")).stdout).toContain("acme/website had");
  },
);
