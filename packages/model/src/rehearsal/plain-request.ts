/** A longer message is not a plain request. */
const MAX_CHARS = 300;

/**
 * One sentence in the form used for comparison: single spaces, plain apostrophes, no full stop. Undefined if
 * it is too long.
 */
export function plainRequest(message: string): string | undefined {
  if (message.length > MAX_CHARS) return undefined;
  return message
    .trim()
    .replaceAll(/\s+/g, " ")
    .replaceAll("’", "'")
    .replace(/[.!?]+$/, "");
}

/** Before what is asked for. */
export const POLITE = "(?:please,? |(?:can|could|would|will) you (?:please )?)?";
