import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ROOT } from "./repository.ts";
import { jsonLines, runDeputy, scratchDirectory } from "./run-deputy.ts";

const TOKEN = "a-word-that-nobody-sees";
const EXAMPLE = join(ROOT, "examples/openapi");
const CELL = join(ROOT, "examples/cells/tidy-notes.cell.ts");

/** The example's server on any free port, and a home with its settings. */
async function setup(more: readonly unknown[] = []) {
  const home = scratchDirectory();
  onTestFinished(() => home[Symbol.dispose]());
  const server = spawn(process.execPath, [join(EXAMPLE, "notes-server.ts"), "0"], {
    env: { NOTES_TOKEN: TOKEN },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void server.kill());
  const url = await firstLine(server);
  copyFileSync(join(EXAMPLE, "notes.yaml"), join(home.path, "notes.yaml"));
  const { toolSources } = JSON.parse(readFileSync(join(EXAMPLE, "config.json"), "utf8")) as {
    readonly toolSources: readonly object[];
  };
  const sources = [...more, ...toolSources.map((source) => Object.assign(source, { server: url }))];
  writeFileSync(join(home.path, "config.json"), JSON.stringify({ toolSources: sources }));
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = { NOTES_TOKEN: TOKEN }) =>
    runDeputy([...args, "--home", home.path], { env });
  return { home: home.path, run };
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error("The child has no stdout");
  for await (const chunk of stdout) return String(chunk).trim();
  throw new Error("The server did not start");
}

test("[E863] operations have shorter names besides; questions and the log know them by their own, and they replay", async () => {
  const { run, home } = await setup();
  const file = join(home, "notes.yaml");
  const renamed = readFileSync(file, "utf8").replace(/notes\/(list|add|remove)/g, "$1Notes");
  writeFileSync(file, renamed);
  expect((await run(["tools", "list", "notebook"])).stdout).toContain("notebook.notes.listNotes");
  const { code, stdout } = await run(["exec", CELL, "--approve", "all", "--json"]);
  expect(code).toBe(0);
  expect(stdout).toContain("Tidied up: Old: call Ada, Old: renew the passport");
  const paths = [...stdout.matchAll(/"toolPath":"([^"]*)"/g)].map(([, path]) => path);
  expect(new Set(paths)).toEqual(
    new Set(["plan", "notebook.notes.listNotes", "notebook.notes.removeNotes", "notebook.notes.addNotes"]),
  );
  const [{ id } = {}] = jsonLines((await run(["sessions", "list", "--json"])).stdout);
  const replayed = await run(["replay", String(id)]);
  expect(replayed.code, replayed.stdout + replayed.stderr).toBe(0);
});

test("[E390] a program uses an API by its document: reads run, changes ask, refusals have codes", async () => {
  const { run, home } = await setup();
  const { code, stdout, stderr } = await run(["exec", CELL, "--approve", "all", "--json"]);
  expect(stderr).toBe("");
  expect(code).toBe(0);
  expect(stdout).toContain("2 old notes");
  expect(stdout).toContain("Number 4711: http_not_found, There is no such note");
  const asked = jsonLines(stdout).filter(({ type }) => type === "approval_request");
  const paths = [...JSON.stringify(asked).matchAll(/"toolPath":"([^"]*)"/g)].map(([, path]) => path);
  expect(new Set(paths)).toEqual(new Set(["plan", "notebook.notes.remove", "notebook.notes.add"]));
  expect(stdout).toContain("Tidied up: Old: call Ada, Old: renew the passport");
  expect(stdout).not.toContain(TOKEN);
  expect(readFileSync(join(home, "deputy.db")).includes(TOKEN)).toBe(false);
});

test("[E390] changes nothing without a yes, and names a missing secret without showing it", async () => {
  const { run } = await setup();
  const denied = await run(["exec", CELL, "--approve", "none"]);
  expect(denied.code).not.toBe(0);
  const missing = await run(["exec", CELL, "--approve", "all"], {});
  expect(missing.code).not.toBe(0);
  expect(missing.stdout + missing.stderr).toContain("env:NOTES_TOKEN gives no secret");
});

test("[E391] leaves out a missing or invalid document with a warning; everything else runs", async () => {
  const broken = [
    { type: "openapi", name: "gone", spec: "./gone.yaml" },
    { type: "openapi", name: "config", spec: "./config.json" },
    { type: "openapi", name: "away", spec: "http://127.0.0.1:1/api.json" },
  ];
  const { run } = await setup(broken);
  const { code, stdout, stderr } = await run(["tools", "types", "notebook"]);
  expect(code).toBe(0);
  expect(stdout).toContain("readonly notebook:");
  expect(stderr).toMatch(/Tool source gone is left out: .*gone\.yaml cannot be read: there is no such file/);
  expect(stderr).toMatch(/Tool source config is left out: This is no OpenAPI 3 or Swagger 2 document/);
  expect(stderr).toContain("away has no tools yet: you have not approved its OpenAPI document");
});

test("[E845] the manuals start TypeScript with the Node that the install brought, whatever the user's own is", () => {
  for (const manual of ["README.md", "examples/README.md", "docs/mcp.md", "docs/openapi.md"]) {
    const started = readFileSync(join(ROOT, manual), "utf8").match(/.*\bnode examples\/.*/g) ?? [];
    expect(
      started.filter((line) => !line.includes("npx node examples/")),
      manual,
    ).toEqual([]);
  }
});
