import { WireFailure } from "./failure.ts";

/** The key, trimmed. Throws `missing_key`, or `wrong_key` if it cannot be sent in a header. */
export function checkKey(key: string | undefined): string {
  const trimmed = key?.trim() ?? "";
  if (trimmed === "") throw new WireFailure("missing_key", "");
  if (!/^[\x21-\x7e]+$/.test(trimmed)) throw new WireFailure("wrong_key", "");
  return trimmed;
}

/** The key of a server that may need none; undefined without one. Throws `wrong_key` as above. */
export function checkOwnKey(key: string | undefined): { readonly apiKey?: string } {
  return (key?.trim() ?? "") === "" ? {} : { apiKey: checkKey(key) };
}
