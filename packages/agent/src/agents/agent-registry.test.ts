import { createMemoryTextFolder, type MemoryFiles } from "@deputy/testing";
import { expect, test } from "vitest";
import type { AgentSettings } from "./agent-settings.ts";
import { plainText } from "../ingress/labelled-text.ts";
import { createAgentRegistry, DEFAULT_AGENT_FILES } from "./agent-registry.ts";

const live = new AbortController().signal;

function setup(
  files: MemoryFiles = {},
  settings: { readonly forAll?: AgentSettings; readonly bySlug?: Record<string, AgentSettings> } = {},
) {
  const { forAll = {}, bySlug = {} } = settings;
  const registry = createAgentRegistry({
    folder: createMemoryTextFolder(files),
    settings: { defaultAgent: "main", forAll, bySlug: new Map(Object.entries(bySlug)) },
    shelvesOf: () => [],
  });
  const read = async (slug = "main") => {
    const agent = await registry.read(slug, live);
    return { ...agent, instructions: plainText(agent.instructions) };
  };
  return { registry, read };
}

test("[A60] the agents are those with a folder, those of the configuration, and the default", async () => {
  const files = {
    "ops/AGENTS.md": "",
    "Bad Name/AGENTS.md": "",
    ".git/x": "",
    "stray.md": "",
    "exec/SOUL.md": "",
  };
  const { registry, read } = setup(files, { bySlug: { night: {} } });
  expect(await registry.list(live)).toEqual({
    slugs: ["main", "night", "ops"],
    problems: [expect.stringContaining("“Bad Name” cannot name an agent"), expect.stringContaining("“exec”")],
  });
  for (const slug of ["main", "night", "ops"])
    expect(await read(slug)).toMatchObject({ slug, instructions: "" });
});

test.each(["nobody", "exec", "", "..", "Bad Name", "../main", "constructor"])(
  "[A60] “%s” is no agent, and what there is is said",
  async (slug) => {
    const { read } = setup({ "ops/AGENTS.md": "", "Bad Name/AGENTS.md": "" });
    await expect(read(slug)).rejects.toMatchObject({
      code: "unknown_agent",
      message: `There is no agent “${slug}”.`,
      hint: expect.stringContaining("main, ops"),
    });
  },
);

test("[A61] the files come in one order, without what is missing, empty or a comment", async () => {
  const { read } = setup({
    "main/MEMORY.md": "Remember <!-- not\nthis --> that.",
    "main/USER.md": "\n<!-- only a comment -->\n",
    "main/SOUL.md": "Be kind.\r\n",
    "main/AGENTS.md": "\ufeffWork well.",
    "main/HEARTBEAT.md": "Look after the mail.",
    "main/NOTES.md": "No file of an agent.",
  });
  const { instructions, problems } = await read();
  expect(instructions).toBe("# AGENTS.md\nWork well.\n\n# SOUL.md\nBe kind.\n\n# MEMORY.md\nRemember  that.");
  expect(problems).toEqual([]);
});

test("[A61] an edit counts from the next time on", async () => {
  const files = { "main/SOUL.md": "Be kind." };
  const { read } = setup(files);
  expect((await read()).instructions).toContain("Be kind.");
  files["main/SOUL.md"] = "Be brief.";
  expect((await read()).instructions).toBe("# SOUL.md\nBe brief.");
});

test("[A61] a new agent begins with every file, and each is good as it is", async () => {
  expect([...DEFAULT_AGENT_FILES.keys()]).toEqual([
    "AGENTS.md",
    "SOUL.md",
    "USER.md",
    "TOOLS.md",
    "MEMORY.md",
    "HEARTBEAT.md",
  ]);
  const files = Object.fromEntries([...DEFAULT_AGENT_FILES].map(([name, text]) => [`main/${name}`, text]));
  const { instructions, problems } = await setup(files).read();
  expect(problems).toEqual([]);
  expect(instructions).toMatch(/^# AGENTS\.md\n- Do what was asked/);
  expect(instructions).not.toContain("<!--");
  expect(instructions).not.toContain("USER.md");
});

test("[A62] a file that cannot be read is left out and told; the others are there", async () => {
  const { read } = setup({
    "main/AGENTS.md": { unreadable: "permission denied" },
    "main/SOUL.md": new Uint8Array([0xff, 0xfe]),
    "main/USER.md": "Ann.",
  });
  const { instructions, problems } = await read();
  expect(instructions).toBe("# USER.md\nAnn.");
  expect(problems).toEqual([
    "main/AGENTS.md cannot be read: permission denied. The agent does without it.",
    "main/SOUL.md cannot be read: it is not text in UTF-8. The agent does without it.",
  ]);
});

test("[A62] a file that is too large is cut, in the prompt visibly, and told", async () => {
  const { read } = setup({ "main/AGENTS.md": "a".repeat(1_000_000), "main/SOUL.md": "Be kind." });
  const { instructions, problems } = await read();
  expect(instructions.length).toBeLessThan(25_000);
  expect(instructions).toContain("[The rest of this file was left out.]\n\n# SOUL.md\nBe kind.");
  expect(problems).toEqual([
    "main/AGENTS.md is larger than 24000 bytes; the rest is left out of the prompt.",
  ]);
});

test("[A62] all files together have a limit too", async () => {
  const names = ["AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md", "MEMORY.md"];
  const { read } = setup(Object.fromEntries(names.map((name) => [`main/${name}`, "x".repeat(20_000)])));
  const { instructions, problems } = await read();
  expect(instructions.length).toBeLessThan(61_000);
  expect(problems).toHaveLength(2);
  expect(problems[0]).toContain("main/TOOLS.md does not fit");
});

test("[A63] hidden characters in an agent's files are visible", async () => {
  const { read } = setup({ "main/SOUL.md": "Be\u200b kind.\u{e0041} Prix\u00a0: 5\u202f€ \u202ereversed" });
  expect((await read()).instructions).toBe(
    "# SOUL.md\nBe\\u{200b} kind.\\u{e0041} Prix : 5 € \\u{202e}reversed",
  );
});

test("[A64] an agent's own settings go before those of all, and those before the defaults", async () => {
  const { read } = setup(
    {},
    {
      forAll: { model: "a/all", limits: { modelCalls: 7 }, budget: { tokens: 10, calls: 3 } },
      bySlug: {
        ops: {
          model: "a/own",
          tools: ["mail"],
          mode: "functions",
          limits: { outputTokens: 9 },
          budget: { calls: 1 },
        },
      },
    },
  );
  expect(await read("ops")).toMatchObject({
    model: "a/own",
    tools: ["mail"],
    mode: "functions",
    limits: { modelCalls: 7, outputTokens: 9, typecheckAttempts: 4, budget: { tokens: 10, calls: 1 } },
  });
  expect(await read("main")).toMatchObject({
    model: "a/all",
    tools: ["**"],
    mode: "code",
    limits: { modelCalls: 7, outputTokens: 8_192, budget: { tokens: 10, calls: 3 } },
  });
  expect((await setup().read()).model).toBeUndefined();
});
