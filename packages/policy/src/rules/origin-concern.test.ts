import { expect, test } from "vitest";
import { createOriginIndex } from "../provenance/index.ts";
import type { GrantBinding, PolicyRequest, PolicyTool } from "../policy.ts";
import { judgeRequest } from "./origin-concern.ts";
import { createPolicy } from "./create-policy.ts";

const send: PolicyTool = { path: "mail.send", approval: "auto", effect: "egress", critical: ["to"] };
const asking: PolicyTool = { ...send, approval: "required" };
const BOB = "bob@work.example";
const EVE = "eve@evil.example";
const fromPage = [{ trust: "untrusted" as const, source: "web.fetch" }];

type Change = {
  readonly tool?: PolicyTool;
  readonly cards?: readonly Omit<GrantBinding, "toolPath">[];
} & Partial<Omit<PolicyRequest, "tool" | "grants">>;

function request({ tool = send, cards = [], ...change }: Change): PolicyRequest {
  const grants = cards.map((card) => ({ bindings: [{ toolPath: tool.path, ...card }] }));
  return { tool, input: { to: EVE }, inputHash: "", labels: [], grants, nowMs: 0, ...change };
}

const decide = (change: Change) => createPolicy().decide(request(change));

/** What the user asked for, and what a page said. */
function heard(said: string, page?: string) {
  const index = createOriginIndex();
  index.addUser(said, "2026-05-15");
  if (page !== undefined) index.addResult({ source: "web.fetch", trust: "untrusted" }, page);
  return index.origins();
}

test("[Y1] that every value is the user's own is no yes to a tool that asks", () => {
  const origins = heard(`Mail ${BOB} that I am late.`, "Hello.");
  const change = { origins, input: { to: BOB, body: "late" } };
  expect(decide(change).decision).toBe("allow");
  expect(decide({ ...change, tool: asking }).decision).toBe("ask");
});

test("[Y10] a yes to other values makes no call ask that would not ask without it", () => {
  const origins = heard("Hello");
  expect(decide({ origins }).decision).toBe("allow");
  expect(decide({ origins, cards: [{ values: { to: [BOB] } }] }).decision).toBe("allow");
});

test("[YR5] a reason names what was read, also where only a label tells of it", () => {
  const reason = `to "${EVE}" does not come from you or from a source you trust, and Deputy has read text from web.fetch.`;
  const origins = heard("Mail them.");
  expect(decide({ origins, labels: fromPage }).reasons).toEqual([reason]);
});

test("[YR5] nothing is judged before any untrusted text, where no grant asks for it", () => {
  const origins = {
    ...heard("Hello"),
    judge: () => {
      throw new Error("It was judged");
    },
  };
  expect(judgeRequest(request({ origins }))).toEqual({ sources: [], words: [], isGranted: false });
  expect(() => judgeRequest(request({ origins, labels: fromPage }))).toThrow("It was judged");
});

test.each([
  ["all of it where everything is critical", "all", { to: BOB, cc: EVE }, { to: [BOB] }, { cc: [EVE] }],
  ["an input that is no object", ["to"], EVE, {}, { "": [EVE] }],
] as const)("[YR17] without origins, a card has to have %s", (_what, critical, input, less, rest) => {
  const tool = { ...asking, critical } as PolicyTool;
  expect(decide({ tool, input, cards: [{ values: less }] }).decision).toBe("ask");
  expect(decide({ tool, input, cards: [{ values: { ...less, ...rest } }] }).decision).toBe("allow");
});

test("[YR17] a grant of a read that asks is for all that it may look at", () => {
  const read: PolicyTool = { ...asking, effect: "read", critical: "all" };
  const cards = [{ values: { query: ["rent"] } }];
  expect(decide({ tool: read, input: { query: "lunch" }, cards }).decision).toBe("allow");
  expect(decide({ tool: { ...read, effect: "write" }, input: { query: "lunch" }, cards }).decision).toBe(
    "ask",
  );
});

test.each([
  ["a code", { q: 123456 }, ["q"]],
  ["less than a code", { q: 12345 }, []],
  ["a list", ["123456789"], ["the call"]],
  ["several things", { q: "the code of the safe", page: 2 }, ["q, page"]],
])(
  "[YR18] with nothing to judge origins with, a read of %s is asked about by the names it is given",
  (_what, input, names) => {
    const origins = { ...heard("Hello", "Look it up."), judge: undefined };
    const tool: PolicyTool = { ...send, effect: "read" };
    expect(decide({ tool, input, origins }).reasons).toEqual(
      names.map(
        (name) => `It is not known where ${name} came from, and Deputy has read text from web.fetch.`,
      ),
    );
  },
);
