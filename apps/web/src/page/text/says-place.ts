/** The text is that place, or an address there: “paypal.com” says nothing of l.com, although it has it in it. */
export function saysPlace(text: string, place: string): boolean {
  const said = text.trim().replace(/^(?:https?:\/\/|mailto:)/i, "");
  if (!said.toLowerCase().startsWith(place.toLowerCase())) return false;
  return /^(?:$|[/?#])/.test(said.slice(place.length));
}
