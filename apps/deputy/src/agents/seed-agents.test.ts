import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_AGENT_FILES } from "@deputy/agent";
import { expect, onTestFinished, test } from "vitest";
import { seedAgents } from "./seed-agents.ts";

function setup() {
  const directory = join(mkdtempSync(join(tmpdir(), "seed-")), "agents");
  onTestFinished(() => rmSync(join(directory, ".."), { recursive: true }));
  const warnings: string[] = [];
  const seed = (...slugs: string[]) => seedAgents(directory, slugs, (text) => warnings.push(text));
  return { directory, seed, warnings };
}

test("[E96] a new agent gets every file, readable only by its owner", () => {
  const { directory, seed } = setup();
  seed("main", "ops");
  expect(readdirSync(directory).sort()).toEqual(["main", "ops"]);
  for (const [name, text] of DEFAULT_AGENT_FILES)
    expect(readFileSync(join(directory, "ops", name), "utf8")).toBe(text);
  expect(statSync(join(directory, "main")).mode & 0o777).toBe(0o700);
});

test("[E96] never overwrites what exists, and does not recreate what was deleted", () => {
  const { directory, seed } = setup();
  seed("main");
  writeFileSync(join(directory, "main", "SOUL.md"), "Mine.");
  rmSync(join(directory, "main", "USER.md"));
  mkdirSync(join(directory, "bare"));
  seed("main", "bare");
  expect(readFileSync(join(directory, "main", "SOUL.md"), "utf8")).toBe("Mine.");
  expect(readdirSync(join(directory, "main"))).not.toContain("USER.md");
  expect(readdirSync(join(directory, "bare"))).toEqual([]);
});

test("[E96] reports a place that cannot be written, and leaves nothing behind", () => {
  const { directory, seed, warnings } = setup();
  writeFileSync(directory, "a file where the folder should be");
  seed("main");
  expect(warnings).toEqual([expect.stringContaining("agent main could not be made")]);
  expect(readFileSync(directory, "utf8")).toContain("a file");
});
