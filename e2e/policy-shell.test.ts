import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createScratchWorkspace } from "@deputy/testing";
import { expect, test } from "vitest";
import { runDeputy, scratchDirectory } from "./run-deputy.ts";

function setup() {
  const home = scratchDirectory();
  const place = createScratchWorkspace();
  const explain = (...args: readonly string[]) =>
    runDeputy(["policy", "explain", "--home", home.path, ...args]);
  return {
    home,
    place,
    explain,
    [Symbol.dispose]: () => {
      place[Symbol.dispose]();
      home[Symbol.dispose]();
    },
  };
}

test("[E150] explains a command line in words, and as one object with --json", async () => {
  using it = setup();
  const workspace = ["--workspace", it.place.workspace];
  const said = await it.explain(...workspace, "--shell", "cat a.txt link.txt");
  expect(said).toMatchObject({
    code: 0,
    stdout: `ask\n  \`cat\` reads link.txt, which leads to ${it.place.outside}/secret.txt and is outside of the workspace\n`,
  });
  const json = await it.explain(...workspace, "--json", "--shell", "ls");
  expect(JSON.parse(json.stdout)).toEqual({ command: "ls", verdict: "allow", reasons: [] });
  const more = await it.explain(
    ...workspace,
    "--allow-read",
    it.place.outside,
    "--cwd",
    join(it.place.workspace, "sub"),
    "--shell",
    "cat ../link.txt",
  );
  expect(more.stdout).toBe("allow\n");
});

test("[E151] with - it answers every line of stdin, even invalid ones", async () => {
  using it = setup();
  writeFileSync(
    join(it.home.path, "config.json"),
    JSON.stringify({ security: { workspace: it.place.workspace, allowedCommands: ["cat"] } }),
    { mode: 0o600 },
  );
  const lines = ['"cat a.txt"', '"ls"', "not json", "7", "", `"cat ${it.home.path}/token"`, '"cat \\ud800"'];
  const { code, stdout } = await runDeputy(["policy", "explain", "--shell", "-", "--home", it.home.path], {
    input: `${lines.join("\n")}\n`,
  });
  const answers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { command: string; verdict: string; reasons: string[] });
  expect(code).toBe(0);
  expect(answers.map(({ verdict }) => verdict)).toEqual(["allow", "ask", "ask", "ask", "deny", "ask"]);
  expect(answers.map(({ verdict, reasons }) => reasons.length > 0 === (verdict !== "allow"))).not.toContain(
    false,
  );
  expect(answers[2]).toEqual({
    command: "not json",
    verdict: "ask",
    reasons: ["the line is not a JSON string"],
  });
});

test("[E152] judges the current directory if there is no workspace yet, and says so", async () => {
  using it = setup();
  mkdirSync(join(it.place.workspace, "own"));
  const { stdout, stderr } = await runDeputy(
    ["policy", "explain", "--home", it.home.path, "--shell", "cat link.txt"],
    { cwd: it.place.workspace },
  );
  expect(stdout).toContain("outside of the workspace");
  expect(stderr).toContain("judged as if it were the current directory");
});

test("[E153] shows the usage if there is nothing to explain", async () => {
  using it = setup();
  const { code, stderr } = await it.explain();
  expect(code).toBe(2);
  expect(stderr).toContain("--shell");
});
