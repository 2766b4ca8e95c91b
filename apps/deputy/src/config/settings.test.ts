import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { idleSettings, listSettings } from "./settings.ts";

const page = readFileSync(new URL("../../../../docs/config.md", import.meta.url), "utf8");

test("[E94] docs/config.md has exactly the existing settings, with their defaults, and which come later", () => {
  const rows = [...page.matchAll(/^\| `([\w.*]+)` +\| (.*?) +\| (.*?) +\| (.*?) +\|$/gm)].map(
    ([, ...cells]) => cells,
  );
  const settings = listSettings().map(({ path, defaultJson, isLater, meaning }) => [
    path,
    defaultJson === undefined ? "" : `\`${defaultJson}\``,
    isLater ? "later" : "now",
    meaning,
  ]);
  expect(rows).toEqual(settings);
});

test("[E94] every setting says what it means", () => {
  expect(listSettings().filter(({ meaning }) => meaning === "")).toEqual([]);
});

test("[E94] settings without effect yet are known", () => {
  const raw = {
    model: "a/b",
    heartbeat: { enabled: false },
    adapters: { slack: { socketMode: true } },
    mcpServers: { x: {} },
    nope: 1,
  };
  expect(idleSettings(raw)).toEqual(["adapters.slack.socketMode"]);
});
