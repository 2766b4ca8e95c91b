import type { SessionEntry } from "@deputy/agent/sessions";
import { makeVisible } from "@deputy/kit";
import type { StandingGrant } from "@deputy/protocol";
import { type DescribedGrant, describeGrant } from "@deputy/protocol/grants";
import { localDay } from "@deputy/protocol/schedule";

/** Says to a returning user which session it is, and what it may do without asking, which they may have forgotten. */
export function describeResumed(
  { id, key, turns, lastAt }: SessionEntry,
  grants: readonly StandingGrant[],
): string {
  const here = grants.filter(({ stream }) => stream === id);
  const allowed = new Set(here.map((grant) => wordsFor(describeGrant(grant))));
  const going = `Going on with ${key}: ${turns} ${turns === 1 ? "turn" : "turns"}, the last on ${localDay(lastAt)}.`;
  return makeVisible(
    allowed.size === 0
      ? going
      : `${going} You allowed for this conversation: ${[...allowed].join("; ")}. /grants lists it, /revoke takes it back.`,
  );
}

function wordsFor({ title, isAnyValues }: DescribedGrant): string {
  return isAnyValues && !title.includes(ANY) ? `${title}, ${ANY}` : title;
}
const ANY = "whatever the values";
