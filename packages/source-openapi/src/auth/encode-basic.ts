/** Base64 of a text's UTF-8 bytes. */
export function encodeBasic(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
