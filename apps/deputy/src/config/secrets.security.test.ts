import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { withSetting } from "./change-config.ts";
import { parseConfig } from "./parse-config.ts";
import { referencedSecrets, secretsOf, showable } from "./secret-places.ts";
import { resolveSecret } from "./secret-reference.ts";

const RAW = "xoxb-0123456789-secret";

function setup() {
  const home = mkdtempSync(join(tmpdir(), "secrets-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const { config } = parseConfig(
    {
      adapters: { slack: { botToken: "env:SLACK", appToken: "file:app-token" }, discord: { botToken: "" } },
      providers: { openai: { apiKey: "env:NOT_SET" } },
      mcpServers: { x: { command: "x", args: ["--plain"], env: { A: "env:SLACK", B: RAW } } },
      toolSources: [{ type: "openapi", spec: "./y.json", headers: { "x-version": "2024-01-01" } }],
    },
    "config.json",
  );
  writeFileSync(join(home, "app-token"), "from the file\n");
  return { home, config, env: { SLACK: "from the environment" } };
}

test("[E92] resolves a reference when it is used: the variable, or the file without its last line end", () => {
  const { home, env } = setup();
  expect(resolveSecret("env:SLACK", env, home)).toBe("from the environment");
  expect(resolveSecret("file:app-token", env, home)).toBe("from the file");
  expect(resolveSecret(`file:${join(home, "app-token")}`, env, "/elsewhere")).toBe("from the file");
  writeFileSync(join(home, "app-token"), "another");
  expect(resolveSecret("file:app-token", env, home)).toBe("another");
});

test.each(["env:NOT_SET", "file:nothing", "file:.", "file:empty", "file:huge"])(
  "[E92] %s gives no secret, and the error shows none",
  (reference) => {
    const { home } = setup();
    writeFileSync(join(home, "empty"), "\n");
    writeFileSync(join(home, "huge"), RAW.repeat(10_000));
    const failure = {
      code: "secret_unavailable",
      message: expect.stringContaining(`${reference} gives no secret`),
    };
    expect(() => resolveSecret(reference, {}, home)).toThrow(expect.objectContaining(failure) as Error);
    expect(() => resolveSecret(reference, {}, home)).not.toThrow(RAW);
  },
);

test("[E92] refuses a secret where a reference belongs, and does not repeat it", () => {
  const wrong = { adapters: { slack: { botToken: RAW } } };
  expect(() => parseConfig(wrong, "config.json")).toThrow(/slack\.botToken: must be a reference/);
  expect(() => parseConfig(wrong, "config.json")).not.toThrow(RAW);
  expect(() => withSetting({}, ["providers", "openai", "apiKey"], RAW)).toThrow(
    /apiKey: must be a reference/,
  );
  expect(() => withSetting({}, ["providers", "openai", "apiKey"], RAW)).not.toThrow(RAW);
});

test("[E92] a tool source refers to its secrets, even in headers", () => {
  const source = { type: "openapi", spec: "./y.json" };
  const parse = (more: object) => () => parseConfig({ toolSources: [{ ...source, ...more }] }, "config.json");
  for (const wrong of [
    { headers: { "X-Api-Key": RAW } },
    { auth: { type: "bearer", token: RAW } },
    { auth: { type: "basic", credentials: RAW } },
    { auth: { type: "basic", username: "me" } },
    { auth: { type: "oauth2", tokenUrl: "https://a.example/t", clientId: "me", clientSecret: RAW } },
  ]) {
    expect(parse(wrong)).toThrow(/toolSources/);
    expect(parse(wrong)).not.toThrow(RAW);
  }
  expect(
    parse({ headers: { "X-Api-Key": "env:KEY" }, auth: { type: "bearer", token: "file:t" } }),
  ).not.toThrow();
});

test("[E92] shows references, and never a possible secret", () => {
  const { config } = setup();
  const shown = JSON.stringify(showable(config));
  expect(shown).toContain("env:SLACK");
  expect(shown).toContain("file:app-token");
  expect(shown).toContain("--plain");
  expect(shown).toContain("2024-01-01");
  expect(shown).not.toContain(RAW);
  expect(JSON.stringify(showable({ B: RAW }, ["mcpServers", "x", "env"]))).not.toContain(RAW);
});

test("[E92] the redactor knows every available secret", () => {
  const { home, config, env } = setup();
  expect(referencedSecrets(config).map(({ path }) => path)).toEqual([
    "mcpServers.x.env.A",
    "providers.openai.apiKey",
    "adapters.slack.botToken",
    "adapters.slack.appToken",
  ]);
  expect(new Set(secretsOf(config, env, home))).toEqual(
    new Set(["from the environment", "from the file", RAW]),
  );
});

test("[E92] the auth of an OpenAPI source takes the bare name of a variable, and still no secret", () => {
  const auth = (credentials: string) => ({
    toolSources: [
      { type: "openapi", name: "fastspring", spec: "./y.json", auth: { type: "basic", credentials } },
    ],
  });
  const { config } = parseConfig(auth("FASTSPRING_CREDENTIALS"), "config.json");
  expect(referencedSecrets(config)).toMatchObject([{ reference: "env:FASTSPRING_CREDENTIALS" }]);
  expect(secretsOf(config, { FASTSPRING_CREDENTIALS: "user:pass" }, "/none")).toContain("user:pass");
  for (const secret of ["user:pass", RAW, "ABCDEF0123456789", "lower_case"])
    expect(() => parseConfig(auth(secret), "config.json")).toThrow(/credentials: must be a reference/);
});
