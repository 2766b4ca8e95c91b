import { findAccounts } from "./find-accounts.ts";
import { type Found, linksOfRun } from "./links-of-run.ts";
import { remembered } from "../remembered.ts";
import { withoutSpelling } from "./spelled-addresses.ts";
import { isPlainText } from "./value-forms.ts";

/** Nothing is seen of these; and browsers read each of the stops as a point between letters. */
const HIDDEN = /\p{Default_Ignorable_Code_Point}/gu;
const POINT = /(?<=[\p{L}\p{N}])(?:。|%2e|=2e)(?=[a-z0-9])|(?<=[a-z0-9])(?:。|%2e|=2e)(?=[\p{L}\p{N}])/giu;

// Each begins only where a run of its characters does: looked for anywhere, a long run would take quadratic time.
const MAIL = /(?<![^\s@<>"'(),;:[\]])[^\s@<>"'(),;:[\]]+@[^\s@<>"'(),;:[\]]+/gu;
const SCHEME =
  /(?<![\p{L}\p{N}+.-])(?:[a-z][a-z0-9+.-]{0,30}:\/\/|(?:https?|ftp|wss?|mailto|tel|sms|javascript):|data:[a-z]+\/)[^\s<>"']+/giu;
const HOST = /(?<![\p{L}\p{N}_.-])[\p{L}\p{N}_.-]*\.[\p{L}\p{N}_.-]+(?::\d+)?(?:[/?#][^\s<>"']*)?/gu;
const IPV6 = /(?<![\p{L}\p{N}_:.])(?=[\da-f:]*\d)(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}(?![\p{L}\p{N}_:])/giu;
const TELEPHONE = /\+\d[\d ().-]{6,}\d/gu;
const NUMBERED = /(?<![\p{L}\p{N}_-])(?=[\p{L}_-]*\d[\p{L}_-]*\d[\p{L}_-]*\d)[\p{L}\p{N}_-]{8,}/gu;
/** The address of a wallet may have hardly any digits. */
const MIXED =
  /(?<![\p{L}\p{N}_/-])(?=[A-Za-z]*\d)(?=[A-Z\d]*[a-z])(?=[a-z\d]*[A-Z])[A-Za-z\d]{26,90}(?![\p{L}\p{N}_/-])/gu;
const MOMENT = /^(?:19|20)\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:t\d{2})?$/i;
/** Before the sign is somebody's name: in `\`@Override\`` there is only a mark. */
const NAMED = /^[^@]*[\p{L}\p{N}]/u;
/** A package with its version is no address: `vitest@4.0.1`. */
const VERSIONED = /@[\^~]?v?\d+(?:\.\d+){0,2}(?:-[\w.]+)?$/;

/**
 * What in a text leads somewhere: addresses, links, account and telephone numbers. Plain words and names of files do
 * not. An address that is spelled out ("ann at example dot com") is given as it is meant.
 */
export const findCarriers = remembered((text: string): readonly string[] => {
  // What is turned round is read the other way.
  const turned = text.replaceAll(TURNED, (_, run: string) => Array.from(run).toReversed().join(""));
  return turned === text ? carriersIn(text) : [...new Set([...carriersIn(text), ...carriersIn(turned)])];
});

const TURNED = /[\u202d\u202e]([^\u202c\n]*)/g;

function carriersIn(text: string): readonly string[] {
  const seen = isPlainText(text) ? text : text.replaceAll(HIDDEN, "").normalize("NFKC");
  const shown = withoutSpelling(withoutEntities(seen).replaceAll(POINT, "."));
  const found = [
    ...findAll(shown, MAIL).filter(({ value }) => NAMED.test(value) && !VERSIONED.test(value)),
    ...findAll(shown, SCHEME),
    ...findAll(shown, HOST).flatMap(linksOfRun),
    ...findAll(shown, IPV6).filter(({ value }) => value.includes("::") || value.split(":").length === 8),
    ...findAll(shown, TELEPHONE),
    ...findAll(shown, NUMBERED).filter(({ value }) => !MOMENT.test(value)),
    ...findAll(shown, MIXED),
    ...findAccounts(shown),
  ];
  return [...new Set(outermost(found).map(({ value }) => value))];
}

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(period|commat|sol|colon|num|quest));?/gi;
const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  period: ".",
  commat: "@",
  sol: "/",
  colon: ":",
  num: "#",
  quest: "?",
};
const LARGEST_CODE_POINT = 0x10_ff_ff;

/** A page or a mail shows `evil&#46;example` as `evil.example`. */
function withoutEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(ENTITY, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED_ENTITIES[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    return code > 0 && code <= LARGEST_CODE_POINT ? String.fromCodePoint(code) : whole;
  });
}

function findAll(text: string, pattern: RegExp): readonly Found[] {
  return [...text.matchAll(pattern)].map(({ 0: match, index }) => {
    const value = match.replace(/[.,;:!?)'"]+$/, "");
    return { value, start: index, end: index + value.length };
  });
}

/** Without those that are part of another. */
function outermost(found: readonly Found[]): readonly Found[] {
  let end = 0;
  return found
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter((one) => {
      if (one.end <= end) return false;
      end = one.end;
      return true;
    });
}
