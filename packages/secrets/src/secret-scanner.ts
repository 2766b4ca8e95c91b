import { beginsWith, createAnchorIndex } from "./anchor-index.ts";
import { assignmentAnchors } from "./named/assignment.ts";
import { commandAnchors } from "./commands/command-credentials.ts";
import { credentialFileAnchors, credentialAnchors } from "./credentials.ts";
import { type Anchor, NONE, type Verdict, type View } from "./detector.ts";
import { elsewhereAnchors, TELLING_LETTERS } from "./named/elsewhere.ts";
import { detectInsert } from "./named/insert-values.ts";
import { kubernetesAnchor, structuredAnchors, privateKeyAnchor } from "./tokens/structured-tokens.ts";
import { tokenAnchors } from "./tokens/prefixed-tokens.ts";

/** Where secrets are in a text. The same for every text, whatever was looked at before. */
export interface SecretScanner {
  add(anchors: readonly Anchor[]): void;
  /** The first place at or after `from` and before `to` that has something to say, and what; else undefined. */
  next(view: View, from: number, to: number): Finding | undefined;
}

export interface Finding {
  readonly at: number;
  readonly verdict: Exclude<Verdict, { readonly kind: "none" }>;
}

/** Compiles its tables: some milliseconds and some hundred kilobytes. */
export function createSecretScanner(patterns: "with-patterns" | "known-only"): SecretScanner {
  const index = createAnchorIndex(patterns === "with-patterns" ? TELLING_LETTERS : "");
  if (patterns === "with-patterns") {
    const all = [
      privateKeyAnchor,
      kubernetesAnchor,
      { literal: "insert", detect: detectInsert },
      ...tokenAnchors(),
      ...structuredAnchors,
      ...credentialAnchors,
      ...credentialFileAnchors,
      ...commandAnchors,
      ...assignmentAnchors(),
      ...elsewhereAnchors,
    ];
    for (const anchor of all) index.add(anchor);
  }
  return {
    add: (anchors) => {
      for (const anchor of anchors) index.add(anchor);
    },
    next: (view, from, to) => {
      for (let at = index.next(view.text, from, to); at < to; at = index.next(view.text, at + 1, to)) {
        const verdict = judge(index.at(view.text, at), view, at);
        if (verdict.kind !== "none") return { at, verdict };
      }
      return undefined;
    },
  };
}

/** All that is found at one place; what waits for more comes first, as it may turn out to be a secret too. */
function judge(anchors: readonly Anchor[], view: View, at: number): Verdict {
  let found: Verdict = NONE;
  for (const { literal, detect } of anchors) {
    if (!beginsWith(view.text, at, literal)) continue;
    const verdict = detect(view, at, at + literal.length);
    if (verdict.kind === "more") return verdict;
    if (verdict.kind === "none") continue;
    found = found.kind === "secret" ? { kind: "secret", spans: [...found.spans, ...verdict.spans] } : verdict;
  }
  return found;
}
