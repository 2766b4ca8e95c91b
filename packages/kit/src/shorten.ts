/** The text, or so many of its characters and “…”. Never cuts a character in half. */
export function shorten(text: string, chars: number): string {
  return text.length <= chars ? text : `${cutText(text, chars)}…`;
}

/** The beginning of a text: at most so many characters, and never half a character at the end. */
export function cutText(text: string, chars: number): string {
  return text.slice(0, chars).replace(/[\ud800-\udbff]$/, "");
}
