import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PLUGIN, runDeputy, SOURCE_LAUNCHER, scratchDirectory, startDaemon, TOKEN } from "../run-deputy.ts";
import { dovecotVersion } from "./dovecot.ts";
import { openPlayedModel } from "./played-model.ts";
import { checkGitHub } from "./services.ts";
import { tryMailTokens } from "./try-mail-tokens.ts";

// `npm run clients [-- name …]`: programs of others against a live daemon. Each is fetched in its newest version into a
// folder that is removed afterwards; none of their install scripts run. What cannot be fetched is said, and is no failure.

/** What is fetched for each program of this folder. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  openai: ["openai", "zod"],
  ai: ["ai", "@ai-sdk/openai", "@ai-sdk/openai-compatible", "@ai-sdk/mcp", "zod"],
  langchain: ["@langchain/openai", "@langchain/core", "zod"],
  // The newest version of its graphs needs packages that were not there; this one is all that the adapter wants.
  "langchain-mcp": ["@langchain/mcp-adapters", "@langchain/core", "@langchain/langgraph@1.4.14"],
  inspector: ["@modelcontextprotocol/inspector"],
  servers: ["everything", "filesystem", "memory", "sequential-thinking"].map(
    (name) => `@modelcontextprotocol/server-${name}`,
  ),
  senders: ["standardwebhooks", "svix", "@octokit/webhooks-methods", "stripe"],
};
const GITHUB = "@octokit/openapi";
const names = [...Object.keys(PROGRAMS), "services", "mail"];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no ${unknown.join(", ")}; there are ${names.join(", ")}.\n`);
  process.exit(2);
}
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Fetches the newest of each that has no version of its own; false, and said, if that was not possible. */
function fetched(name: string, packages: readonly string[], folder: string): boolean {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  const latest = packages.map((one) => (one.includes("@", 1) ? one : `${one}@latest`));
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
  // Half of a release is fetched as far as it is there.
  args.push("--legacy-peer-deps");
  const { status, stderr } = spawnSync("npm", [...args, ...latest], { cwd: folder, encoding: "utf8" });
  if (status !== 0) {
    say(`${name}: SKIPPED, ${/npm error (.*)/.exec(stderr)?.[1] ?? "npm could not fetch it"}`);
    return false;
  }
  const versions = packages.map((spec) => {
    const one = spec.replace(/(?<=.)@.*$/, "");
    const manifest = readFileSync(join(folder, "node_modules", one, "package.json"), "utf8");
    return `${one} ${(JSON.parse(manifest) as { version: string }).version}`;
  });
  say(`${name}: ${versions.join(", ")}`);
  return true;
}

/** The webhooks that the senders report to, with addresses and secrets. */
async function addHooks(home: string, url: string): Promise<string> {
  const hooks: Record<string, object> = {};
  for (const [name, scheme] of Object.entries({ standard: "standard", svix: "standard", github: "github" })) {
    const { stdout } = await runDeputy(["hooks", "add", name, "--scheme", scheme, "--json", "--home", home], {
      process: "own",
      env: { DEPUTY_TOKEN: TOKEN },
    });
    hooks[name] = readHook(name, stdout, url);
  }
  const secret = "whsec_of_stripes_own_making";
  const { stdout } = await runDeputy(
    ["hooks", "add", "stripe", "--scheme", "stripe", "--secret", "-", "--json", "--home", home],
    { process: "own", env: { DEPUTY_TOKEN: TOKEN }, input: secret },
  );
  hooks["stripe"] = { ...readHook("stripe", stdout, url), secret };
  return JSON.stringify(hooks);
}

function readHook(name: string, stdout: string, url: string): object {
  const told = JSON.parse(stdout) as { url: string; secret?: string };
  return { name, url: new URL(new URL(told.url).pathname, url).href, secret: told.secret };
}

/** What MCP clients can read of a home: a note, a command and a skill. */
function furnish(home: string): void {
  const files = {
    "agents/main/memory/keys.md": "The key is under the mat.\n",
    "commands/ship.md": "Ship $ARGUMENTS now.\n",
    "skills/tidy/SKILL.md": "---\nname: tidy\ndescription: Tidies up\n---\nTidy up.\n",
  };
  for (const [path, text] of Object.entries(files)) {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

using scratch = scratchDirectory();
const failed: string[] = [];
{
  await using model = await openPlayedModel();
  const home = join(scratch.path, "home");
  furnish(home);
  await using daemon = await startDaemon(home, ["--tools", PLUGIN], { DEPUTY_TOKEN: TOKEN, ...model.env });
  const hooks = isWanted("senders") ? await addHooks(home, daemon.url) : "{}";
  for (const [name, packages] of Object.entries(PROGRAMS)) {
    const folder = join(scratch.path, name);
    if (!isWanted(name) || !fetched(name, packages, folder)) continue;
    for (const file of readdirSync(import.meta.dirname).filter((one) => one.endsWith(".mjs")))
      copyFileSync(join(import.meta.dirname, file), join(folder, file));
    const { PATH = "", HOME = "" } = process.env;
    // The model answers from this process meanwhile.
    const child = spawn(process.execPath, [`${name}.mjs`], {
      cwd: folder,
      stdio: "inherit",
      env: {
        PATH,
        HOME,
        DEPUTY_URL: daemon.url,
        DEPUTY_TOKEN: TOKEN,
        DEPUTY_HOOKS: hooks,
        DEPUTY_LAUNCHER: SOURCE_LAUNCHER,
      },
    });
    const [code] = (await once(child, "exit")) as [number | null];
    if (code !== 0) failed.push(name);
  }
}
if (isWanted("services") && fetched("services", [GITHUB], join(scratch.path, "services"))) {
  const file = join(scratch.path, "services/node_modules", GITHUB, "generated/api.github.com.json");
  const { requests, faults } = await checkGitHub(file);
  for (const fault of faults) say(`  not ok  ${fault}`);
  if (faults.length === 0) say(`  ok      ${requests} requests are as GitHub describes them`);
  else failed.push("services");
}
if (isWanted("mail")) {
  if (dovecotVersion === undefined) say("mail: SKIPPED, Dovecot is not installed");
  else {
    say(`mail: Dovecot ${dovecotVersion}`);
    for (const mechanism of ["oauthbearer", "xoauth2"] as const) {
      const fault = await tryMailTokens(mechanism).catch(String);
      say(fault === undefined ? `  ok      ${mechanism}` : `  not ok  ${mechanism}: ${fault}`);
      if (fault !== undefined) failed.push("mail");
    }
  }
}
say(failed.length === 0 ? "All that could be fetched works." : `Failed: ${[...new Set(failed)].join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
