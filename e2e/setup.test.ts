import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openPacedModel } from "./paced-model.ts";
import { KEYS, openTerminal, pty } from "./pseudo-terminal.ts";
import { jsonLines, runDeputy, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

const checks = (stdout: string): Record<string, unknown> =>
  Object.fromEntries(jsonLines(stdout).map(({ check, status }) => [String(check), status]));

const doctor = (home: string, args: readonly string[] = [], env: Record<string, string> = {}) =>
  runDeputy(["doctor", "--json", "--home", home, ...args], { env: { DEPUTY_PORT: "0", ...env } });

test("[E320] doctor finds nothing wrong with a new home, and creates nothing", async () => {
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

test("[E320] doctor recognizes the running daemon, and a port that another program has", async () => {
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
  // It has its token from the environment; a process without it makes another.
  expect(checks(stdout)).toMatchObject({ token: "advice" });
  const signedIn = await doctor(home.path, [], { DEPUTY_TOKEN: TOKEN });
  expect(checks(signedIn.stdout)).toMatchObject({ token: "ok" });
});

test("[E320] doctor says what tool sources lack, and runs none of them", async () => {
  using home = scratchDirectory();
  chmodSync(home.path, 0o700);
  const ran = join(home.path, "ran");
  writeFileSync(
    join(home.path, "there.ts"),
    `import fs from "node:fs"; fs.writeFileSync(${JSON.stringify(ran)}, "");`,
  );
  const found = async (...toolSources: readonly unknown[]) => {
    writeFileSync(join(home.path, "config.json"), JSON.stringify({ toolSources }));
    const { code, stdout } = await doctor(home.path);
    const findings = jsonLines(stdout).filter(({ check }) => check === "tools");
    return {
      code,
      findings: findings.map(({ status, message, fix }) => [status, [message, fix].join(" ")]),
    };
  };
  const says = (text: string) => expect.stringContaining(text);
  expect(await found()).toMatchObject({ code: 0, findings: [["ok", says("Only Deputy's own")]] });
  expect(await found("./there.ts")).toMatchObject({ code: 0, findings: [["ok", says("1 source")]] });
  expect(await found({ type: "mcp", name: "files", command: "no-such-command" })).toMatchObject({
    code: 0,
    findings: [["advice", says("deputy tools approve files")]],
  });
  const sources = ["./none.ts", "there.ts", "@me/none", { type: "openapi", spec: "./none.json" }, "."];
  expect(await found(...sources)).toMatchObject({
    code: 1,
    findings: [
      ["wrong", says("deputy tools remove ./none.ts")],
      ["wrong", says("npm install --prefix")],
      ["wrong", says("deputy tools remove ./none.json")],
      ["wrong", says("it is not a file")],
    ],
  });
  expect(existsSync(ran)).toBe(false);

  const checked = await runDeputy(["config", "check", "--home", home.path]);
  expect(checked.stdout).toContain(`toolSources.0: The plugin ${join(home.path, "none.ts")}`);
  const started = await runDeputy(["serve", "--port", "0", "--home", home.path]);
  expect(started).toMatchObject({ code: 1, stderr: says("Check its path") });
});

test("[E320] doctor reports a home that cannot be created", async () => {
  using scratch = scratchDirectory();
  const file = join(scratch.path, "file");
  writeFileSync(file, "");
  const homes = [join(file, "below", "home"), ...(process.platform === "linux" ? ["/proc/nope"] : [])];
  for (const home of homes) {
    const { code, stdout } = await doctor(home);
    expect(code, home).toBe(1);
    expect(stdout).toContain(`${home} cannot be made`);
  }
});

test("[E321] [E771] accepts a model after a call and its answer, and looks whether it sees; keeps its key separately, for its owner only", async () => {
  using home = scratchDirectory();
  await using model = await openPacedModel();
  const url = model.env["DEPUTY_LOCAL_BASE_URL"] ?? "";
  const args = ["init", "--model", "local/paced", "--base-url", url, "--key", "-", "--home", home.path];
  const done = runDeputy(args, { input: "sk-secret-value-123\n" });
  const first = await model.asked();
  first.call("run_code", { code: 'return "heliotrope";' });
  const second = await model.asked();
  expect(second.messages.at(-1)).toMatchObject({ role: "tool" });
  second.write("Noted.");
  second.end();
  const third = await model.asked();
  expect(JSON.stringify(third.messages.at(-1))).toContain("data:image/png;base64,");
  third.write("Green, black and yellow.");
  third.end();
  expect(await done).toMatchObject({ code: 0, stdout: expect.stringContaining("It can see pictures.") });
  const config = readFileSync(join(home.path, "config.json"), "utf8");
  expect(JSON.parse(config)).toMatchObject({
    agent: { model: "local/paced" },
    providers: { local: { apiKey: "file:keys/local", baseUrl: url } },
    vision: { "local/paced": true },
  });
  expect(config).not.toContain("sk-secret");
  expect(readFileSync(join(home.path, "keys/local"), "utf8")).toBe("sk-secret-value-123\n");
  expect(statSync(join(home.path, "keys/local")).mode & 0o777).toBe(0o600);
  expect(statSync(join(home.path, "token")).mode & 0o777).toBe(0o600);
});

test("[E321] refuses a model that only talks, or does not answer, and writes nothing", async () => {
  using home = scratchDirectory();
  await using model = await openPacedModel();
  const url = model.env["DEPUTY_LOCAL_BASE_URL"] ?? "";
  const talking = runDeputy(["init", "--model", "local/paced", "--base-url", url, "--home", home.path]);
  const asked = await model.asked();
  asked.write("I would call run_code with heliotrope.");
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

test("[E680] connects a server at any address under a name of its own, and knows it again", async () => {
  using home = scratchDirectory();
  await using model = await openPacedModel(["maker/small", "maker/large"]);
  const url = `${model.env["DEPUTY_LOCAL_BASE_URL"]}/api/v1`;
  const init = (...args: readonly string[]) =>
    runDeputy(["init", ...args, "--home", home.path], { input: "sk-secret-value-123\n" });
  const accept = async () => {
    const asked = await model.asked();
    asked.call("run_code", { code: 'return "heliotrope";' });
    const second = await model.asked();
    second.write("Done.");
    second.end();
    const third = await model.asked();
    third.write("Red, green, blue.");
    third.end();
    return asked;
  };

  const unnamed = await init("--base-url", url);
  expect(unnamed).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("local/maker/small, local/maker/large"),
  });

  const done = init("--model", "router/maker/small", "--base-url", url, "--key", "-");
  expect(await accept()).toMatchObject({
    model: "maker/small",
    authorization: "Bearer sk-secret-value-123",
  });
  expect(await done).toMatchObject({ code: 0 });
  const again = init("--model", "router/maker/large");
  expect(await accept()).toMatchObject({
    model: "maker/large",
    authorization: "Bearer sk-secret-value-123",
  });
  expect(await again).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(join(home.path, "config.json"), "utf8"))).toMatchObject({
    agent: { model: "router/maker/large" },
    models: ["router/maker/small", "router/maker/large"],
    servers: { router: { apiKey: "file:keys/router", baseUrl: url } },
  });
  // Its name does not suggest that it can see, so nothing has to be noted.
  expect(readFileSync(join(home.path, "config.json"), "utf8")).not.toContain("vision");

  const turn = runDeputy(["run", "Say hello", "--home", home.path]);
  const asked = await model.asked();
  expect(asked.model).toBe("maker/large");
  asked.write("Hello from there.");
  asked.end();
  expect(await turn).toMatchObject({ code: 0, stdout: expect.stringContaining("Hello from there.") });
  expect(await runDeputy(["init", "--model", "nobody/x", "--home", home.path])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("There is no provider “nobody”"),
  });
});

test("[E681] says that a model cannot do code mode, and what it can be used for", async () => {
  using home = scratchDirectory();
  await using model = await openPacedModel();
  const url = model.env["DEPUTY_LOCAL_BASE_URL"] ?? "";
  const calling = runDeputy(["init", "--model", "local/paced", "--base-url", url, "--home", home.path]);
  (await model.asked()).call("run_code", { program: "heliotrope" });
  const { code, stderr } = await calling;
  expect(code).toBe(1);
  expect(stderr).toContain("local/paced calls tools, but does not write programs when asked");
  expect(stderr).toContain("agent.mode functions");
  expect(JSON.parse(readFileSync(join(home.path, "config.json"), "utf8"))).toEqual({});
});

test("[E321] refuses a key on the command line, and a question without a terminal", async () => {
  using home = scratchDirectory();
  const shown = await runDeputy(["init", "--model", "openai/x", "--key", "sk-live", "--home", home.path]);
  expect(shown).toMatchObject({ code: 2 });
  expect(shown.stderr).not.toContain("sk-live");
  expect(await runDeputy(["init", "--home", home.path])).toMatchObject({ code: 2 });
  expect(await runDeputy(["init", "--model", "rehearsal/tour", "--home", home.path])).toMatchObject({
    code: 0,
  });
});

test.skipIf(pty === undefined)("[E321] in a terminal, init asks; leaving changes nothing", async () => {
  using home = scratchDirectory();
  await using asking = openTerminal(["init", "--home", home.path]);
  await asking.see("Which model should Deputy use?");
  asking.type(KEYS.interrupt);
  expect(await asking.ended()).toBe(1);
  await using terminal = openTerminal(["init", "--home", home.path]);
  await terminal.see("None yet");
  terminal.type(KEYS.up);
  terminal.type(KEYS.enter);
  await terminal.see("Deputy now uses rehearsal/tour");
  expect(await terminal.ended()).toBe(0);
});

test.skipIf(pty === undefined)(
  "[E772] in a terminal, the models of a server can be picked; one that cannot do code mode is told so",
  async () => {
    using home = scratchDirectory();
    await using model = await openPacedModel(["maker/small", "maker/large"]);
    await using terminal = openTerminal(["init", "--home", home.path]);
    await terminal.see("Another server");
    terminal.type(`${KEYS.up}${KEYS.up}${KEYS.enter}`);
    await terminal.see("Its address");
    terminal.type(`${model.env["DEPUTY_LOCAL_BASE_URL"]}/api/v1${KEYS.enter}`);
    await terminal.see(/Which model\?[^]*maker\/small[^]*maker\/large/);
    terminal.type(`${KEYS.up}${KEYS.enter}`);
    await terminal.see("Testing local/maker/large");
    const asked = await model.asked();
    expect(asked.model).toBe("maker/large");
    asked.call("run_code", { program: "heliotrope" });
    await terminal.see("local/maker/large calls tools, but does not write programs when asked");
    expect(await terminal.ended()).toBe(1);
    expect(JSON.parse(readFileSync(join(home.path, "config.json"), "utf8"))).toEqual({});
  },
);

/** What systemd says of a unit, from 0 to 10. Where there is no systemd, what it is made of must be there. */
function exposureOf(unit: string, folder: string): number {
  for (const line of [
    "NoNewPrivileges=yes",
    "CapabilityBoundingSet=",
    "ProtectSystem=full",
    "PrivateDevices=yes",
  ])
    expect(unit).toContain(`\n${line}\n`);
  // Commands run in namespaces with a `/proc` of their own, which a masked one forbids.
  expect(unit).not.toMatch(
    /ProtectKernelTunables|ProtectKernelLogs|RestrictNamespaces|MemoryDenyWriteExecute/,
  );
  // A user's manager does not know the units of the system's: an order after one of these has no effect.
  const named = [...unit.matchAll(/^(?:After|Before|Wants|Requires|BindsTo)=(.*)$/gm)];
  for (const name of named.flatMap(([, names = ""]) => names.split(" ")))
    expect(existsSync(join("/usr/lib/systemd/user", name)), name).toBe(true);
  const file = join(folder, "deputy.service");
  writeFileSync(file, unit);
  const args = ["security", "--offline=yes", "--no-pager", file];
  const told = spawnSync("systemd-analyze", args, { encoding: "utf8" });
  if (told.error !== undefined) return 0;
  return Number(/Overall exposure level for deputy\.service: ([\d.]+)/.exec(told.stdout)?.[1]);
}

test("[E322] the service files start this home's daemon, and do not overwrite a different one", async () => {
  using scratch = scratchDirectory();
  const home = join(scratch.path, "my home");
  const env = { XDG_CONFIG_HOME: scratch.path };
  const unit = await runDeputy(["service", "print", "--kind", "systemd", "--home", home], { env });
  expect(unit.stdout).toContain(`"serve" "--home" "${home}"`);
  const agent = await runDeputy(["service", "print", "--kind", "launchd", "--home", `${home}&co`], { env });
  expect(agent.stdout).toContain(`<string>${home}&amp;co</string>`);
  if (process.platform !== "linux") return;
  expect(exposureOf(unit.stdout, scratch.path)).toBeLessThanOrEqual(4);
  const installed = await runDeputy(["service", "install", "--home", home], { env });
  expect(installed).toMatchObject({ code: 0, stdout: expect.stringContaining("systemctl --user") });
  // A user's services end with the last session, unless the user lingers.
  expect(installed.stdout).toContain("loginctl enable-linger");
  const file = join(scratch.path, "systemd/user/deputy.service");
  expect(readFileSync(file, "utf8")).toBe(unit.stdout);
  writeFileSync(file, "mine");
  expect(await runDeputy(["service", "install", "--home", home], { env })).toMatchObject({ code: 1 });
  expect(readFileSync(file, "utf8")).toBe("mine");
});

test("[E323] bash completes commands, subcommands and options", async () => {
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
  expect(complete("run", "--approve", "")).toEqual(["all", "none", "ask"]);
  expect(complete("run", "hello", "--approve", "no")).toEqual(["none"]);
  const fish = (await runDeputy(["completions", "fish"])).stdout;
  expect(fish).toContain("complete -c deputy -n '__fish_use_subcommand' -a sessions");
  expect(fish).toContain(
    "complete -c deputy -n '__fish_seen_subcommand_from run' -l approve -x -a 'all none ask'",
  );
  expect((await runDeputy(["completions", "zsh"])).stdout).toMatch(/^#compdef deputy\n/);
  expect(await runDeputy(["completions", "csh"])).toMatchObject({ code: 2 });
});
