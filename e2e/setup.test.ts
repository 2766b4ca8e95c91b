import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openPacedModel } from "./paced-model.ts";
import { KEYS, openTerminal, pty } from "./pseudo-terminal.ts";
import { jsonLines, runDeputy, scratchDirectory, startDaemon } from "./run-deputy.ts";

const checks = (stdout: string): Record<string, unknown> =>
  Object.fromEntries(jsonLines(stdout).map(({ check, status }) => [String(check), status]));

const doctor = (home: string, args: readonly string[] = [], env: Record<string, string> = {}) =>
  runDeputy(["doctor", "--json", "--home", home, ...args], { env: { DEPUTY_PORT: "0", ...env } });

test("[E320] doctor finds nothing wrong with a new home, and makes nothing", async () => {
  using scratch = scratchDirectory();
  const home = join(scratch.path, "home");
  const { code, stdout } = await doctor(home);
  expect(code, stdout).toBe(0);
  const found = checks(stdout);
  expect(found).toMatchObject({
    node: "ok",
    home: "ok",
    config: "ok",
    token: "ok",
    log: "ok",
    clock: "ok",
    daemon: "ok",
  });
  expect(found).toMatchObject({ model: "advice", port: "ok" });
  expect(existsSync(home)).toBe(false);
});

test("[E320] doctor says what is wrong, each with a fix, and ends with 1", async () => {
  using home = scratchDirectory();
  chmodSync(home.path, 0o755);
  writeFileSync(join(home.path, "config.json"), '{"gateway": {"port": "http"}}');
  writeFileSync(join(home.path, "token"), "short", { mode: 0o600 });
  writeFileSync(join(home.path, "deputy.db"), "this is no database");
  const { code, stdout } = await doctor(home.path, [], { DEPUTY_MODEL: "anthropic/claude-sonnet-5" });
  expect(code).toBe(1);
  expect(checks(stdout)).toMatchObject({
    home: "wrong",
    config: "wrong",
    token: "wrong",
    model: "wrong",
    log: "wrong",
  });
  for (const { status, fix, check } of jsonLines(stdout))
    if (status !== "ok") expect(fix, String(check)).toMatch(/\w/);
  const people = await runDeputy(["doctor", "--home", home.path]);
  expect(people.stdout).toContain(`→ chmod 700 ${home.path}`);
});

test("[E320] doctor knows the running daemon, and a port that somebody else has", async () => {
  using home = scratchDirectory();
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? String(address.port) : "";
  const taken = await doctor(home.path, [], { DEPUTY_PORT: port });
  server.close();
  expect(checks(taken.stdout)).toMatchObject({ port: "advice", daemon: "ok" });
  await using daemon = await startDaemon(home.path);
  const { stdout } = await doctor(home.path);
  expect(stdout).toContain(`It answers at ${daemon.url}`);
});

test("[E321] a model is accepted after a call and its answer; its key is kept apart, for its owner alone", async () => {
  using home = scratchDirectory();
  await using model = await openPacedModel();
  const url = model.env["DEPUTY_LOCAL_BASE_URL"] ?? "";
  const args = ["init", "--model", "local/paced", "--base-url", url, "--key", "-", "--home", home.path];
  const done = runDeputy(args, { input: "sk-secret-value-123\n" });
  const first = await model.asked();
  first.call("note_word", { word: "heliotrope" });
  const second = await model.asked();
  expect(second.messages.at(-1)).toMatchObject({ role: "tool" });
  second.write("Noted.");
  second.end();
  expect(await done).toMatchObject({ code: 0 });
  const config = readFileSync(join(home.path, "config.json"), "utf8");
  expect(JSON.parse(config)).toMatchObject({
    agent: { model: "local/paced" },
    providers: { local: { apiKey: "file:keys/local", baseUrl: url } },
  });
  expect(config).not.toContain("sk-secret");
  expect(readFileSync(join(home.path, "keys/local"), "utf8")).toBe("sk-secret-value-123\n");
  expect(statSync(join(home.path, "keys/local")).mode & 0o777).toBe(0o600);
  expect(statSync(join(home.path, "token")).mode & 0o777).toBe(0o600);
});

test("[E321] a model that only talks, or does not answer, is refused, and nothing is written", async () => {
  using home = scratchDirectory();
  await using model = await openPacedModel();
  const url = model.env["DEPUTY_LOCAL_BASE_URL"] ?? "";
  const talking = runDeputy(["init", "--model", "local/paced", "--base-url", url, "--home", home.path]);
  const asked = await model.asked();
  asked.write("I would call note_word with heliotrope.");
  asked.end();
  expect(await talking).toMatchObject({ code: 1, stderr: expect.stringContaining("does not call tools") });
  const gone = await runDeputy([
    "init",
    "--model",
    "local/x",
    "--base-url",
    "http://127.0.0.1:9",
    "--home",
    home.path,
  ]);
  expect(gone.code).toBe(1);
  expect(JSON.parse(readFileSync(join(home.path, "config.json"), "utf8"))).toEqual({});
});

test("[E321] a key on the command line is refused, and so is asking nobody", async () => {
  using home = scratchDirectory();
  const shown = await runDeputy(["init", "--model", "openai/x", "--key", "sk-live", "--home", home.path]);
  expect(shown).toMatchObject({ code: 2 });
  expect(shown.stderr).not.toContain("sk-live");
  expect(await runDeputy(["init", "--home", home.path])).toMatchObject({ code: 2 });
  expect(await runDeputy(["init", "--model", "rehearsal/tour", "--home", home.path])).toMatchObject({
    code: 0,
  });
});

test.skipIf(pty === undefined)(
  "[E321] in a terminal, init asks; whoever leaves changes nothing",
  async () => {
    using home = scratchDirectory();
    await using asking = openTerminal(["init", "--home", home.path]);
    await asking.see("Which model is Deputy to ask?");
    asking.type(KEYS.interrupt);
    expect(await asking.ended()).toBe(1);
    await using terminal = openTerminal(["init", "--home", home.path]);
    await terminal.see("None yet");
    terminal.type(KEYS.up);
    terminal.type(KEYS.enter);
    await terminal.see("Deputy asks rehearsal/tour");
    expect(await terminal.ended()).toBe(0);
  },
);

test("[E322] the service files start this home's daemon, and a different one is not written over", async () => {
  using scratch = scratchDirectory();
  const home = join(scratch.path, "my home");
  const env = { XDG_CONFIG_HOME: scratch.path };
  const unit = await runDeputy(["service", "print", "--kind", "systemd", "--home", home], { env });
  expect(unit.stdout).toContain(`"serve" "--home" "${home}"`);
  const agent = await runDeputy(["service", "print", "--kind", "launchd", "--home", `${home}&co`], { env });
  expect(agent.stdout).toContain(`<string>${home}&amp;co</string>`);
  if (process.platform !== "linux") return;
  const installed = await runDeputy(["service", "install", "--home", home], { env });
  expect(installed).toMatchObject({ code: 0, stdout: expect.stringContaining("systemctl --user") });
  const file = join(scratch.path, "systemd/user/deputy.service");
  expect(readFileSync(file, "utf8")).toBe(unit.stdout);
  writeFileSync(file, "mine");
  expect(await runDeputy(["service", "install", "--home", home], { env })).toMatchObject({ code: 1 });
  expect(readFileSync(file, "utf8")).toBe("mine");
});

test("[E323] bash completes commands, their commands and options", async () => {
  const { stdout } = await runDeputy(["completions", "bash"]);
  const complete = (...words: readonly string[]): string[] => {
    const typed = ["deputy", ...words].map((word) => `"${word}"`).join(" ");
    const script = `${stdout}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _deputy; echo "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["-c", script], { encoding: "utf8" }).trim().split(/\s+/);
  };
  expect(complete("ses")).toEqual(["sessions"]);
  expect(complete("sessions", "se")).toEqual(["search"]);
  expect(complete("run", "--app")).toEqual(["--approve"]);
  expect(complete("--home", "/x", "audit", "ver")).toEqual(["verify"]);
  expect((await runDeputy(["completions", "fish"])).stdout).toContain(
    "complete -c deputy -n '__fish_use_subcommand' -a sessions",
  );
  expect((await runDeputy(["completions", "zsh"])).stdout).toMatch(/^#compdef deputy\n/);
  expect(await runDeputy(["completions", "csh"])).toMatchObject({ code: 2 });
});
