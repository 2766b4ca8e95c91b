import { expect, test } from "vitest";
import { parseConfig } from "../config/parse-config.ts";
import { findNpmRegistry } from "./npm-registry.ts";

const signal = new AbortController().signal;

test("[E94] npm packages of bundles come from where the settings say, or from where npm gets them", async () => {
  const set = parseConfig({ bundles: { npm: "http://127.0.0.1:4873/" } }, "config.json").config;
  expect(await findNpmRegistry({ config: set }, signal)).toBe("http://127.0.0.1:4873/");
  expect(await findNpmRegistry({ config: parseConfig({}, "config.json").config }, signal)).toMatch(
    /^https?:/,
  );
});
