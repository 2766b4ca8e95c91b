import { expect, test } from "vitest";
import { readHeartbeatFile } from "./heartbeat-file.ts";

test.each([
  [""],
  ["<!-- Look after\n- the mail\n-->\n"],
  ["# Heartbeat\n\n## Mail\n---\n```\n```\n"],
  ["<!-- never closed\n- the mail"],
])("[J97] %j asks for nothing", (text) => {
  expect(readHeartbeatFile(text)).toEqual({ text: "", checks: [], asks: "nothing" });
});

test("[J97] reads checks in lists and code blocks, and names in backticks", () => {
  const { asks, checks } = readHeartbeatFile(
    [
      "# Look at",
      "- file ~/notes/to do.md changed",
      "* [ ] hook `builds` reported.",
      "```",
      "task any failed",
      "```",
    ].join("\n"),
  );
  expect(asks).toBe("checks");
  expect(checks).toMatchObject([
    { kind: "file", path: "~/notes/to do.md" },
    { kind: "hook", hook: "builds" },
    { kind: "task", task: "any" },
  ]);
});

test.each([
  ["- Tell me when an issue has waited for two days."],
  ["file notes.md failed"],
  ["hook builds changed"],
  ["- file notes.md changed\n- and look at my mail"],
])("[J97] %j needs a model", (text) => {
  expect(readHeartbeatFile(text).asks).toBe("a model");
});
