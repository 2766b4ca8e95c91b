import { REDACTED } from "@deputy/policy/secrets";

/** How a text ends that was cut when it was written down. */
const CUT = /…(?: \(\d+ characters in all\))?$/;

/**
 * Whether a recorded text is this one, but for what was redacted in it then: the secrets of that time are
 * not known any more, so anything may stand where one was taken out. Of a text that was also cut, what
 * stands after the redaction is compared as far as both go.
 */
export function isSameButRedacted(recorded: string, raw: string): boolean {
  if (recorded === raw) return true;
  if (!recorded.includes(REDACTED)) return false;
  const isCut = CUT.test(recorded);
  const [first = "", ...others] = recorded.replace(isCut ? CUT : "", "").split(REDACTED);
  const text = isCut ? raw.replace(CUT, "") : raw;
  const last = others.pop() ?? "";
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (const piece of others) {
    const at = text.indexOf(piece, from);
    if (at < 0) return isCut;
    from = at + piece.length;
  }
  return isCut || (text.endsWith(last) && text.length - last.length >= from);
}
