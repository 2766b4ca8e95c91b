import { WireFailure } from "./failure.ts";

/** The key, without blanks around it. Throws `missing_key`, or `wrong_key` for what no header could carry. */
export function checkKey(key: string | undefined): string {
  const trimmed = key?.trim() ?? "";
  if (trimmed === "") throw new WireFailure("missing_key", "");
  if (!/^[\x21-\x7e]+$/.test(trimmed)) throw new WireFailure("wrong_key", "");
  return trimmed;
}

/** The key of a server that may want none: nothing if there is none. Throws `wrong_key` as above. */
export function checkOwnKey(key: string | undefined): { readonly apiKey?: string } {
  return (key?.trim() ?? "") === "" ? {} : { apiKey: checkKey(key) };
}
