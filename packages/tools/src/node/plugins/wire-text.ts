const LONGEST_TEXT = 1024 * 1024;

/** What a plugin says goes through the daemon's memory: a longer text is cut, and says so. */
export function cut(said: unknown): string {
  const text = String(said);
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}… (cut)`;
}
