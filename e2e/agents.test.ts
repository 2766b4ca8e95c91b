import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runDeputy, scratchDirectory } from "./run-deputy.ts";

test("[E685] adds an agent of each preset, with a folder and settings of its own, and overwrites nothing", async () => {
  using home = scratchDirectory();
  const deputy = (...args: readonly string[]) => runDeputy([...args, "--home", home.path]);
  const listed = await deputy("agents", "presets");
  expect(listed).toMatchObject({ code: 0 });
  expect(await deputy("agents", "add")).toMatchObject({ code: 0, stdout: listed.stdout });
  for (const name of ["gpt-5.1-codex", "claude-sonnet", "claude-haiku"]) {
    expect(listed.stdout).toContain(name);
    const added = await deputy("agents", "add", name);
    expect(added).toMatchObject({ code: 0, stderr: "" });
    expect(added.stdout).toContain("has no key yet");
  }
  const { agents } = JSON.parse(readFileSync(join(home.path, "config.json"), "utf8")) as {
    readonly agents: { readonly list: Readonly<Record<string, { readonly model: string }>> };
  };
  expect(Object.entries(agents.list).map(([slug, { model }]) => [slug, model])).toEqual([
    ["gpt-5-1-codex", "openai/gpt-5.1-codex-max"],
    ["claude-sonnet", "anthropic/claude-sonnet-5-5"],
    ["claude-haiku", "anthropic/claude-haiku-5-5"],
  ]);
  const folder = join(home.path, "agents", "claude-sonnet");
  expect(readdirSync(folder)).toContain("SOUL.md");
  writeFileSync(join(folder, "AGENTS.md"), "mine");
  expect(await deputy("agents", "add", "claude-sonnet")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("There is already an agent claude-sonnet"),
  });
  expect(readFileSync(join(folder, "AGENTS.md"), "utf8")).toBe("mine");
  expect(await deputy("agents", "add", "nobody")).toMatchObject({ code: 2 });
  expect(existsSync(join(home.path, "agents", "nobody"))).toBe(false);
  expect((await deputy("agents")).stdout).toContain(
    "gpt-5-1-codex  openai/gpt-5.1-codex-max, code, effort high",
  );
  expect(await deputy("config", "check")).toMatchObject({ code: 0 });
});
