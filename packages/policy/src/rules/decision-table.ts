/** What is known of a call when it is decided; everything that decides is in here. */
export interface CallFacts {
  /** True if the tool is on the deny list. */
  readonly isOnDenyList: boolean;
  /** What the first of the user's rules that fits says. */
  readonly rule: "none" | "allow" | "allow-untrusted" | "ask" | "deny";
  /** The narrowest grant that fits. */
  readonly grant: "none" | "tool" | "input";
  /** The widest grant that its tool takes. */
  readonly grantable: "tool" | "input";
  /** `reaching`: outward, or destroying. */
  readonly effect: "read" | "write" | "reaching";
  readonly approval: "auto" | "required";
  /** True if a critical value does not come from the user or a trusted source. */
  readonly isUnexplained: boolean;
  readonly isOverBudget: boolean;
  /** True if untrusted text was read before, and it is not known which values come from it. */
  readonly isBlind: boolean;
}

/** Why a call would ask, in the order in which they are named. */
export type Concern = "rule" | "approval" | "origin" | "budget" | "effect";

export type Verdict =
  | { readonly kind: "deny"; readonly by: "list" | "rule" }
  /** What remains to be asked about, and the widest grant that would have answered all of it. */
  | { readonly kind: "ask"; readonly concerns: readonly Concern[]; readonly grantable: "tool" | "input" }
  | { readonly kind: "allow"; readonly by: "nothing" | "rule" | "grant" };

/**
 * What takes a concern away. An `allow` speaks of the tool, and so does a grant for it: neither can know
 * a value that an attacker will choose later, so they leave `origin` to be asked about; nor do they say
 * how often, which a budget does. A grant for one exact input is a yes to just that.
 */
const LIFTED_BY: Readonly<Record<Concern, readonly (CallFacts["rule"] | CallFacts["grant"])[]>> = {
  rule: ["tool", "input"],
  approval: ["allow", "allow-untrusted", "tool", "input"],
  origin: ["allow-untrusted", "input"],
  budget: ["input"],
  effect: ["allow", "allow-untrusted", "tool", "input"],
};

/** The whole decision: what is denied, else what asks and is not lifted, else allowed. */
export function decideByTable(facts: CallFacts): Verdict {
  if (facts.isOnDenyList) return { kind: "deny", by: "list" };
  if (facts.rule === "deny") return { kind: "deny", by: "rule" };
  const afterRule = concernsOf(facts).filter((concern) => !LIFTED_BY[concern].includes(facts.rule));
  const takesToolGrants = facts.grantable === "tool";
  const isTaken = takesToolGrants || facts.grant === "input";
  const concerns = afterRule.filter((concern) => !isTaken || !LIFTED_BY[concern].includes(facts.grant));
  if (concerns.length > 0) {
    const isForTool = takesToolGrants && concerns.every((concern) => LIFTED_BY[concern].includes("tool"));
    return { kind: "ask", concerns, grantable: isForTool ? "tool" : "input" };
  }
  if (afterRule.length > 0) return { kind: "allow", by: "grant" };
  return { kind: "allow", by: facts.rule === "none" ? "nothing" : "rule" };
}

function concernsOf(facts: CallFacts): readonly Concern[] {
  const isReaching = facts.effect === "reaching" && facts.isBlind;
  const concerns: readonly (Concern | false)[] = [
    facts.rule === "ask" && "rule",
    facts.approval === "required" && "approval",
    facts.effect !== "read" && facts.isUnexplained && "origin",
    facts.isOverBudget && "budget",
    isReaching && "effect",
  ];
  return concerns.filter((concern) => concern !== false);
}
