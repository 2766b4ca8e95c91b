import { expect, test } from "vitest";
import type { PolicyTool } from "../policy.ts";
import { judgeOrigins } from "./judge-origins.ts";
import { createOriginIndex } from "./origin-index.ts";

function found(said: string, input: unknown, path = "drive.move"): readonly string[] {
  const index = createOriginIndex();
  index.addUser(said, "2026-05-15");
  index.addResult({ source: "web.fetch", trust: "untrusted" }, "The other way round.");
  index.addResult({ source: "bank.accounts", trust: "trusted" }, [
    { account_id: 3, name: "Savings" },
    { account_id: 7, name: "Daily" },
  ]);
  const tool: PolicyTool = { path, approval: "auto", effect: "egress", critical: "all" };
  return judgeOrigins({ tool, input, origins: index.origins() }).map(({ path: at }) => at);
}

test.each([
  ["Move plan.txt from Inbox to Archive", { file: "plan.txt" }, "Inbox", "Archive"],
  ["Transfer 20 euros from DE11111111111 to DE22222222222", { amount: 20 }, "DE11111111111", "DE22222222222"],
  ["Transfer 20 euros to account Savings from account Daily", { amount: 20 }, "Daily", "Savings"],
])(
  "[YP127] what comes from one place and goes to another does not go the other way: %s",
  (said, more, from, to) => {
    expect(found(said, { ...more, from, to }, "bank.transfer")).toEqual([]);
    expect(found(said, { ...more, from: to, to: from }, "bank.transfer")).toEqual(["from", "to"]);
    expect(found(said, { ...more, source: to, destination: from }, "bank.transfer")).toEqual([
      "source",
      "destination",
    ]);
  },
);

test("[YP127] who wrote a mail may get its answer", () => {
  const reply = { from: "me@x.example", to: "ann@x.example" };
  expect(found("Reply to the mail from ann@x.example as me@x.example", reply, "mail.send")).toEqual([]);
});

test.each([
  ["src", "dest"],
  ["source", "target"],
  ["from", "into"],
  ["src_folder", "destination_folder"],
  ["source_folder", "to_folder"],
])("[YP127] both ends have many names: %s, %s", (from, to) => {
  const said = "Move plan.txt from Inbox to Archive";
  expect(found(said, { file: "plan.txt", [from]: "Inbox", [to]: "Archive" })).toEqual([]);
  expect(found(said, { file: "plan.txt", [from]: "Archive", [to]: "Inbox" })).toEqual([from, to]);
  // Both in one place is not the other way round, whichever it is.
  expect(found(said, { file: "plan.txt", [from]: "Inbox", [to]: "Inbox" })).toEqual([]);
  expect(found(said, { file: "plan.txt", [from]: "Archive", [to]: "Archive" })).toEqual([]);
});

test("[YP127] an id is the end that its name was said of", () => {
  const said = "Transfer 20 euros to account Savings from account Daily";
  const transfer = (from: number, to: number) =>
    found(said, { amount: 20, from_account_id: from, to_account_id: to }, "bank.transfer");
  expect(transfer(7, 3)).toEqual([]);
  expect(transfer(3, 7)).toEqual(["from_account_id", "to_account_id"]);
});
