import { showOnOneLine } from "@deputy/kit";
import type { EventData } from "../canonical-event.ts";
import type { ApprovalCard, CardGroup, CardPart } from "../wire/approval-card.ts";
import { readPlanCard } from "../wire/plan-card.ts";
import { type AskedCall, type CardDetail, oneLine, readAskedCall } from "./asked-call.ts";
import { headingOf } from "./card-heading.ts";
import { type AlikeCalls, groupCalls, quoted, toLines } from "./group-lines.ts";
import { gatherReasons, shortReasons } from "./reasons.ts";

/** Of alike calls so many are shown before the rest is folded. */
const UNFOLDED = 3;
/** Values by which calls differ are named where these are folded, so they must be short, and few for each call. */
const LONGEST_FOLDED = 60;
const MOST_FOLDED = 2;
const TITLE_CHARS = 200;
const PROMPT_CHARS = 80;

/** What of a question is on its card. */
type Question = Pick<EventData<"approval.requested">, "toolPath" | "input" | "preview"> &
  Partial<
    Pick<
      EventData<"approval.requested">,
      "calls" | "grantable" | "anyValues" | "scope" | "unknownCall" | "askedBy" | "inputHash" | "prompt"
    >
  >;

/**
 * The card of a question, from which every client shows it. Calls that are alike are a group. Every value of an input
 * is on it under its name: with its call, with its group, or in the lines of a group whose names the group lists.
 * Only calls that neither destroy nor send, and differ from those shown in short values, are folded; these values are
 * all named. `whole` folds nothing and leaves nothing out. Pure, and never throws.
 */
export function projectCard(request: Question, detail: CardDetail = "short"): ApprovalCard {
  const plan = readPlanCard(request);
  const asked = plan?.calls ?? [request];
  const calls = asked.map((call, at) => readAskedCall(call, at + 1, asked.length, detail));
  const reasons = asked.flatMap(({ preview }) => preview.reasons ?? []);
  return {
    title: oneLine(plan === undefined ? request.preview.title : headingOf(plan.calls), TITLE_CHARS),
    ...promptOf(request),
    groups: groupCalls(calls).map((group) => toGroup(group, detail)),
    why: (detail === "whole" ? gatherReasons : shortReasons)(reasons).map(showOnOneLine),
    ...(plan?.unforeseen === undefined ? {} : { later: plan.unforeseen }),
    ...scopesOf(request),
  };
}

/** The first line of what the user said; a program that they wrote is no wish in words. */
function promptOf({ prompt = "" }: Question): Pick<ApprovalCard, "prompt"> {
  const [first = "", ...more] = prompt.trim().split("\n");
  if (first === "" || first.startsWith("```")) return {};
  return { prompt: oneLine(more.length === 0 ? first : `${first} …`, PROMPT_CHARS) };
}

/** What asks once; the widest first. */
const FAR = ["session-any", "session"] as const;

/** The outcome of one call says nothing about the next, so then there is nothing to allow for longer. */
function scopesOf({
  toolPath,
  calls,
  grantable,
  anyValues,
  scope,
  unknownCall,
  askedBy,
  inputHash,
}: Question): Pick<ApprovalCard, "scopes" | "sameOnly" | "scope" | "askOnce"> {
  const isOfCalls = calls !== undefined || inputHash !== undefined;
  if (!isOfCalls || unknownCall !== undefined || askedBy !== undefined) return {};
  const takesAny = anyValues === true || calls?.some((call) => call.anyValues === true) === true;
  const narrowest = calls === undefined ? ("once" as const) : ("plan" as const);
  const own = scope ?? FAR.find((far) => calls?.some((call) => call.scope === far) === true);
  const once = (calls ?? [{ toolPath, scope }]).filter((call) => call.scope !== undefined);
  return {
    ...(once.length === 0 ? {} : { askOnce: [...new Set(once.map((call) => showOnOneLine(call.toolPath)))] }),
    scopes: [narrowest, "session", ...(takesAny ? (["session-any"] as const) : [])],
    ...((calls ?? [{ grantable }]).every((call) => call.grantable === "input") ? { sameOnly: true } : {}),
    ...(own === undefined ? {} : { scope: own }),
  };
}

function toGroup({ calls, mark }: AlikeCalls, detail: CardDetail): CardGroup {
  const [first] = calls;
  if (first === undefined) throw new Error("A group has no calls");
  const shared = new Set(
    calls.length === 1
      ? []
      : [...first.raw.keys()].filter((path) =>
          calls.every(({ raw }) => raw.get(path) === first.raw.get(path)),
        ),
  );
  const { lines, listed, words } = toLines(calls, shared, detail);
  const canFold =
    detail === "short" && mark === undefined && calls.length > UNFOLDED + 1 && isFoldable(calls, shared);
  return {
    toolPath: first.toolPath,
    count: calls.length,
    ...(mark === undefined ? {} : { mark }),
    ...(listed.length === 0 ? {} : { listed: [...listed] }),
    same: [...[...first.values].filter(([path]) => shared.has(path)).map(([, value]) => value), ...words],
    calls: canFold ? lines.slice(0, UNFOLDED) : [...lines],
    ...(canFold
      ? { folded: { text: namesOf(calls.slice(UNFOLDED), shared), calls: lines.slice(UNFOLDED) } }
      : {}),
  };
}

/** True when the values by which the calls differ say it all, in a few words. An unknown effect is never folded. */
function isFoldable(calls: readonly AskedCall[], shared: ReadonlySet<string>): boolean {
  return calls.every(({ values, files, asked }) => {
    if (files.length > 0 || asked.preview.effect === undefined) return false;
    const own = [...values].filter(([path]) => !shared.has(path));
    return (
      own.length <= MOST_FOLDED &&
      own.every(([, { text }]) => text.length <= LONGEST_FOLDED && !text.includes("\n"))
    );
  });
}

/** Every value by which the calls differ: `number: 4, 5, 6`. */
function namesOf(calls: readonly AskedCall[], shared: ReadonlySet<string>): string {
  const own = calls.map(({ values }) =>
    [...values].filter(([path]) => !shared.has(path)).map(([, part]) => part),
  );
  if (own[0]?.length === 0) return "each is the very same";
  const names = own[0]?.map(({ name }) => name) ?? [];
  const separator = names.length > 1 ? "; " : ", ";
  return `${names.join(", ")}: ${own.map((parts) => parts.map((part) => named(part, parts)).join(" ")).join(separator)}`;
}

function named({ text, row }: CardPart, among: readonly CardPart[]): string {
  const isSaid = row === undefined || among.some((part) => part.text === row.text);
  return `${quoted(text)}${isSaid ? "" : ` ${JSON.stringify(row.text)}`}`;
}
