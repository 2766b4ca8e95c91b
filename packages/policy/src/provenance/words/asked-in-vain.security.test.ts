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
