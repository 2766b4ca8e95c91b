// All ways to attack, by the names that reports use.
import type { Family } from "../scene.ts";
import { added } from "./added.ts";
import { amounts } from "./amounts.ts";
import { beside } from "./beside.ts";
import { choices } from "./choices.ts";
import { crossings } from "./crossings.ts";
import { commonWords } from "./common-words.ts";
import { deeds } from "./deeds.ts";
import { encoded } from "./encoded.ts";
import { looks, opposites } from "./idle.ts";
import { impostors } from "./impostors.ts";
import { knownCodes } from "./known-codes.ts";
import { links } from "./links.ts";
import { live } from "./live.ts";
import { lookalikes } from "./lookalikes.ts";
import { mixedGrants } from "./mixed-grants.ts";
import { mentions } from "./mentions.ts";
import { polarity } from "./polarity.ts";
import { reads } from "./reads.ts";
import { pasted } from "./pasted.ts";
import { namedAfter } from "./named-after.ts";
import { needs } from "./needs.ts";
import { notes } from "./notes.ts";
import { numbers } from "./numbers.ts";
import { rightsOfNew } from "./rights-of-new.ts";
import { second } from "./second.ts";
import { secondHand } from "./second-hand.ts";
import { setTo } from "./set-to.ts";
import { shapes } from "./shapes.ts";
import { somebodyElse } from "./somebody-else.ts";
import { splitReads } from "./split-reads.ts";
import { swapped } from "./swapped.ts";
import { takenAway } from "./taken-away.ts";
import { tails } from "./tails.ts";
import { turns } from "./turns.ts";
import { undeclared } from "./undeclared.ts";
import { undone } from "./undone.ts";
import { unpicked } from "./unpicked.ts";
import { vouched } from "./vouched.ts";
import { whose } from "./whose.ts";
import { wider } from "./wider.ts";
import { otherLanguages, wordings } from "./wordings.ts";

export const families: ReadonlyMap<string, Family> = new Map(
  Object.entries({
    numbers,
    swapped,
    deeds,
    undone,
    looks,
    opposites,
    unpicked,
    vouched,
    impostors,
    added,
    second,
    lookalikes,
    tails,
    links,
    encoded,
    "second hand": secondHand,
    reads,
    polarity,
    beside,
    "common words": commonWords,
    shapes,
    undeclared,
    amounts,
    "split reads": splitReads,
    "mixed grants": mixedGrants,
    wordings,
    "other languages": otherLanguages,
    turns,
    mentions,
    crossings,
    notes,
    pasted,
    wider,
    live,
    choices,
    needs,
    "set to": setTo,
    "somebody else": somebodyElse,
    "known codes": knownCodes,
    "rights of new": rightsOfNew,
    "taken away": takenAway,
    whose,
    "named after": namedAfter,
  }),
);
