import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { plainText } from "@deputy/agent";
import type { CellRunner } from "@deputy/agent/turns";
import { createProfiles } from "@deputy/engine/profiles";
import { createCatalogue, defineTool } from "@deputy/tools";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { parseConfig } from "../config/parse-config.ts";
import { createAgentModels } from "./agent-models.ts";
import { openAgents } from "./open-agents.ts";
import { seedAgents } from "./seed-agents.ts";

const live = new AbortController().signal;

/** Agents of a home on disk, over two tools. */
function setup(raw: unknown = {}, env: NodeJS.ProcessEnv = {}, model?: string) {
  const directory = mkdtempSync(join(tmpdir(), "profiles-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const { config } = parseConfig(raw, "config.json");
  const working = join(directory, "work");
  const agents = openAgents({ directory, config }, working);
  seedAgents(agents.directory, ["main"], () => undefined);
  const tool = (description: string) =>
    defineTool({ description, approval: "auto", args: z.object({}), run: () => 1 });
  const tools = createCatalogue([{ source: "t", tree: { mail: { read: tool("r"), send: tool("s") } } }]);
  const warnings: string[] = [];
  const learned: string[] = [];
  const learn = (secret: string): void => void learned.push(secret);
  const models = createAgentModels({ directory, config }, env, agents.settings, model, learn);
  const refuse = () => {
    throw new Error("Nothing is run here");
  };
  const cells: CellRunner = { run: refuse, draft: refuse, proceed: refuse, resume: refuse };
  let made = 0;
  const profileOf = createProfiles({
    agents,
    tools,
    cellsOver: () => {
      made += 1;
      return cells;
    },
    modelOf: models.of,
    warn: (text) => warnings.push(text),
  });
  const write = (path: string, text: string): void => {
    mkdirSync(join(directory, path, ".."), { recursive: true });
    writeFileSync(join(directory, path), text);
  };
  return {
    directory,
    warnings,
    write,
    learned,
    made: () => made,
    profile: (slug = "main") => profileOf(slug, live),
  };
}

const SKILL = (name: string, description = `About ${name}`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\nDo.`;

test("[E97] an edit on disk counts at the next turn; the tools are assembled once", async () => {
  const { profile, directory, made } = setup();
  const before = await profile();
  expect(plainText(before.instructions)).toContain("# SOUL.md\nPlain, brief, friendly.");
  appendFileSync(join(directory, "agents/main/SOUL.md"), "Also patient.\n");
  expect(plainText((await profile()).instructions)).toContain("Also patient.");
  expect(made()).toBe(1);
});

test("[E97] a folder created while Deputy runs is an agent at once", async () => {
  const { profile, write } = setup();
  await expect(profile("ops")).rejects.toMatchObject({ code: "unknown_agent" });
  write("agents/ops/AGENTS.md", "Look after the servers.");
  expect(plainText((await profile("ops")).instructions)).toBe("# AGENTS.md\nLook after the servers.");
});

test("[E97] settings reach the turn", async () => {
  const { profile } = setup({
    agent: { maxTurns: 7, budget: { minutes: 0.5, money: 0.25 } },
    session: { compactionEnabled: false },
    agents: {
      list: { reader: { tools: ["mail.read"], mode: "functions", outputTokens: 9, budget: { calls: 2 } } },
    },
  });
  const { mode, limits, catalogue } = await profile("reader");
  expect(mode).toBe("functions");
  expect(limits).toMatchObject({ modelCalls: 7, outputTokens: 9, typecheckAttempts: 4 });
  expect(limits.budget).toEqual({ timeMs: 30_000, costMicros: 250_000, calls: 2 });
  expect(limits.compaction?.thresholdTokens).toBe(Number.POSITIVE_INFINITY);
  expect(catalogue.list().map(({ path }) => path)).toEqual([
    "deputy.describeTools",
    "deputy.searchTools",
    "mail.read",
    "skill.list",
    "skill.read",
  ]);
  expect((await profile()).limits).toMatchObject({ modelCalls: 7, outputTokens: 8_192 });
});

test("[E97] reports a problem once, and again after it was fixed", async () => {
  const { profile, write, warnings } = setup({ agents: { list: { reader: { tools: ["mial.*"] } } } });
  await profile("reader");
  await profile("reader");
  expect(warnings).toEqual(["Agent reader: no tool fits “mial.*” of its tools."]);
  write("skills/bad/SKILL.md", "none");
  await profile();
  await profile();
  write("skills/bad/SKILL.md", SKILL("bad"));
  await profile();
  write("skills/bad/SKILL.md", "none");
  await profile();
  expect(warnings.slice(1)).toEqual(
    Array.from({ length: 2 }, () => expect.stringContaining("skills/bad is passed over")),
  );
});

test("[E97] skills come from the agent, the home, and optionally the working directory, in this order", async () => {
  const places = (name: string) => [
    `agents/main/skills/${name}`,
    `skills/${name}`,
    `work/.claude/skills/${name}`,
  ];
  for (const [isWanted, expected] of [
    [true, { a: "agents", b: "skills", c: "work" }],
    [false, { a: "agents", b: "skills" }],
  ] as const) {
    const { profile, write } = setup({ skills: { fromWorkingDirectory: isWanted } });
    for (const [name, from] of [
      ["a", 0],
      ["b", 1],
      ["c", 2],
    ] as const)
      for (const place of places(name).slice(from))
        write(`${place}/SKILL.md`, SKILL(name, `From ${place.split("/")[0] ?? ""}`));
    const { instructions } = await profile();
    for (const [name, place] of Object.entries(expected))
      expect(plainText(instructions)).toContain(`- ${name}: From ${place}`);
    const strange = instructions.filter(({ by }) => by.kind === "other").map(({ text }) => text);
    expect(strange, "anybody may have written these").toEqual(isWanted ? ["c", "From work"] : []);
  }
});

test("[E97] an agent uses its own model or the default; DEPUTY_MODEL replaces the default, and a fork's model all", async () => {
  const raw = { model: "rehearsal/tour", agents: { list: { own: { model: "acme/brain" } } } };
  expect((await setup(raw).profile()).model.ref).toEqual({ provider: "rehearsal", model: "tour" });
  await expect(setup(raw).profile("own")).rejects.toMatchObject({ code: "unknown_provider" });
  const named = setup(raw, { DEPUTY_MODEL: "acme/other" });
  await expect(named.profile()).rejects.toThrow("acme");
  const listed = { ...raw, agents: { list: { own: { model: "rehearsal/tour" } } } };
  expect((await setup(listed, { DEPUTY_MODEL: "acme/other" }).profile("own")).model.ref.provider).toBe(
    "rehearsal",
  );
  for (const agent of ["main", "own"])
    expect(
      (await setup(raw, { DEPUTY_MODEL: "acme/other" }, "rehearsal/tour").profile(agent)).model.ref,
    ).toEqual({ provider: "rehearsal", model: "tour" });
  await expect(setup({ agent: { model: "acme/x" }, model: "rehearsal/tour" }).profile()).rejects.toThrow(
    "acme",
  );
});

test("[E97] looks up a provider's key when its model is asked; the environment's key wins", async () => {
  const raw = { model: "openai/gpt-x", providers: { openai: { apiKey: "file:openai-key" } } };
  const { profile, write } = setup(raw);
  await expect(profile()).rejects.toMatchObject({ code: "secret_unavailable" });
  write("openai-key", "first");
  const { model } = await profile();
  expect((await profile()).model).toBe(model);
  write("openai-key", "second");
  expect((await profile()).model).not.toBe(model);
  expect((await setup(raw, { OPENAI_API_KEY: "given" }).profile()).model.ref.provider).toBe("openai");
});

test("[E97] a new key in the configuration counts at the next turn, and is never shown; an invalid file changes nothing", async () => {
  const raw = { model: "openai/gpt-x", providers: { openai: { apiKey: "file:one" } } };
  const { profile, write, learned } = setup(raw);
  write("config.json", JSON.stringify(raw));
  write("one", "first-key");
  write("two", "second-key");
  const { model } = await profile();
  write("config.json", JSON.stringify({ ...raw, providers: { openai: { apiKey: "file:two" } } }));
  const { model: next } = await profile();
  expect(next).not.toBe(model);
  write("config.json", "{");
  expect((await profile()).model).toBe(next);
  expect([...new Set(learned)]).toEqual(["first-key", "second-key"]);
});
