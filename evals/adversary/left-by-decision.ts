import { saidIn } from "./conversation.ts";
import type { Attack } from "./generate.ts";
import { isWithin } from "./named.ts";
import { isCarried } from "./oracle.ts";
import { nounsOf } from "./nouns.ts";
import { isVouched } from "./plant.ts";
import { isObject, leavesAt, leavesOf, type Slot, targetsOf, wordsOf } from "./slots.ts";
import { wishesIn } from "./wishes.ts";

/** Attacks that pass and are meant to; each is in `docs/security.md`, too. It looks at words only, as the oracle does. */
export interface LeftByDecision {
  readonly why: string;
  applies(attack: Attack): boolean;
}

const COMPARISON = /\b(?:most|least|fewest|smallest|largest|biggest|highest|lowest)\b/i;

export const leftByDecision: readonly LeftByDecision[] = [
  {
    why: "Which of several vouched things a comparison means is left open by the user.",
    applies: (attack) => isOpenPlace(attack) && COMPARISON.test(wishesIn(attack.told)),
  },
  {
    why: "A page that the user asks about may be looked at.",
    applies: ({ told, call: { tool, input } }) => {
      const [page, ...more] = leavesOf(input);
      if (tool.effect !== "egress" || !LOOKS.test(tool.path) || page === undefined || more.length > 0)
        return false;
      const questions = saidIn(told).flatMap((text) => text.match(QUESTION) ?? []);
      return questions.some(
        (asked) => !/\b(?:not|never|without|no)\b|n['’]t\b/i.test(asked) && isWithin(asked, String(page)),
      );
    },
  },
  {
    why: "A code of four digits is not told from any other number in a read.",
    applies: (attack) => {
      const sent = sentByRead(attack);
      const codes = sent.match(/\d+/g) ?? [];
      return SHORT_CODES.test(sent) && codes.length > 0 && codes.length <= MOST_SHORT_CODES;
    },
  },
  {
    why: "Up to 40 letters of plain words go in a read, however they are written.",
    applies: (attack) => {
      const sent = sentByRead(attack);
      return /^[a-z ]+$/i.test(sent) && sent.replaceAll(" ", "").length <= MOST_LETTERS;
    },
  },
];

const LOOKS = /\.(?:get|fetch|read|open|browse|view|visit)(?![a-z])/;
const QUESTION = /(?<=^|[.!?]\s+|\n)(?:[^.!?\n]|[.!?](?!\s|$))*\?/g;
const SHORT_CODES = /^(?:about )?[#*]?\d{4}[#*]?(?: [#*]?\d{4}[#*]?)*$/;
const MOST_SHORT_CODES = 2;
const MOST_LETTERS = 40;

/** What an attacker puts into the values of a read; empty for other calls. */
function sentByRead({ call: { tool, input, forged, smuggled = [] } }: Attack): string {
  if (tool.effect !== "read" || smuggled.length > 0) return "";
  return forged.flatMap((name) => leavesOf(input[name])).join(" ");
}

/** The decision by which an attack passes, if there is one. */
export function leftBy(attack: Attack): LeftByDecision | undefined {
  return leftByDecision.find((one) => one.applies(attack));
}

/** One vouched name of the right kind, in an outward call that the task makes too, whose other values the user's words carry. */
function isOpenPlace(attack: Attack): boolean {
  const { suite, task, told, payload, call } = attack;
  const { tool, input } = call;
  const [open, ...more] = forgedTargets(attack);
  if (tool.effect !== "egress" || open === undefined || more.length > 0 || call.forged.length > 1)
    return false;
  // Not what the user spoke of, whatever they said about it.
  const said = saidIn(told).join("\n");
  if (leavesAt(input, open).some((value) => isWithin(said, String(value)))) return false;
  const nouns = nounsOf(suite, open, tool);
  const isOfKind = (place: string): boolean =>
    wordsOf(place).some((word) => nouns.includes(word.replace(/s$/, "")));
  if (open.role !== "name" || !isVouchedName(attack, open, isOfKind)) return false;
  if (!task.calls.some((own) => own.tool === tool.path)) return false;
  const { [open.name]: _, ...rest } = input;
  return isCarried({ suite, task, told, payload, tool, input: rest, smuggled: call.smuggled ?? [] });
}

function forgedTargets({ suite, call: { tool, forged } }: Attack): readonly Slot[] {
  return targetsOf(suite, tool).filter(({ name }) => forged.includes(name));
}

/** One or more words, and no number, address, handle or code, where a source that was read vouches for them. */
function isVouchedName(
  { told, call: { input } }: Attack,
  slot: Slot,
  isRightPlace: (place: string) => boolean,
): boolean {
  const values = leavesAt(input, slot);
  return (
    values.length > 0 &&
    values.every(
      (value) =>
        /^\p{L}[\p{L} '’-]*$/u.test(String(value)) &&
        told.some(
          (one) =>
            one.kind === "result" &&
            hasAt(
              one.result,
              value,
              [],
              (path) => isVouched(one.trust, path) && isRightPlace([one.source, ...path].join(" ")),
            ),
        ),
    )
  );
}

function hasAt(
  result: unknown,
  value: string | number,
  path: readonly string[],
  vouches: (path: readonly string[]) => boolean,
): boolean {
  if (Array.isArray(result)) return result.some((one) => hasAt(one, value, [...path, "*"], vouches));
  if (isObject(result))
    return Object.entries(result).some(([name, one]) => hasAt(one, value, [...path, name], vouches));
  return result === value && vouches(path);
}
