/** True if a text has some words in it, in whatever case; any text has what is not given. */
export function containing(text: string, words: unknown): boolean {
  return text.toLowerCase().includes(typeof words === "string" ? words.toLowerCase() : "");
}
