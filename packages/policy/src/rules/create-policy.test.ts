import { describe, expect, test } from "vitest";
import {
  type CallCount,
  createPolicy,
  judgeOrigins,
  type Origin,
  type Origins,
  type PolicyRequest,
  type PolicySettings,
  type PolicyTool,
} from "../index.ts";

type Change = { readonly tool?: Partial<PolicyTool> } & Partial<Omit<PolicyRequest, "tool">>;

const HASH = "a".repeat(64);
const untrusted = [{ trust: "untrusted" as const, source: "mail.read" }];
const toolGrant = { bindings: [{ toolPath: "mail.send", values: { to: ["eve@evil.example"] } }] };
const anyGrant = { bindings: [{ toolPath: "mail.send", anyValues: true as const }] };
const inputGrant = { bindings: [{ toolPath: "mail.send", inputHash: HASH }] };

function decide(settings: Partial<PolicySettings>, change: Change = {}) {
  const tool: PolicyTool = {
    path: "mail.send",
    approval: "auto",
    effect: "egress",
    critical: ["to"],
    anyValues: false,
    ...change.tool,
  };
  return createPolicy(settings).decide({
    input: { to: "eve@evil.example", body: "hello" },
    inputHash: HASH,
    labels: [],
    grants: [],
    nowMs: 1_000,
    ...change,
    tool,
  });
}

/** Origins in which the user said some words, and asked for them to be deleted; a page said everything else. */
function told(words: readonly string[], sources: readonly string[] = ["web.fetch"]): Origins {
  const trace = (value: string | number | boolean): Origin =>
    words.includes(String(value)) ? { kind: "user" } : { kind: "untrusted", source: "web.fetch" };
  return {
    untrusted: sources,
    trace,
    echoes: () => false,
    isSaidOf: () => false,
    directionOf: () => undefined,
    wishFor: () => "nothing",
    asksToDestroy: () => true,
    says: () => false,
    asksToGive: () => false,
    mayBeComputed: () => false,
    isDeclined: () => false,
    judge: judgeOrigins,
    words: {
      saidOf: () => ({ times: 0, isNext: false, among: 0 }),
      ownOf: () => ({ times: 0, isNext: false, among: 0 }),
      holderOf: () => "mail.read",
      ownerOf: () => undefined,
      isUnheard: () => false,
      hasOthers: () => true,
    },
    asksForAll: () => false,
  };
}

describe("settings", () => {
  test("[YR2] what is on the list never runs, though a rule and a grant allow it", () => {
    const settings: Partial<PolicySettings> = {
      deny: ["files", "mail"],
      rules: [{ tool: "**", decision: "allow", evenUntrusted: true }],
    };
    expect(decide(settings, { grants: [inputGrant] })).toEqual({
      decision: "deny",
      rule: "policy.deny[1]",
      reasons: ["mail.send must never run (policy.deny[1])."],
    });
    expect(decide(settings, { tool: { path: "calendar.add" } }).decision).toBe("allow");
  });

  test("[YR14] a tool that takes a yes for one input only asks again, whatever grant of the tool there is", () => {
    const tool = { approval: "required", grantable: "input" } as const;
    expect(decide({}, { tool, grants: [toolGrant] })).toMatchObject({ decision: "ask", grantable: "input" });
    expect(decide({}, { tool, grants: [toolGrant, inputGrant] }).decision).toBe("allow");
    const once = decide({ rules: [{ tool: "mail", decision: "ask-once" }] }, { tool });
    expect(once).not.toHaveProperty("askOnce");
  });

  test("[YR3] the first rule that fits decides, by pattern and effect", () => {
    const rules = [
      { tool: "calendar", decision: "allow" },
      { tool: "mail", effect: "read", decision: "allow" },
      { tool: "mail.*", decision: "deny" },
      { tool: "mail.send", decision: "allow" },
    ] as const;
    expect(decide({ rules })).toMatchObject({ decision: "deny", rule: "policy.rules[2]" });
    expect(decide({ rules }, { tool: { effect: "read", approval: "required" } })).toMatchObject({
      decision: "allow",
      rule: "policy.rules[1]",
    });
    expect(decide({ rules }, { tool: { path: "mail.box.send" } })).toMatchObject({ rule: "tool.auto" });
  });

  test("[YR4] a rule's reason is told in its own words, and its place where it has none", () => {
    const reason = "Mail goes out by hand.";
    expect(decide({ rules: [{ tool: "mail", decision: "deny", reason }] })).toEqual({
      decision: "deny",
      rule: "policy.rules[0]",
      reasons: [reason],
    });
    expect(decide({ rules: [{ tool: "mail", decision: "ask" }] })).toEqual({
      decision: "ask",
      rule: "policy.rules[0]",
      reasons: ["mail.send needs your approval (policy.rules[0])."],
      grantable: "tool",
    });
    expect(decide({ rules: [{ tool: "mail", decision: "deny" }] }).reasons).toEqual([
      "mail.send must never run (policy.rules[0]).",
    ]);
    expect(decide({ rules: [{ tool: "mail", decision: "allow" }] }).reasons).toEqual([
      "mail.send may run (policy.rules[0]).",
    ]);
  });

  test("[YR4] an answer that asks tells all reasons, and the first is the rule's", () => {
    const budgets = [{ tool: "mail", calls: 2, per: "day" }] as const;
    const counts = [{ toolPath: "mail.send", turn: 0, session: 0, day: 2 }];
    const change: Change = { tool: { approval: "required" }, origins: told([]), counts };
    const decision = decide({ rules: [{ tool: "mail", decision: "ask" }], budgets }, change);
    expect(decision).toMatchObject({ rule: "policy.rules[0]", grantable: "input" });
    expect(decision.reasons).toEqual([
      "mail.send needs your approval (policy.rules[0]).",
      "mail.send asks before every call.",
      'to "eve@evil.example" comes from web.fetch, not from you.',
      "More than 2 calls of mail in one day (policy.budgets[0]).",
    ]);
  });

  test("[YR7] ask-once says that a yes is for the session, unless it would not help", () => {
    const rules = [{ tool: "mail", decision: "ask-once" }] as const;
    expect(decide({ rules })).toMatchObject({ decision: "ask", askOnce: true, grantable: "tool" });
    expect(decide({ rules }, { grants: [toolGrant] })).toMatchObject({ decision: "allow", rule: "grant" });
    expect(decide({ rules }, { origins: told([]) })).toMatchObject({ askOnce: true });
    const budgets = [{ tool: "mail", calls: 0, per: "turn" }] as const;
    expect(decide({ rules, budgets }, { counts: [] })).not.toHaveProperty("askOnce");
    expect(decide({ rules: [{ tool: "mail", decision: "ask" }] })).not.toHaveProperty("askOnce");
  });

  test("[YR7] after a yes for any values, ask-once does not ask again, whatever was read", () => {
    const rules = [{ tool: "mail", decision: "ask-once" }] as const;
    const tool = { grantable: "input", anyValues: true } as const;
    const once = decide({ rules }, { tool, origins: told([]) });
    expect(once).toMatchObject({ askOnce: true, anyValues: true });
    expect(decide({ rules }, { tool, origins: told([]), grants: [anyGrant] }).decision).toBe("allow");
  });

  test("[YR7] evenUntrusted lets such a yes cover a tool whose author does not", () => {
    const rules = [{ tool: "mail", decision: "ask-once", evenUntrusted: true }] as const;
    const origins = told([]);
    expect(decide({ rules }, { origins })).toMatchObject({ decision: "ask", askOnce: true, anyValues: true });
    expect(decide({ rules }, { origins, grants: [anyGrant] }).decision).toBe("allow");
  });

  test.each([
    ["reads", { path: "mail.list", effect: "read" }, true],
    ["writes", { path: "notes.add", effect: "write" }, true],
    ["sends a message", { path: "mail.send", effect: "egress" }, false],
    ["sends funds", { path: "bank.send_funds", effect: "egress" }, false],
    ["disburses", { path: "wise.disburse", effect: "egress" }, false],
    ["pays in another language", { path: "bank.überweisen", effect: "egress" }, false],
    ["destroys", { path: "mail.remove", effect: "destructive" }, false],
    ["destroys, as its author allows", { effect: "destructive", anyValues: true }, true],
    ["sorts, as its author allows", { path: "mail.sort_order", effect: "egress", anyValues: true }, true],
    ["writes, as its author forbids", { path: "notes.add", effect: "write", anyValues: false }, false],
  ] as const)(
    "[YR15] what %s is granted whatever the values only where that is safe by its effect, or its author says so",
    (_what, tool, takes) => {
      const own = { anyValues: undefined, ...tool } as Partial<PolicyTool>;
      const rules = [{ tool: "**", decision: "ask" }] as const;
      expect(decide({ rules }, { tool: own }).anyValues === true).toBe(takes);
      const path = own.path ?? "mail.send";
      const grants = [{ bindings: [{ toolPath: path, anyValues: true as const }] }];
      const after = decide({ rules }, { tool: own, origins: told([]), grants });
      expect(after.decision).toBe(takes || own.effect === "read" ? "allow" : "ask");
    },
  );

  test("[YR15] the user's settings can say so of any tool, and a yes holds as long as they do", () => {
    const tool = { path: "bank.send_funds", approval: "required", anyValues: undefined } as never;
    const rules = [{ tool: "bank", decision: "ask-once", evenUntrusted: true }] as const;
    expect(decide({ rules }, { tool })).toMatchObject({ decision: "ask", anyValues: true });
    const plain = [{ tool: "bank", decision: "ask-once" }] as const;
    expect(decide({ rules: plain }, { tool })).not.toHaveProperty("anyValues");
    const grants = [{ bindings: [{ toolPath: "bank.send_funds", anyValues: true as const }] }];
    expect(decide({ rules }, { tool, grants, origins: told([]) }).decision).toBe("allow");
    expect(decide({}, { tool, grants, origins: told([]) }).decision).toBe("ask");
  });

  test("[YR16] values that were on the card of a grant need no other explanation, but only in their place", () => {
    const grants = [{ bindings: [{ toolPath: "mail.send", values: { to: ["eve@evil.example"] } }] }];
    const origins = told([]);
    expect(decide({}, { origins, grants }).decision).toBe("allow");
    expect(
      decide({}, { origins, grants, input: { to: "eve@evil.example", body: "other words" } }).decision,
    ).toBe("allow");
    const lists = [{ bindings: [{ toolPath: "mail.send", values: { "to[0]": ["eve@evil.example"] } }] }];
    const two = { to: ["eve@evil.example", "x@evil.example"] };
    expect(decide({}, { origins, grants: lists, input: { to: ["eve@evil.example"] } }).decision).toBe(
      "allow",
    );
    expect(decide({}, { origins, grants: lists, input: two }).reasons).toContain(
      'to[1] "x@evil.example" comes from web.fetch, not from you.',
    );
    const elsewhere = [{ bindings: [{ toolPath: "mail.send", values: { cc: ["eve@evil.example"] } }] }];
    expect(decide({}, { origins, grants: elsewhere }).decision).toBe("ask");
    const inside = { critical: "all" } as const;
    const body = { toolPath: "mail.send", values: { "body.to": ["bob"], "body.subject": ["eve"] } };
    expect(
      decide({}, { origins, grants: [{ bindings: [body] }], tool: inside, input: { body: { to: "eve" } } })
        .decision,
    ).toBe("ask");
  });

  const pay = { path: "bank.pay", approval: "required", critical: ["to", "amount"] } as const;
  const cardOf = (to: string, amount: number) => ({
    bindings: [{ toolPath: "bank.pay", values: { to: [to], amount: [amount] } }],
  });

  test.each([
    ["after untrusted text", told([])],
    ["before any", told([], [])],
    ["without origins", undefined],
  ])("[YR16] values of several cards do not make up a call that was on none, %s", (_when, origins) => {
    const grants = [cardOf("landlord", 1200), cardOf("bob", 5)];
    const ask = (to: string, amount: number) =>
      decide({}, { tool: pay, grants, input: { to, amount }, ...(origins === undefined ? {} : { origins }) })
        .decision;
    expect([ask("landlord", 1200), ask("bob", 5)]).toEqual(["allow", "allow"]);
    expect([ask("bob", 1200), ask("landlord", 5), ask("eve", 5)]).toEqual(["ask", "ask", "ask"]);
  });

  test("[YR16] what is on no card may be the user's own words beside the values of one", () => {
    const grants = [cardOf("landlord", 1200), cardOf("bob", 5)];
    const input = { to: "bob", amount: 1200 };
    expect(decide({}, { tool: pay, grants, input, origins: told(["1200"]) }).decision).toBe("allow");
    expect(decide({}, { tool: pay, grants, input, origins: told(["1200"], []) }).decision).toBe("allow");
  });

  test("[YR17] a grant of a tool that asks covers no other values, even where nothing untrusted was read", () => {
    const tool = { path: "drive.delete", approval: "required", effect: "destructive", critical: ["file"] };
    const grants = [{ bindings: [{ toolPath: "drive.delete", values: { file: ["1"] } }] }];
    const ask = (file: string, said: readonly string[]) =>
      decide({}, { tool: tool as Partial<PolicyTool>, grants, input: { file }, origins: told(said, []) });
    expect(ask("1", []).decision).toBe("allow");
    expect(ask("2", []).decision).toBe("ask");
    expect(ask("2", ["2"]).decision).toBe("allow");
  });
});

describe("budgets", () => {
  const count = (toolPath: string, turn: number, session: number, day: number): CallCount => ({
    toolPath,
    turn,
    session,
    day,
  });
  const counts = [count("mail.send", 1, 2, 3), count("mail.draft", 1, 2, 3), count("files.read", 50, 50, 50)];

  test.each([
    ["turn", 2, "ask"],
    ["turn", 3, "allow"],
    ["session", 4, "ask"],
    ["session", 5, "allow"],
    ["day", 6, "ask"],
    ["day", 7, "allow"],
  ] as const)("[YR9] per %s, with %i calls allowed: %s", (per, calls, decision) => {
    expect(decide({ budgets: [{ tool: "mail", calls, per }] }, { counts }).decision).toBe(decision);
  });

  test("[YR9] one that is used up is named, and one of other tools does not count", () => {
    const budgets = [
      { tool: "files", calls: 1, per: "day" },
      { tool: "mail.send", calls: 9, per: "day" },
      { tool: "mail.*", calls: 1, per: "turn" },
    ] as const;
    expect(decide({ budgets }, { counts })).toEqual({
      decision: "ask",
      rule: "policy.budgets[2]",
      reasons: ["More than 1 calls of mail.* in one turn (policy.budgets[2])."],
      grantable: "input",
    });
  });

  test("[YR9] where nobody counted, it is used up", () => {
    expect(decide({ budgets: [{ tool: "mail", calls: 9, per: "turn" }] }).decision).toBe("ask");
    expect(decide({ budgets: [{ tool: "mail", calls: 9, per: "turn" }] }, { counts: [] }).decision).toBe(
      "allow",
    );
  });
});

describe("origins", () => {
  test("[YR5] a critical value from nobody the user trusts asks, and says where it is from", () => {
    expect(decide({}, { origins: told([]) })).toEqual({
      decision: "ask",
      rule: "provenance",
      reasons: ['to "eve@evil.example" comes from web.fetch, not from you.'],
      grantable: "tool",
    });
    expect(decide({}, { origins: told(["eve@evil.example"]) }).decision).toBe("allow");
  });

  test("[YR5] a tool that was granted, or allowed, still asks about such a value", () => {
    const rules = [{ tool: "mail", decision: "allow" }] as const;
    const evenUntrusted = [{ tool: "mail", decision: "allow", evenUntrusted: true }] as const;
    const origins = told([]);
    const other = { bindings: [{ toolPath: "mail.send", values: { to: ["bob@work.example"] } }] };
    expect(decide({}, { origins, grants: [other] }).decision).toBe("ask");
    expect(decide({ rules }, { origins }).decision).toBe("ask");
    expect(decide({}, { origins, grants: [inputGrant] })).toMatchObject({ decision: "allow", rule: "grant" });
    expect(decide({ rules: evenUntrusted }, { origins }).decision).toBe("allow");
    expect(decide({ rules: [{ ...evenUntrusted[0], evenUntrusted: false }] }, { origins }).decision).toBe(
      "ask",
    );
  });

  test("[YR5] a label counts where the origins do not know of it", () => {
    const origins = told([], []);
    expect(decide({}, { origins }).decision).toBe("allow");
    expect(decide({}, { origins, labels: untrusted })).toMatchObject({ decision: "ask", rule: "provenance" });
  });

  test.each([
    ["a critical argument", { critical: ["to"] }, { to: "x", body: "y" }, ["to"]],
    ["every argument", { critical: "all" }, { to: "x", body: "y" }, ["to", "body"]],
    ["an input that is no object", { critical: ["to"] }, "x", ["the input"]],
    ["a list", { critical: [] }, ["x"], ["the input"]],
    ["nothing at all", { critical: [] }, null, ["the input"]],
  ] as const)("[YR5] without origins, %s of a write is suspect", (_what, tool, input, names) => {
    const decision = decide({}, { tool: { effect: "write", ...tool }, input, labels: untrusted });
    expect(decision).toEqual({
      decision: "ask",
      rule: "provenance",
      reasons: [
        `It is not known where ${names.join(", ")} came from, and Deputy has read text from mail.read.`,
      ],
      grantable: "tool",
    });
  });

  test("[YR5] a write without a critical value is not, nor is one before any untrusted text", () => {
    const write = { effect: "write" } as const;
    expect(decide({}, { tool: write, input: { body: "x" }, labels: untrusted }).decision).toBe("allow");
    expect(decide({}, { tool: { ...write, critical: "all" }, input: {}, labels: untrusted }).decision).toBe(
      "allow",
    );
    const trusted = [
      { trust: "user" as const, source: "user" },
      { trust: "trusted" as const, source: "crm.find" },
    ];
    expect(decide({}, { tool: write, labels: trusted }).decision).toBe("allow");
  });

  test("[YR6] a read is asked about only if it would send on what another source gave", () => {
    const tool = { effect: "read", critical: "all" } as const;
    const origins = told([]);
    expect(decide({}, { tool, labels: untrusted }).decision).toBe("allow");
    expect(decide({}, { tool, labels: untrusted, origins }).decision).toBe("allow");
    const input = { query: "Dear Ann, the code of the safe is in the drawer of the desk" };
    expect(decide({}, { tool, origins, input })).toMatchObject({
      decision: "ask",
      rule: "provenance",
      reasons: [
        'query would send "Dear Ann, the code of the safe is in the drawer of the desk", from mail.read, to mail.send.',
      ],
    });
    expect(decide({}, { tool: { ...tool, isLocal: true }, origins, input }).decision).toBe("allow");
  });

  test.each(["egress", "destructive"] as const)(
    "[YR10] without origins, %s asks after untrusted text, and says whose",
    (effect) => {
      const labels = [...untrusted, { trust: "untrusted" as const, source: "a.page" }, ...untrusted];
      const change: Change = { tool: { effect }, input: {}, labels };
      expect(decide({}, change)).toEqual({
        decision: "ask",
        rule: "untrusted.effect",
        reasons: [
          `This call can have an effect (${effect}), and Deputy has read text from a.page, mail.read.`,
        ],
        grantable: "tool",
      });
      expect(decide({}, { ...change, grants: [toolGrant] }).decision).toBe("allow");
      expect(decide({}, { ...change, labels: [] }).decision).toBe("allow");
      expect(decide({}, { ...change, input: { to: "eve" }, origins: told(["eve"]) }).decision).toBe("allow");
    },
  );
});

test.each([
  ["a read that could tell somebody a code", { effect: "read" }, { q: "123456" }, "ask"],
  ["a read that is no object", { effect: "read" }, ["123456", "2"], "ask"],
  ["a read that could tell nobody anything", { effect: "read" }, { q: "1" }, "allow"],
  ["a local read", { effect: "read", isLocal: true }, { q: "x".repeat(500) }, "allow"],
  ["a write", { effect: "write" }, { to: "eve" }, "ask"],
  ["a write in which nothing is critical", { effect: "write", critical: [] }, { note: "eve" }, "ask"],
  ["a local write", { effect: "write", critical: [], isLocal: true }, { note: "eve" }, "ask"],
  ["a write of nothing", { effect: "write" }, {}, "ask"],
  ["what sends", { effect: "egress", critical: [] }, {}, "ask"],
  ["what destroys", { effect: "destructive" }, {}, "ask"],
] as const)("[YR18] with nothing to judge origins with, %s: %s %s %s", (_what, tool, input, decision) => {
  const origins = { ...told(["eve", "123456"]), judge: undefined };
  expect(decide({}, { tool, input, origins }).decision).toBe(decision);
  // A grant of the tool, and an allow, lift no more than they do of a value that nothing explains.
  const granted = { tool, input, origins, grants: [toolGrant] };
  expect(decide({ rules: [{ tool: "mail", decision: "allow" }] }, granted).decision).toBe(decision);
  expect(decide({}, { ...granted, origins: { ...origins, untrusted: [] } }).decision).toBe("allow");
});

test("[YR8] a tool that requires approval can be granted as a whole", () => {
  expect(decide({}, { tool: { approval: "required" } })).toEqual({
    decision: "ask",
    rule: "tool.approval",
    reasons: ["mail.send asks before every call."],
    grantable: "tool",
  });
  expect(decide({}, { tool: { approval: "required" }, grants: [toolGrant] })).toEqual({
    decision: "allow",
    rule: "grant",
    reasons: ["You allowed this before."],
  });
});

test("[YR11] what nothing speaks of is allowed", () => {
  expect(decide({})).toEqual({ decision: "allow", rule: "tool.auto", reasons: [] });
});

test.each([
  ["for the tool", toolGrant, "allow"],
  ["for this input", inputGrant, "allow"],
  ["for another input", { bindings: [{ toolPath: "mail.send", inputHash: "b".repeat(64) }] }, "ask"],
  ["for another tool", { bindings: [{ toolPath: "mail.read" }] }, "ask"],
  ["for another tool's input", { bindings: [{ toolPath: "mail.read", inputHash: HASH }] }, "ask"],
  ["until later", { ...toolGrant, expiresAtMs: 1_001 }, "allow"],
  ["until now", { ...toolGrant, expiresAtMs: 1_000 }, "ask"],
  ["until nobody knows when", { ...inputGrant, expiresAtMs: Number.NaN }, "ask"],
] as const)("[Y2] a grant %s", (_what, grant, decision) => {
  expect(decide({}, { tool: { approval: "required" }, grants: [{ bindings: [] }, grant] }).decision).toBe(
    decision,
  );
});
