/** Everything but letters, digits and `-._~`. Lone surrogates, which have no bytes, become U+FFFD. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(/[!'()*]/g, hex);
}

/** The same, but keeps reserved characters, except those that would end the value: `#`, `&`, `+`. */
export function percentEncodeReserved(text: string): string {
  return encodeURI(text.toWellFormed())
    .replaceAll(/[#&+]/g, hex)
    .replaceAll("%5B", "[")
    .replaceAll("%5D", "]");
}

function hex(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
