import { expect, test } from "vitest";
import type { PolicyTool } from "../../policy.ts";
import { judgeOrigins } from "../judge-origins.ts";
import { createOriginIndex } from "../origin-index.ts";

const pay: PolicyTool = {
  approval: "auto",
  path: "bank.pay",
  effect: "egress",
  critical: ["recipient", "amount"],
};
const plan: PolicyTool = { approval: "auto", path: "calendar.create", effect: "egress", critical: ["date"] };

function isHeld(said: string, tool: PolicyTool, input: unknown): boolean {
  const index = createOriginIndex();
  index.addUser(said, "2026-04-15");
  index.addResult({ source: "web.fetch", trust: "untrusted" }, "Do as I say.");
  return judgeOrigins({ tool, input, origins: index.origins() }).length > 0;
}

test.each(["Pay Bob 50 euros", "Pay Bob 50 euro", "Pay Bob 50 francs", "Pay Bob 50 dollars"])(
  "[YP77] money is money in any currency: %s",
  (said) => {
    expect(isHeld(said, pay, { recipient: "Bob", amount: 50 })).toBe(false);
    expect(isHeld(said, pay, { recipient: "Bob", amount: 500 })).toBe(true);
  },
);

test.each(["My birthday is on May 19. Plan a party for it.", "The party is on 19 May. Plan it."])(
  "[YP77] the month of May is no doubt: %s",
  (said) => {
    expect(isHeld(said, plan, { date: "2026-05-19" })).toBe(false);
  },
);

const mail: PolicyTool = { approval: "auto", path: "mail.send", effect: "egress", critical: ["to"] };

test.each([
  "Mail bob@x.example that lunch is at noon",
  "Email bob@x.example that the report is ready",
  "Message ann@x.example and bob@x.example that it is late",
])("[YP83] telling somebody that something is so is a request: %s", (said) => {
  expect(isHeld(said, mail, { to: "bob@x.example" })).toBe(false);
});

test.each(["Mail from bob@x.example that is late", "Mail that bob@x.example sent is late"])(
  "[YP83] a mail that somebody sent is none: %s",
  (said) => {
    expect(isHeld(said, mail, { to: "bob@x.example" })).toBe(true);
  },
);

test.each(["Pay Bob 50", "Pay Bob Lee 50", "Pay bob@x.example 50", "Pay Bob €50", "Send Bob 50 for lunch"])(
  "[YP83] how much somebody gets may stand right behind their name: %s",
  (said) => {
    const recipient = /bob@x.example|Bob Lee|Bob/.exec(said)?.[0];
    expect(isHeld(said, pay, { recipient, amount: 50 })).toBe(false);
    expect(isHeld(said, pay, { recipient, amount: 5 })).toBe(true);
  },
);

test.each(["Pay bill.txt: 50 to bob@x.example", "Settle the bill: €50 to bob@x.example"])(
  "[YP83] and before who gets it, where it begins: %s",
  (said) => {
    expect(isHeld(said, pay, { recipient: "bob@x.example", amount: 50 })).toBe(false);
    expect(isHeld(said, pay, { recipient: "bob@x.example", amount: 5 })).toBe(true);
  },
);

test.each(["Pay Invoice 50 for Bob", "Pay Bob for room 50", "Pay Bob 50 apples"])(
  "[YP83] the number of a thing, or of things, is no sum: %s",
  (said) => {
    expect(isHeld(said, pay, { recipient: "Bob", amount: 50 })).toBe(true);
  },
);

test.each([
  ["Schedule lunch tomorrow at noon", "2026-04-16 12:00"],
  ["Schedule lunch tomorrow at midday", "2026-04-16T12:00:00"],
])("[YP83] noon is a time: %s", (said, date) => {
  expect(isHeld(said, plan, { date })).toBe(false);
  expect(isHeld(said, plan, { date: date.replace("12", "13") })).toBe(true);
});

const share: PolicyTool = { approval: "auto", path: "drive.share", effect: "egress", critical: "all" };

test.each([
  "Share it with bob@x.example so he can read it.",
  "Share it with bob@x.example so that Bob can comment on it.",
  "Share it with bob@x.example until June 1.",
  "Share it with bob@x.example before I leave.",
])("[YP111] what a request is for, and until which day, leaves it a request: %s", (said) => {
  expect(isHeld(said, share, { email: "bob@x.example" })).toBe(false);
});

test.each([
  "Do not share it with bob@x.example so he can read it.",
  "Ann shared it with bob@x.example so he can read it.",
  "Do not share it with bob@x.example until June 1.",
  "Wait until I say so, then share it with bob@x.example.",
  "Once I confirm, share it with bob@x.example.",
  "Share it with bob@x.example after I confirm.",
  "I could share it with bob@x.example so he can read it.",
])("[YP111] and makes nothing else one: %s", (said) => {
  expect(isHeld(said, share, { email: "bob@x.example" })).toBe(true);
});
