import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { listSources, listWorkspaces, ROOT } from "./repository.ts";
import { PLUGIN, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

const text = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8");

test("[R5] every path named in ARCHITECTURE.md exists", () => {
  const named = [...text.matchAll(/`((?:packages|apps|docs|e2e|bench|examples)\/[^`…]+)`/g)].map(
    (match) => match[1] ?? "",
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("[R5] names every package, and is short enough to read", () => {
  const folders = listWorkspaces().map(({ folder }) => folder.slice(ROOT.length));
  expect(folders.filter((folder) => !text.includes(`\`${folder}\``))).toEqual([]);
  expect(text.split("\n").length).toBeLessThanOrEqual(250);
});

const sectionOf = (title: string): string =>
  new RegExp(`## ${title}\n([\\s\\S]*?)\n## `).exec(text)?.[1] ?? "";
const hopsOf = (title: string) =>
  [...sectionOf(title).matchAll(/`(\w+)` in `([^`]+)`/g)].map(
    ([, name = "", path = ""]) => `${name} in ${path}`,
  );

test("[R5] at most four layers lie between a schedule and the keeper of turns", () => {
  const layers = [...sectionOf("Follow one scheduled firing").matchAll(/^\d\. \*\*(\w+)\.\*\*/gm)].map(
    (match) => match[1],
  );
  expect([layers.at(0), layers.at(-1)]).toEqual(["Schedule", "Keeper"]);
  expect(layers.length - 2).toBeLessThanOrEqual(4);
});

test("[R5] a message, an approval and a scheduled firing take the path in ARCHITECTURE.md", async () => {
  using home = scratchDirectory();
  using coverage = scratchDirectory();
  const env = { DEPUTY_TOKEN: TOKEN, DEPUTY_MODEL: "rehearsal/tour", NODE_V8_COVERAGE: coverage.path };
  await using daemon = await startDaemon(home.path, ["--tools", PLUGIN], env, "sources");
  const start = async (task: object): Promise<string> =>
    ((await (await daemon.post("/api/tasks", task)).json()) as { id: string }).id;
  const read = async (path: string) => await (await daemon.fetch(path)).json();
  const ended = (id: string) =>
    expect
      .poll(async () => ((await read(`/api/tasks/${id}`)) as { status: string }).status, { timeout: 90_000 })
      .toBe("succeeded");

  const code = "return await tools.github.issues.close({ issueNumber: 1 });";
  const message = await start({ prompt: `Run this:\n\`\`\`ts\n${code}\n\`\`\`` });
  const waiting = async () =>
    ((await read("/api/approvals")) as { approvals: { id: string }[] }).approvals[0]?.id;
  await expect.poll(waiting, { timeout: 90_000 }).toBeDefined();
  await daemon.post(`/api/approvals/${await waiting()}`, { decision: "approved" });
  await ended(message);
  await ended(await start({ prompt: "Say hello", schedule: "in 1 second" }));
  expect(await daemon.end("SIGTERM")).toBe(0);

  const called = readCalls(coverage.path);
  for (const what of ["message", "approval", "scheduled firing"]) {
    const hops = hopsOf(`Follow one ${what}`);
    expect(hops.length, what).toBeGreaterThan(8);
    expect(hops.filter((hop) => !called.has(hop))).toEqual([]);
  }
});

/** Every function that a process called, by name and file, as V8 counted. */
function readCalls(directory: string): ReadonlySet<string> {
  const root = pathToFileURL(ROOT).href;
  const files = readdirSync(directory).map((name) => JSON.parse(readFileSync(join(directory, name), "utf8")));
  const scripts = (files as Coverage[]).flatMap(({ result }) => result);
  const calls = scripts.flatMap(({ url, functions }) =>
    functions
      .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
      .map(({ functionName }) => `${functionName} in ${url.slice(root.length)}`),
  );
  return new Set(calls);
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

test("[R6] AGENTS.md is short", () => {
  expect(readFileSync(join(ROOT, "AGENTS.md"), "utf8").split("\n").length).toBeLessThan(60);
});

test("[R7] .env.example names every variable that the sources read", () => {
  const example = readFileSync(join(ROOT, ".env.example"), "utf8");
  const sources = listWorkspaces().flatMap(({ folder }) => listSources(join(folder, "src")));
  const read = sources.flatMap((path) =>
    [...readFileSync(join(ROOT, path), "utf8").matchAll(/env\["(\w+)"\]/g)].map((match) => match[1] ?? ""),
  );
  expect(read.length).toBeGreaterThan(3);
  expect(read.filter((name) => !new RegExp(`^#${name}=`, "m").test(example))).toEqual([]);
});

test("[R8] package-lock.json has every optional dependency, so that npm ci works on every platform", () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>;
  };
  const present = new Set(Object.keys(packages).map((path) => path.split("node_modules/").at(-1)));
  const wanted = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
  expect(wanted.filter((name) => !present.has(name))).toEqual([]);
});

test("[R8] package-lock.json names no download address", () => {
  expect(readFileSync(join(ROOT, "package-lock.json"), "utf8")).not.toContain('"resolved": "http');
});

test("[R10] README.md is an introduction: at most 900 words, with a picture and the test command", () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  expect(readme.split(/\s+/).filter((word) => word !== "").length).toBeLessThanOrEqual(900);
  expect(readme).toMatch(/^npm test\b/m);
  expect(readme).toMatch(/!\[[^\]]+\]\(docs\/pictures\//);
});

test("[R10] docs/README.md links every page of the manual", () => {
  const index = readFileSync(join(ROOT, "docs/README.md"), "utf8");
  const pages = readdirSync(join(ROOT, "docs")).filter(
    (name) => name.endsWith(".md") && name !== "README.md",
  );
  expect(pages.length).toBeGreaterThan(20);
  expect(pages.filter((name) => !index.includes(`](${name})`))).toEqual([]);
  const decisions = readFileSync(join(ROOT, "docs/decisions/README.md"), "utf8");
  const decided = readdirSync(join(ROOT, "docs/decisions")).filter((name) => /^\d.*\.md$/.test(name));
  expect(decided.filter((name) => !decisions.includes(`](${name})`))).toEqual([]);
});

test("[R10] every link between our documents leads to an existing file", () => {
  const documents = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "AGENTS.md"].concat(
    readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => join("docs", name)),
  );
  const broken = documents.flatMap((path) =>
    [...readFileSync(join(ROOT, path), "utf8").matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)(?:#[^)]*)?\)/g)]
      .filter(([, target = ""]) => !existsSync(join(ROOT, dirname(path), target)))
      .map(([link]) => `${path}: ${link}`),
  );
  expect(broken).toEqual([]);
});
