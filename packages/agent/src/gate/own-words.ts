import { ToolsError } from "@deputy/tools";

/**
 * Whether an error of a running tool is Deputy's own, word for word, but for what the call itself has said: then
 * nobody else was heard. Of any other error nobody knows that.
 */
export function isOwnWords(error: unknown, input: unknown): boolean {
  if (!(error instanceof ToolsError) || error.quotes === undefined) return false;
  if (error.quotes.length === 0) return true;
  const said = textOf(input);
  return error.quotes.every((quote) => said.includes(textOf(quote).slice(1, -1)));
}

/** Hosts are compared as what they are: in any case. Nothing for what has no JSON form. */
function textOf(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? "").toLowerCase();
  } catch {
    return "";
  }
}
