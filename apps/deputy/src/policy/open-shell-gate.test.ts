import { readFileSync } from "node:fs";
import { DEFAULT_ALLOWED_COMMANDS, DEFAULT_EXTRA_VALIDATION } from "@deputy/shell-gate";
import { expect, test } from "vitest";

const page = readFileSync(new URL("../../../../docs/config.md", import.meta.url), "utf8");

test.each([
  ["security.allowedCommands", DEFAULT_ALLOWED_COMMANDS],
  ["security.commandsNeedingExtraValidation", DEFAULT_EXTRA_VALIDATION],
])("[E154] docs/config.md lists the default of %s", (setting, commands) => {
  const line =
    page.split("\n").find((text) => text.startsWith(`- \`${setting}\`, when it is not set: `)) ?? "";
  const list = line.replace(/^[^:]*: /, "").replace(/`\. .*$|`\.$/, "`");
  expect([...list.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).toEqual(commands);
});
