const HIDDEN = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g;
// Each begins only where a run of its characters does: looked for anywhere, a long run would take quadratic time.
const MAIL = /(?<![^\s@<>"'(),;:[\]])[^\s@<>"'(),;:[\]]+@[^\s@<>"'(),;:[\]]+/u;
const LINK =
  /(?<![\p{L}\p{N}+.-])[a-z][a-z0-9+.-]{0,30}:\/\/[^\s<>"']+|(?<![\p{L}\p{N}_.-])(?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}(?::\d+)?(?:[/?#][^\s<>"']*)?/u;
const NUMBERED = /(?<![\p{L}\p{N}_-])(?=[\p{L}_-]*\d[\p{L}_-]*\d[\p{L}_-]*\d)[\p{L}\p{N}_-]{8,}/u;
const TELEPHONE = /\+\d[\d ().-]{6,}\d/u;
const CARRIERS = new RegExp([MAIL, LINK, TELEPHONE, NUMBERED].map(({ source }) => source).join("|"), "giu");
const MOMENT = /^\d{4}-\d{2}-\d{2}/;

/**
 * What in a text leads somewhere: addresses, links, account and telephone numbers. Plain words do not,
 * which also means: an address that is spelled out ("example dot com") is not found.
 */
export function findCarriers(text: string): readonly string[] {
  const shown = text.normalize("NFKC").replaceAll(HIDDEN, "");
  const found = [...shown.matchAll(CARRIERS)].map(([carrier]) => carrier.replace(/[.,;:!?)'"]+$/, ""));
  return [...new Set(found)].filter((carrier) => !MOMENT.test(carrier));
}
