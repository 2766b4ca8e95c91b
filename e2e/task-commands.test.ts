import { expect, test } from "vitest";
import { jsonLines, runDeputy, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

const env = { DEPUTY_TOKEN: TOKEN };

test.each(["without", "with"] as const)(
  "[E978] a task is paused and resumed by its short id, %s a daemon; one that has ended is not",
  async (daemon) => {
    using home = scratchDirectory();
    const run = (...args: readonly string[]) => runDeputy(["tasks", ...args, "--home", home.path], { env });
    const [added] = jsonLines(
      (await run("add", "Say hello", "--schedule", "every day at 9am", "--json")).stdout,
    );
    const id = String(added?.["id"]);
    await using _daemon = daemon === "with" ? await startDaemon(home.path, [], env) : undefined;
    const shown = async () => {
      const [task] = jsonLines((await run("list", "--json")).stdout);
      return [task?.["status"], task?.["nextAt"] !== undefined];
    };
    const short = id.slice(-6).toLowerCase();
    expect(await run("pause", short)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`paused: ${id}`),
    });
    expect(await shown()).toEqual(["paused", false]);
    const resumed = await run("resume", short);
    expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining(`resumed: ${id}\n`) });
    expect(resumed.stdout).toContain("Runs every day at 09:00");
    expect(resumed.stdout).toMatch(/ {2}next \w+ \d+ \w+ \d+ at 09:00/);
    expect(await shown()).toEqual(["scheduled", true]);
    expect(await run("cancel", id)).toMatchObject({ code: 0 });
    expect(await run("resume", id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("already ended"),
    });
    expect(await run("resume", "nobody")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("There is no task"),
    });
  },
);

test("[E979] a list of nothing says so, and its JSON is empty", async () => {
  using home = scratchDirectory();
  const run = (words: readonly string[]) => runDeputy([...words, "--home", home.path]);
  const expectNothing = async (words: readonly string[], said: string): Promise<void> => {
    expect(await run(words)).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining(said) });
    expect(await run([...words, "--json"])).toMatchObject({ code: 0, stdout: "", stderr: "" });
  };
  await expectNothing(["tasks"], "There are no tasks.");
  await expectNothing(["approvals"], "Nothing waits for your approval.");
  await expectNothing(["sessions", "list"], "There are no sessions yet.");
  await run(["tasks", "add", "Say hello", "--schedule", "every day at 9am"]);
  await expectNothing(["sessions", "search", "zebra"], "No message contains all of these words.");
});
