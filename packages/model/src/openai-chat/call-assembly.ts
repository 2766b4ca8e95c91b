import { readCallInput } from "../wire/call-input.ts";
import { beginDraft, type CallDraft, growDraft } from "./call-draft.ts";
import type { CallFragment } from "./call-fragment.ts";

/**
 * Assembles an answer's calls, although servers differ in everything. `index` tells calls apart, but may be
 * missing, or 0 for all; an id may be missing, the same for all, or new in each fragment; a name may come in
 * pieces, or with every fragment; arguments may come in one piece, or twice.
 *
 * Ids are trusted as long as the resulting calls make sense: a new id begins a call. `offered` are the
 * functions that were offered to the model; they help to recognize pieces of a name.
 */
export function assembleCalls(
  fragments: readonly CallFragment[],
  offered: readonly string[],
): readonly CallDraft[] {
  const trusting = assemble(fragments, { offered, trustsIds: true });
  if (trusting.every(makesSense) && !isEachBegunTwice(trusting, fragments)) return trusting;
  const doubting = assemble(fragments, { offered, trustsIds: false });
  return doubting.every(makesSense) ? doubting : trusting;
}

interface Manner {
  readonly offered: readonly string[];
  readonly trustsIds: boolean;
}

function assemble(fragments: readonly CallFragment[], manner: Manner): readonly CallDraft[] {
  const drafts: CallDraft[] = [];
  /** The call that grew last is at the end. */
  const recent: CallDraft[] = [];
  for (const fragment of fragments) {
    const { index, id, name } = fragment;
    const near = index === undefined ? recent : recent.filter((draft) => draft.index === index);
    const known = manner.trustsIds && id !== "" ? near.findLast(({ ids }) => ids.has(id)) : undefined;
    const draft = known ?? near.at(-1) ?? (name === "" ? recent.at(-1) : undefined);
    const step = draft === undefined ? "begin" : nextStep(draft, fragment, known !== undefined, manner);
    if (draft === undefined || step === "begin") {
      const begun = beginDraft(fragment);
      drafts.push(begun);
      recent.push(begun);
      continue;
    }
    growDraft(draft, fragment);
    if (step === "name" || draft.name === "") draft.name += name;
    if (name !== "") draft.namedIn = fragment.chunk;
    recent.push(...recent.splice(recent.indexOf(draft), 1));
  }
  return withoutRepeats(drafts);
}

/** Says whether a fragment begins a call, continues the name of one, or continues its arguments. */
function nextStep(
  draft: CallDraft,
  { index, id, name, json, chunk }: CallFragment,
  isKnown: boolean,
  { offered, trustsIds }: Manner,
): "begin" | "name" | "go_on" {
  if (name === "" || draft.name === "") return "go_on";
  if (trustsIds && id !== "" && !isKnown) return "begin";
  const isUntold = draft.json.trim() === "";
  const isWhole = draft.extent.isWhole();
  if (isUntold && isNamePiece(draft, { index, id, name }, isKnown, offered)) return "name";
  if (name !== draft.name) return "begin";
  if (json !== "" && json.trim() === "") return "go_on";
  if (isKnown) return isWhole && json !== "" && json !== draft.json ? "begin" : "go_on";
  const isSameChunk = chunk === draft.namedIn;
  // The name alone proves nothing: some servers send it with every piece.
  if (id === "" && draft.ids.size > 0)
    return isWhole && json !== "" && (isSameChunk || json !== draft.json) ? "begin" : "go_on";
  if (isSameChunk && (isUntold || isWhole)) return "begin";
  if (isUntold) return json === "" ? "begin" : "go_on";
  return isWhole ? "begin" : "go_on";
}

/** True if `name` continues the draft's name: decided by the tools offered, otherwise by id or index. */
function isNamePiece(
  draft: CallDraft,
  { index, id, name }: Pick<CallFragment, "index" | "id" | "name">,
  isKnown: boolean,
  offered: readonly string[],
): boolean {
  const isWholeName = offered.includes(draft.name) || offered.includes(name);
  if (offered.some((whole) => whole.startsWith(draft.name + name)))
    return !offered.includes(draft.name) || !offered.includes(name);
  const goesOn = isKnown || (id === "" && (draft.ids.size > 0 || index !== undefined));
  return goesOn && name !== draft.name && !isWholeName;
}

function makesSense({ name, json }: CallDraft): boolean {
  return name !== "" && readCallInput(json) !== undefined;
}

/**
 * If ids change with every fragment and arguments are short, each call looks like two: one without arguments,
 * then the same with them.
 */
function isEachBegunTwice(drafts: readonly CallDraft[], fragments: readonly CallFragment[]): boolean {
  if (fragments.length !== drafts.length || !fragments.every(({ id, name }) => id !== "" && name !== ""))
    return false;
  return areAllPairs(drafts, (first, second) => first.json === "" && second.json !== "");
}

/** Some servers repeat every call when it is complete. Two in one chunk are two calls. */
function withoutRepeats(drafts: readonly CallDraft[]): readonly CallDraft[] {
  const isRepeated = (first: CallDraft, second: CallDraft): boolean =>
    first.json === second.json && [...second.ids].every((id) => first.ids.has(id));
  if (!areAllPairs(drafts, isRepeated)) return drafts;
  const kept = new Set(byIndex(drafts).filter((_draft, at) => at % 2 === 0));
  return drafts.filter((draft) => kept.has(draft));
}

function areAllPairs(
  drafts: readonly CallDraft[],
  isPair: (first: CallDraft, second: CallDraft) => boolean,
): boolean {
  const sorted = byIndex(drafts);
  const firsts = sorted.filter((_draft, at) => at % 2 === 0);
  return firsts.every((first, pair) => {
    const second = sorted[2 * pair + 1];
    if (second === undefined || second.name !== first.name || second.index !== first.index) return false;
    return second.namedIn !== first.namedIn && isPair(first, second);
  });
}

function byIndex(drafts: readonly CallDraft[]): readonly CallDraft[] {
  return drafts.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
}
