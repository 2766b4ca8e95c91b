import { createIdSource, createSystemClock } from "@deputy/kit";
import { expect, test } from "vitest";
import type { StandingGrant } from "../wire/approval.ts";
import { describeGrant, scopeWords } from "./describe-grant.ts";

const ids = createIdSource({ clock: createSystemClock() });
const grant: StandingGrant = {
  id: ids.next("grant"),
  stream: ids.next("session"),
  scope: "session",
  title: "mail.send",
  lines: ["to: bob@example.com"],
  bindings: [
    {
      toolPath: "mail.send",
      values: { to: ["bob@example.com"], "body.n": [1, 2] },
      toolHash: "a".repeat(64),
    },
    { toolPath: "mail.send", inputHash: "b".repeat(64) },
  ],
  createdAt: "2026-11-01T09:00:00.000Z",
};

test("[P69] a grant is told by what was on its card, with nothing invisible and no hash", () => {
  const told = { title: "mail.send: Send\u202e it", lines: ["to: bob@example.com\n? Approved"] };
  expect(describeGrant({ ...grant, ...told })).toEqual({
    title: "mail.send: Send\\u{202e} it",
    tools: ["mail.send"],
    scope: "this tool for this conversation",
    lines: ["to: bob@example.com\\u{a}? Approved"],
    isAnyValues: false,
  });
});

test("[P69] one that holds whatever the values is marked", () => {
  const wide = describeGrant({ ...grant, bindings: [{ toolPath: "a.b", anyValues: true }] });
  expect(wide).toMatchObject({ tools: ["a.b"], isAnyValues: true });
});

test.each([
  ["once", undefined, "this call"],
  ["plan", undefined, "this plan"],
  ["session", undefined, "this tool for this conversation"],
  ["session-any", undefined, "this tool for this conversation, whatever the values"],
  ["task", "2026-12-01T08:30:00.000Z", "for this task until 2026-12-01 08:30 UTC"],
] as const)("[P69] %s until %s is %j", (scope, until, words) => {
  expect(scopeWords(scope, { expiresAt: until })).toBe(words);
});

test("[P69] one that covers only the very same call does not say that it covers the tool", () => {
  const same = { ...grant, bindings: [{ toolPath: "bash.run", inputHash: "b".repeat(64) }] };
  expect(describeGrant(same).scope).toBe("the very same for this conversation");
  const until = { scope: "task", expiresAt: "2026-12-01T08:30:00.000Z" } as const;
  expect(describeGrant({ ...same, ...until }).scope).toBe(
    "the very same for this task until 2026-12-01 08:30 UTC",
  );
});
