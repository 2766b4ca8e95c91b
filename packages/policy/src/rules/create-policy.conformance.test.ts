import { describePolicy } from "@deputy/testing";
import { createPolicy } from "./create-policy.ts";

describePolicy("a policy without settings", () => createPolicy());

describePolicy("a policy with rules of the user's", () =>
  createPolicy({
    deny: ["files"],
    rules: [
      { tool: "mail.*", effect: "write", decision: "ask", reason: "Ask me about mail." },
      { tool: "mail.read", effect: "egress", decision: "deny" },
      { tool: "toString", decision: "ask-once" },
      { tool: "mail", effect: "read", decision: "ask" },
    ],
  }),
);
