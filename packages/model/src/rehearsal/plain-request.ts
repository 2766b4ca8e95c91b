/** Longer messages are no plain request. */
const MAX_CHARS = 300;

/** One sentence as it is compared with what is known: single spaces, plain apostrophes, no full stop. Undefined when it is too long. */
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
