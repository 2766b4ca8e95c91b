import { createRedactor } from "@deputy/secrets";
import { expect, test } from "vitest";
import { judgeSecrets } from "./judge-secrets.ts";
import type { SecretRow } from "./read-secrets.ts";

const token = ["ghp", "aB3dE6gH9jK2".repeat(3)].join("_");
const word = "in the open";
const row = (rule: string, text: string, wanted: SecretRow["expect"], secret?: string): SecretRow => ({
  rule,
  text,
  expect: wanted,
  secret: secret ?? null,
});

test("counts what was redacted and kept, and by family what was not", () => {
  const report = judgeSecrets(createRedactor([]), [
    row("found", `log: ${token} end`, "redact", token),
    row("left", word, "redact", "open"),
    row("half", `${token} ${word}`, "redact", "open"),
    row("plain", "nothing here", "keep"),
    row("changed", token, "keep"),
    row("both", "said twice", "keep"),
    row("both", "said twice", "redact"),
  ]);
  expect(report).toMatchObject({
    redacted: 1,
    toRedact: 4,
    kept: 2,
    toKeep: 3,
    contradictory: 1,
    unequalStreams: 0,
  });
  expect([...report.missed]).toEqual([
    ["left", { left: 1, changed: 0 }],
    ["half", { left: 1, changed: 0 }],
    ["changed", { left: 0, changed: 1 }],
  ]);
});
