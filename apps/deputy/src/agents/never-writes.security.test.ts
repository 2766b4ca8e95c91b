import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openEngine } from "../engine.ts";
import { openHome } from "../home.ts";

/** Everything a program can try with an agent's tools and the sandbox. */
const ATTEMPTS = `
const paths = ["../../config.json", "../../token", "/etc/passwd", "..", "link.md", "SKILL.md/../../x"];
const got: string[] = [];
for (const file of paths) {
  try { got.push((await tools.skill.read({ name: "mine", file })).text); } catch (e) { got.push((e as ToolError).code); }
}
for (const name of ["..", "../agents", "main/../../..", "mine/../mine"]) {
  try { got.push((await tools.skill.read({ name })).text); } catch (e) { got.push((e as ToolError).code); }
}
const reach = ["process", "require", "fetch", "Deno", "WebAssembly", "XMLHttpRequest", "importScripts"];
return { got, reach: reach.filter((name) => name in globalThis), tools: (await tools.deputy.searchTools({ query: "" })).map(({ path }) => path) };
`;

test("[E98] an agent's program reads only skills of the home, and leaves the user's files unchanged", async () => {
  const directory = mkdtempSync(join(tmpdir(), "home-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, "config.json"), '{ "agents": { "list": { "bare": { "tools": [] } } } }');
  writeFileSync(join(directory, "token"), "0123456789abcdef-secret", { mode: 0o600 });
  mkdirSync(join(directory, "skills", "mine"), { recursive: true });
  writeFileSync(
    join(directory, "skills", "mine", "SKILL.md"),
    "---\nname: mine\ndescription: Mine\n---\nHello.",
  );
  symlinkSync(join(directory, "token"), join(directory, "skills", "mine", "link.md"));

  const home = openHome(directory, () => undefined);
  await using engine = await openEngine({
    home,
    env: {},
    plugins: [],
    secrets: [],
    signal: new AbortController().signal,
    warn: () => undefined,
    onBug: (error) => {
      throw error;
    },
  });
  const before = snapshot(directory);
  const prompt = `\`\`\`ts\n${ATTEMPTS}\n\`\`\``;
  const { task, done } = await engine.tasks.start({ prompt, agentId: "bare" });
  expect(await done).toEqual({ kind: "completed" });
  expect(snapshot(directory)).toEqual(before);

  const events = await Array.fromAsync(engine.log.read(task.stream));
  const ended = events.find(({ type }) => type === "cell.completed");
  const { result } = (ended?.data ?? {}) as { result?: Record<string, string[]> };
  expect(result?.["got"]).toEqual([
    ...Array.from({ length: 6 }, () => "skill_unreadable"),
    ...Array.from({ length: 4 }, () => "unknown_skill"),
  ]);
  expect(result?.["reach"]).toEqual([]);
  expect(result?.["tools"]).toEqual([
    "deputy.describeTools",
    "deputy.searchTools",
    "skill.list",
    "skill.read",
  ]);
  expect(JSON.stringify(events)).not.toContain("abcdef-secret");
});

/** The user's files: everything in a home except the log and its files. */
function snapshot(directory: string): Record<string, string> {
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" })
    // The log and its files.
    .filter((name) => !name.startsWith("deputy.") && !name.startsWith("daily"))
    .filter((name) => statSync(join(directory, name)).isFile());
  expect(files.length).toBeGreaterThan(8);
  return Object.fromEntries(
    files.sort().map((name) => [name, readFileSync(join(directory, name), "base64")]),
  );
}
