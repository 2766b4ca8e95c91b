import { expect, test } from "vitest";
import { parseConfig } from "./parse-config.ts";
import { referencedSecrets, showable } from "./secret-places.ts";
import { toolSourcesOf } from "./tool-source-schema.ts";

const parse = (mcpServers: object, toolSources: readonly unknown[] = []) =>
  parseConfig({ mcpServers, toolSources }, "config.json").config;
const sources = (mcpServers: object) => toolSourcesOf(parse(mcpServers));

test("[E87] servers in other programs' format are tool sources like any other", () => {
  const file = {
    shelf: { command: "npx", args: ["-y", "shelf-server"], env: { LEVEL: "debug", KEY: "env:SHELF_KEY" } },
    tracker: { type: "http", url: "https://tracker.example/mcp", headers: { "X-Version": "2" } },
  };
  expect(sources(file)).toEqual([
    { type: "mcp", name: "shelf", ...file.shelf },
    { type: "mcp", name: "tracker", url: "https://tracker.example/mcp", headers: { "X-Version": "2" } },
  ]);
});

test("[E87] placeholders for the environment become references", () => {
  expect(
    sources({
      one: { command: "x", env: { A: "${TOKEN}", B: "${env:OTHER}" } },
      two: { url: "https://a.example/", headers: { Authorization: "Bearer ${API_KEY}", "X-Key": "${KEY}" } },
      three: { url: "https://a.example/", headers: { authorization: "Bearer file:token" } },
    }),
  ).toEqual([
    { type: "mcp", name: "one", command: "x", env: { A: "env:TOKEN", B: "env:OTHER" } },
    {
      type: "mcp",
      name: "two",
      url: "https://a.example/",
      headers: { "X-Key": "env:KEY" },
      auth: { type: "bearer", token: "env:API_KEY" },
    },
    { type: "mcp", name: "three", url: "https://a.example/", auth: { type: "bearer", token: "file:token" } },
  ]);
});

test("[E87] ignores automatic approvals of other programs, and disabled servers", () => {
  expect(sources({ x: { command: "x", autoApprove: ["buy"], alwaysAllow: ["*"], trust: true } })).toEqual([
    { type: "mcp", name: "x", command: "x" },
  ]);
  expect(sources({ x: { command: "x", disabled: true } })).toEqual([]);
});

test("[E87] accepts Deputy's own settings of a server too", () => {
  const given = { url: "https://a.example/", auth: "oauth", origins: ["http://10.0.0.1"], timeoutMs: 5 };
  expect(sources({ x: given })).toEqual([{ type: "mcp", name: "x", ...given }]);
});

test("[E87] knows secrets by their references, and hides values that may be secrets", () => {
  const config = parse({
    x: { url: "https://a.example/", headers: { Authorization: "Bearer raw-secret" } },
    y: { url: "https://a.example/", headers: { Authorization: "Bearer ${KEY}" } },
  });
  expect(JSON.stringify(showable(config))).not.toContain("raw-secret");
  expect(referencedSecrets(config)).toEqual([{ path: "mcpServers.y.auth.token", reference: "env:KEY" }]);
});

test.each([
  [{ x: {} }, "mcpServers.x: must have either command or url"],
  [{ x: { command: "x", url: "https://a.example/" } }, "mcpServers.x: must have either command or url"],
  [{ x: { url: "https://a.example/", env: { A: "b" } } }, "mcpServers.x: args, env and cwd go with command"],
  [{ "my server": { command: "x" } }, "mcpServers.my server"],
  [{ x: { type: "sse", url: "https://a.example/" } }, "mcpServers.x.type: must be `stdio` or `http`"],
  [{ x: { url: "file:///etc/passwd" } }, "mcpServers.x.url"],
  [{ x: { command: "x", env: { A: "a-${B}" } } }, "mcpServers.x.env.A: `${…}` is filled in where"],
  [{ x: { url: "https://a.example/${B}" } }, "mcpServers.x.url: `${…}` is filled in where"],
  [
    { x: { url: "https://a.example/", headers: { Authorization: "Basic ${B}" } } },
    "mcpServers.x.headers.Authorization: `${…}` is filled in where",
  ],
])("[E87] rejects %j, and names the place", (servers, message) => {
  expect(() => parse(servers)).toThrow(message);
});

test("[E87] refuses a name that both places use", () => {
  const source = { type: "mcp", name: "x", command: "y" };
  expect(() => parse({ x: { command: "x" } }, [source])).toThrow("mcpServers.x: is already in toolSources");
  expect(() => parse({ z: { command: "x" } }, [source])).not.toThrow();
});
