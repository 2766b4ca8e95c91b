const LONGEST_TEXT = 1024 * 1024;

/** A plugin's texts go through the daemon's memory, so a longer one is cut and says so. */
export function cut(said: unknown): string {
  const text = String(said);
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}… (cut)`;
}
