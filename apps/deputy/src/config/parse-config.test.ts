import { expect, test } from "vitest";
import { parseConfig, parseJson } from "./parse-config.ts";

const parse = (raw: unknown) => parseConfig(raw, "config.json");

test("[E90] an empty configuration has every default", () => {
  expect(parse({})).toMatchObject({
    config: {
      toolSources: [],
      agent: { maxTurns: 200, mode: "code", tools: ["**"] },
      agents: { default: "main", list: {} },
      gateway: { host: "127.0.0.1", port: 18_789 },
      tools: { bash: { approval: "ask" } },
    },
    warnings: [],
  });
});

test("[E90] accepts the settings as the designs write them", () => {
  const personalAssistant = {
    security: {
      allowedCommands: ["ls", "cat"],
      commandsNeedingExtraValidation: ["rm"],
      workspace: "~/.personal-assistant/workspace",
      additionalReadDirs: [],
      additionalWriteDirs: [],
    },
    adapters: {
      telegram: { enabled: false, botToken: "", allowedUserIds: [], mode: "polling" },
      slack: { enabled: false, botToken: "", appToken: "", socketMode: true },
    },
    heartbeat: { enabled: true, intervalMinutes: 30, activeHours: "8-21", deliverTo: "last" },
    gateway: { maxQueueSize: 20 },
    agent: { model: null, maxTurns: 200 },
    session: { maxHistoryMessages: 100, compactionEnabled: true },
    memory: {
      search: {
        enabled: true,
        hybridWeights: { vector: 0.7, keyword: 0.3 },
        minScore: 0.35,
        maxResults: 6,
        chunkTokens: 400,
        chunkOverlap: 80,
      },
      extraPaths: [],
    },
    mcpServers: {},
  };
  const jarvis = {
    gateway: { port: 18_789, host: "127.0.0.1" },
    agents: { default: "assistant", workspacePath: "./workspace" },
    tools: { timeout: 120_000, maxOutputBytes: 100_000 },
    memory: { enabled: true, embeddingModel: "text-embedding-3-small" },
    security: { auditLog: true, secretsFilter: true },
  };
  expect(parse(personalAssistant)).toMatchObject({ config: personalAssistant, warnings: [] });
  expect(parse(jarvis)).toMatchObject({ config: jarvis, warnings: [] });
});

test.each([
  [{ modle: "a/b" }, "modle", "model"],
  [{ port: 1 }, "port", "gateway.port"],
  [{ gateway: { prot: 1 } }, "gateway.prot", "gateway.port"],
  [{ agents: { list: { ops: { tols: [] } } } }, "agents.list.ops.tols", "agents.list.ops.tools"],
  [{ agents: { deafult: "x" } }, "agents.deafult", "agents.default"],
])("[E90] %j is a warning, with what was probably meant", (raw, name, meant) => {
  const { warnings } = parse(raw);
  expect(warnings).toEqual([
    expect.stringContaining(`config.json: there is no setting “${name}”. Did you mean ${meant}`),
  ]);
});

test("[E90] an unknown key anywhere changes nothing else", () => {
  const { config, warnings } = parse({ future: { a: 1 }, gateway: { port: 5, ["__proto__x"]: 1 } });
  expect(config.gateway).toMatchObject({ port: 5, host: "127.0.0.1" });
  expect(warnings).toHaveLength(2);
  expect(parse({ security: { dataDir: "/x" } }).warnings[0]).toContain("DEPUTY_HOME");
});

test.each([
  [[], "(top level): Invalid input: expected object"],
  [{ gateway: { port: "http" } }, "gateway.port: Invalid input: expected number, received string"],
  [{ gateway: { port: 70_000 } }, "gateway.port"],
  [{ agent: { maxTurns: 0 } }, "agent.maxTurns"],
  [{ agent: { tools: ["a b"] } }, "agent.tools.0: must be a pattern"],
  [{ agent: { budget: { money: -1 } } }, "agent.budget.money"],
  [{ agents: { default: "Main" } }, "agents.default: must be a slug"],
  [{ agents: { list: { "Bad Name": {} } } }, "agents.list.Bad Name"],
  [{ agents: { list: { ops: { mode: "magic" } } } }, "agents.list.ops.mode"],
  [{ heartbeat: { activeHours: "day" } }, "heartbeat.activeHours: must be hours"],
  [
    { memory: { search: { chunkTokens: 100, chunkOverlap: 100 } } },
    "memory.search.chunkOverlap: must be less",
  ],
  [{ memory: { search: { hybridWeights: { vector: 2 } } } }, "memory.search.hybridWeights.vector"],
  [{ mcpServers: { x: {} } }, "mcpServers.x: must have either command or url"],
  [{ security: { secretsFilter: false } }, "security.secretsFilter: is always on and cannot be switched off"],
  [{ toolSources: [{ type: "ftp" }] }, "toolSources.0"],
  [{ nope: 1, gateway: { port: "http" } }, "gateway.port"],
])("[E90] rejects %j, and names the place", (raw, message) => {
  expect(() => parse(raw)).toThrow(expect.objectContaining({ code: "config_invalid" }) as Error);
  expect(() => parse(raw)).toThrow(message);
});

test("[E90] reports what is not JSON", () => {
  expect(() => parseJson("{ a: 1 }", "config.json")).toThrow(/config\.json is not valid JSON/);
});
