import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./repository.ts";
import { jsonLines, runDeputy, scratchDirectory } from "./run-deputy.ts";

const EXAMPLE = join(ROOT, "examples/sandbox/unshare-sandbox.ts");
const isRoot = process.getuid?.() === 0;
const isPossible = spawnSync("unshare", [...(isRoot ? [] : ["--user"]), "--mount", "true"]).status === 0;

/** A home with a sandbox of the user's own, and a folder to work on. */
function setup(bash: object, shell: object = {}) {
  const scratch = scratchDirectory();
  const home = join(scratch.path, "home");
  const notes = join(scratch.path, "notes");
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(notes);
  writeFileSync(join(notes, "a.txt"), "one\n");
  const module = join(home, "mine.ts");
  copyFileSync(EXAMPLE, module);
  chmodSync(module, 0o600);
  const sandboxes = { mine: { module } };
  const config = { tools: { bash: { sandbox: "mine", sandboxes, ...bash }, shell } };
  writeFileSync(join(home, "config.json"), JSON.stringify(config));
  const run = (args: readonly string[], input?: string) =>
    runDeputy([...args, "--home", home], input === undefined ? {} : { input });
  const exec = (code: string, ...args: readonly string[]) => run(["exec", "-", "--json", ...args], code);
  return { home, notes, module, run, exec, [Symbol.dispose]: () => scratch[Symbol.dispose]() };
}

const commandOf = (command: string): string => `return await tools.bash.run(${JSON.stringify({ command })});`;

test.skipIf(!isPossible)(
  "[E870] a sandbox of somebody else's, named by the settings: it is tried, shown, kept to, and noted",
  { timeout: 120_000 },
  async () => {
    using world = setup({}, { sandbox: "outer" });
    await world.run(["workspace", "import", world.notes]);
    const doctor = await world.run(["doctor"]);
    expect(doctor.stdout).toMatch(
      /Commands run in mine\. In a sandbox \(mine\).*no network.*Limits: 1024 processes/s,
    );

    const command = commandOf(`pwd; cat a.txt; ls ${world.home}; echo changed > a.txt`);
    const denied = await world.exec(command, "--approve", "none");
    expect(denied.stdout).toContain("In a sandbox (mine)");
    const ran = await world.exec(command, "--approve", "all");
    expect(ran.stdout).toContain(String.raw`/workspace\none\n`);
    expect(ran.stdout).toContain('"sandbox":"mine"');
    expect(ran.stdout).toContain("No such file or directory");
    expect((await world.run(["workspace", "status"])).stdout).toBe("M a.txt\n");

    const script = await world.exec('return await tools.shell.run({ script: "cat a.txt; echo x > b" });');
    expect(script.stdout).toContain(String.raw`changed\n`);
    expect((await world.run(["workspace", "status"])).stdout).toBe("M a.txt\nA b\n");

    const logged = jsonLines((await world.run(["audit", "show", "--json"])).stdout);
    const noted = logged.filter(({ type }) => type === "sandbox.ran").map(({ data }) => data);
    expect(noted).toMatchObject([
      {
        what: "command",
        sandbox: "mine",
        mounted: [{ at: "/workspace", access: "write" }],
        network: "none",
        limits: { processes: 1024 },
        exitCode: 0,
        denied: [],
      },
      {
        what: "script",
        sandbox: "mine",
        mounted: [{ at: "/workspace", access: "read" }, { at: "/repository" }],
      },
    ]);
  },
);

test("[E870] a sandbox that is not there, that others could change, or that lies, runs nothing, and is said", async () => {
  const touch = commandOf("touch ran");
  const reasons: Readonly<Record<string, readonly [(world: ReturnType<typeof setup>) => void, RegExp]>> = {
    "is missing": [({ module }) => writeFileSync(module, "syntax error ("), /cannot be loaded/],
    "is no function": [({ module }) => writeFileSync(module, "export default 5;"), /no function/],
    throws: [
      ({ module }) =>
        writeFileSync(module, 'export default () => { throw new Error("not on this machine"); };'),
      /not on this machine/,
    ],
    "is somebody's": [({ module }) => chmodSync(module, 0o666), /Other users/],
    lies: [
      ({ module }) =>
        writeFileSync(
          module,
          `export default ({ name }) => ({ name, promises: { files: "view", network: "as_ordered", endsProcesses: true,
             together: [], countsApart: false },
             enter: ({ file, args, env, mounts }) => ({ file, args, env, cwd: mounts.at(-1).from }) });`,
        ),
      /mine, which does not work/,
    ],
  };
  for (const [name, [make, why]] of Object.entries(reasons)) {
    using world = setup({}, { sandbox: "outer" });
    await world.run(["workspace", "import", world.notes]);
    make(world);
    const ran = await world.exec(touch, "--approve", "all");
    expect([name, ran.stdout]).toEqual([name, expect.stringMatching(why)]);
    expect(ran.stdout).toContain("sandbox_unavailable");
    const script = await world.exec('return await tools.shell.run({ script: "touch ran" });');
    expect([name, script.stdout]).toEqual([name, expect.stringContaining("sandbox_unavailable")]);
    expect((await world.run(["workspace", "status"])).stdout).toBe("");
  }
});

test("[E870] the example is what a third party could write: it imports types that the package exports, and Node", () => {
  const source = readFileSync(EXAMPLE, "utf8");
  const imports = [...source.matchAll(/^import (type )?.*from "(.*)";$/gm)].map(([, type, from]) => [
    !!type,
    from,
  ]);
  expect(imports).toEqual([
    [false, "node:fs"],
    [true, "@deputy/tools"],
  ]);
});
