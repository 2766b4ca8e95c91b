import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { configSchema } from "../config.ts";
import { keepDefaultsFile } from "../commands/serve.ts";
import { parseConfig } from "./parse-config.ts";

function setup() {
  const home = mkdtempSync(join(tmpdir(), "defaults-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return { home, file: join(home, "config.defaults.json") };
}

test("[E864] a file beside the settings has every default, and could be the settings", () => {
  const { home, file } = setup();
  writeFileSync(file, "{ an older version }");
  keepDefaultsFile(home);
  const defaults: unknown = JSON.parse(readFileSync(file, "utf8"));
  expect(defaults).toMatchObject({
    gateway: { host: "127.0.0.1", port: 18_789 },
    agents: { default: "main" },
  });
  const { config, warnings } = parseConfig(defaults, file);
  expect(warnings).toEqual([]);
  expect(JSON.parse(JSON.stringify(config))).toEqual(JSON.parse(JSON.stringify(configSchema.parse({}))));
  const { mtimeMs, mode } = statSync(file);
  keepDefaultsFile(home);
  expect(statSync(file).mtimeMs).toBe(mtimeMs);
  expect(mode & 0o777).toBe(0o600);
});

test("[E864] a home where it cannot be written does as well without it", () => {
  const { home, file } = setup();
  mkdirSync(file);
  keepDefaultsFile(home);
  keepDefaultsFile(join(home, "nowhere"));
  expect(statSync(file).isDirectory()).toBe(true);
});
