/** What is known of a call when it is decided; everything that decides is in here. */
export interface CallFacts {
  /** True if the tool is on the deny list. */
  readonly isOnDenyList: boolean;
  /** What the first of the user's rules that fits says. */
  readonly rule: "none" | "allow" | "allow-untrusted" | "ask" | "deny";
  /** The narrowest grant that fits; `tool` only if each critical value is explained or on its card. */
  readonly grant: "none" | "tool" | "any" | "input";
  /** The widest grant that its tool takes, values apart. */
  readonly grantable: "tool" | "input";
  /** True if it takes one for all values. */
  readonly takesAnyValues: boolean;
  /** `reaching`: outward, or destroying. */
  readonly effect: "read" | "write" | "reaching";
  readonly approval: "auto" | "required";
  /** True if a critical value does not come from the user or a trusted source, or a read would send something. */
  readonly isUnexplained: boolean;
  readonly isOverBudget: boolean;
  /** True if untrusted text was read before, and it is not known which values come from it. */
  readonly isBlind: boolean;
}

/** Why a call would ask, in the order in which they are named. */
export type Concern = "rule" | "approval" | "origin" | "budget" | "effect";

export type Verdict =
  | { readonly kind: "deny"; readonly by: "list" | "rule" }
  /** What remains to be asked about, and which grants help with calls like this one. */
  | {
      readonly kind: "ask";
      readonly concerns: readonly Concern[];
      readonly grantable: "tool" | "input";
      readonly takesAnyValues: boolean;
    }
  | { readonly kind: "allow"; readonly by: "nothing" | "rule" | "grant" };

/**
 * What takes a concern away. An `allow` speaks of the tool, and so does a grant for it: neither can know
 * a value that an attacker will choose later, so they leave `origin` to be asked about; nor do they say
 * how often, which a budget does. A grant for any values was given in the knowledge of that. A grant for one
 * exact input is a yes to just that.
 */
const LIFTED_BY: Readonly<Record<Concern, readonly (CallFacts["rule"] | CallFacts["grant"])[]>> = {
  rule: ["tool", "any", "input"],
  approval: ["allow", "allow-untrusted", "tool", "any", "input"],
  origin: ["allow-untrusted", "any", "input"],
  budget: ["input"],
  effect: ["allow", "allow-untrusted", "tool", "any", "input"],
};

/** The whole decision: what is denied, else what asks and is not lifted, else allowed. */
export function decideByTable(facts: CallFacts): Verdict {
  if (facts.isOnDenyList) return { kind: "deny", by: "list" };
  if (facts.rule === "deny") return { kind: "deny", by: "rule" };
  const afterRule = concernsOf(facts).filter((concern) => !LIFTED_BY[concern].includes(facts.rule));
  const concerns = afterRule.filter(
    (concern) => !isGrantTaken(facts) || !LIFTED_BY[concern].includes(facts.grant),
  );
  if (concerns.length > 0) {
    // No grant but that of the very input says how often.
    const isCounted = concerns.includes("budget");
    return {
      kind: "ask",
      concerns,
      grantable: isCounted ? "input" : facts.grantable,
      takesAnyValues: facts.takesAnyValues && !isCounted,
    };
  }
  if (afterRule.length > 0) return { kind: "allow", by: "grant" };
  return { kind: "allow", by: facts.rule === "none" ? "nothing" : "rule" };
}

/** A grant that its tool does not take counts as none. */
function isGrantTaken({ grant, grantable, takesAnyValues }: CallFacts): boolean {
  return grant === "any" ? takesAnyValues : grant !== "tool" || grantable === "tool";
}

function concernsOf(facts: CallFacts): readonly Concern[] {
  const isReaching = facts.effect === "reaching" && facts.isBlind;
  const concerns: readonly (Concern | false)[] = [
    facts.rule === "ask" && "rule",
    facts.approval === "required" && "approval",
    facts.isUnexplained && "origin",
    facts.isOverBudget && "budget",
    isReaching && "effect",
  ];
  return concerns.filter((concern) => concern !== false);
}
