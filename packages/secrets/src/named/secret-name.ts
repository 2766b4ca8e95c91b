import words from "./secret-words.json" with { type: "json" };

/**
 * What a name says about its value. `sure`: it is a secret, whatever it looks like. `likely`: it is one if it looks
 * drawn or chosen, as the name has other uses too. `no`: the name says nothing, or that the value is about a secret.
 */
export type NameTells = "sure" | "likely" | "no";

const PASSWORDS = new Set(words.passwords);
const KEYS = new Set(words.keys);
const OTHER_TOKENS = new Set(words.otherTokens);
const ABOUT_FIRST = new Set(words.aboutFirst);
const TRAILING = new Set(words.trailing);
const JOINED_PASSWORD = /(?:password|passwd|passphrase|passcode|pwd)$/;
const JOINED_KEY = new RegExp(`(?:${words.keys.join("|")})key$`);
const JOINED_PASS =
  /^(?:db|ftp|ssh|smtp|imap|pop|mail|user|root|admin|key|store|my|sql|mysql|pg|ldap|remote|login|web|wifi|wlan|app)pass$/;
const JOINED_TOKEN = /(?:access|auth|api|refresh|bearer|bot|id|oauth|security|session|private|webhook)token$/;

/** `DB_PASSWORD`, `apiKey`, `client-secret`, `Access token`. */
export function tellOfName(name: string): NameTells {
  const parts = wordsOf(name);
  while (parts.length > 1 && isTrailing(parts.at(-1) ?? "")) parts.pop();
  const last = parts.at(-1) ?? "";
  const before = parts.at(-2) ?? "";
  if (ABOUT_FIRST.has(parts[0] ?? "") && parts.length > 1) return "no";
  if (PASSWORDS.has(last) || JOINED_PASSWORD.test(name.toLowerCase())) return "sure";
  if (last === "secret") return "sure";
  if (last === "pass" || last === "psk") return parts.length > 1 || last === "psk" ? "sure" : "likely";
  if (last === "key" || last === "keys") return KEYS.has(before) ? "sure" : "no";
  if (JOINED_KEY.test(last) || JOINED_TOKEN.test(last)) return "sure";
  if (last === "token") return before === "" ? "likely" : OTHER_TOKENS.has(before) ? "no" : "sure";
  if (JOINED_PASS.test(last)) return "sure";
  return /passw(?:or)?d|passphrase|pwd/i.test(name) ? "likely" : "no";
}

/** The words of a name in any style, in lower case. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "");
}

function isTrailing(word: string): boolean {
  return TRAILING.has(word) || /^v?\d+$/.test(word);
}
