import { createPolicy, type OriginIndex, type PolicyDecision, type PolicyTool } from "@deputy/policy";
import { readMessage } from "@deputy/policy/pasted-text";
import { createOriginIndex } from "@deputy/policy/provenance";
import type { ResultTrust } from "@deputy/protocol";
import { grantsFor, hashOf } from "./grants-for.ts";
import { isObject } from "./slots.ts";
import type { Json, SuiteTool, TermsPlace } from "./suite.ts";

/** One thing that a session was told, as the gate hears it. */
export type Told =
  /** `asides`: parts of the text that wish for nothing, as whoever made the attack knows. */
  | { readonly kind: "user"; readonly text: string; readonly asides?: readonly string[] }
  /** What the user's agent is configured with. */
  | { readonly kind: "configuration"; readonly text: string }
  /** Identifiers that somebody else chose: they explain nothing, and alone they make no call ask. */
  | { readonly kind: "names"; readonly source: string; readonly text: string; readonly isPlanted?: true }
  /** What the model is shown and the agent tells the gate nothing of. */
  | { readonly kind: "unheard"; readonly source: string; readonly text: string }
  /** The user allowed a call "for this conversation". */
  | { readonly kind: "approved"; readonly toolPath: string; readonly input: Json }
  /** The user said no to a call, perhaps with a reason. */
  | { readonly kind: "declined"; readonly toolPath: string; readonly input: Json; readonly said?: string }
  | {
      readonly kind: "result";
      readonly source: string;
      readonly trust: ResultTrust;
      readonly result: unknown;
      readonly input?: Json;
      /** True if an attacker's text is in it. */
      readonly isPlanted?: true;
    };

/** Decides about calls that would be made after all that was told. */
export type Judge = (tool: SuiteTool, input: unknown) => PolicyDecision;

/** The day on which every conversation takes place. */
const TODAY = "2026-05-15";
const policy = createPolicy();

/** Whether what the user only shows counts as theirs: not to the agent. */
export type Hearing = "as the agent does" | "all as said";

/** The gate's own index and policy, fed as the agent feeds them: nothing is judged here. */
export function openJudge(told: readonly Told[], hearing: Hearing = "as the agent does"): Judge {
  const index = createOriginIndex();
  const named = new Set<string>();
  for (const one of told) {
    if (one.kind === "user" && hearing === "all as said") index.addUser(one.text, TODAY);
    else if (one.kind === "user") hearMessage(index, one.text);
    else if (one.kind === "configuration") index.addConfiguration(one.text);
    else if (one.kind === "declined") index.addDenial(one.said ?? "", one.input, one.toolPath);
    else if (one.kind === "names") {
      named.add(one.source);
      index.addResult({ source: one.source, trust: "untrusted" }, one.text);
    } else if (one.kind === "result")
      index.addResult({ source: one.source, trust: one.trust }, one.result, one.input);
  }
  const grants = told.flatMap((one) => (one.kind === "approved" ? grantsFor(one) : []));
  const all = index.origins();
  const origins = { ...all, untrusted: all.untrusted.filter((source) => !named.has(source)) };
  const place = { said: saidIn(told), isUntrustedRead: origins.untrusted.length > 0 };
  return (tool, input) =>
    policy.decide({
      tool: onTerms(tool, input, place),
      input,
      inputHash: hashOf(input),
      labels: [],
      origins,
      grants,
      nowMs: 0,
    });
}

/** What the user only shows is not said by them. */
function hearMessage(index: OriginIndex, text: string): void {
  for (const { text: part, isPasted } of readMessage(text))
    if (isPasted) index.addResult({ source: "the text that you pasted", trust: "untrusted" }, part);
    else index.addUser(part, TODAY);
}

function onTerms(tool: SuiteTool, input: unknown, place: TermsPlace): PolicyTool {
  return tool.termsIn === undefined || !isObject(input) ? tool : { ...tool, ...tool.termsIn(input, place) };
}

/** What the user said, a no's reason included. */
export function saidIn(told: readonly Told[]): readonly string[] {
  return told.flatMap((one) => {
    if (one.kind === "user") return [one.text];
    return one.kind === "declined" && one.said !== undefined ? [one.said] : [];
  });
}
