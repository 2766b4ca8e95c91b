import {
  entropyOf,
  isCamelCase,
  isExample,
  isLocator,
  isReference,
  isStandIn,
  isWordy,
} from "../plausible.ts";
import { VENDOR_ROWS } from "./vendor-rules.ts";
import words from "./secret-words.json" with { type: "json" };

const MIN_ENTROPY = 3.5;
/** Of sixteen signs, so many bits are the most that there are: 4. */
const MIN_HEX_ENTROPY = 3;
const MIN_PASSWORD_ENTROPY = 2.3;
const MEASURED = 128;

/** Words that only contain one for a secret. */
const OTHER_WORDS =
  /author(?!iz)|authentic|access(?:or|ib|ed|ing|ion)|r?api(?:d(?!api)|tal|ece|st)|capi|secretar|monkey|donkey|turkey|hockey|jockey|whiskey|keyword|keyboard|key(?:ed|ing|note|stroke|mesh|frame|stone|point|hole|pad)|tokeni[sz]|tokens\b|passthrough/i;
/** A secret's number, name or place is none: what follows the word. */
const ABOUT =
  /(?:access|auth|api|credentials?|key|secrets?|token|passw(?:or)?d|pwd)[ _.-]*(?:(?:ids?|len|dir|ring|tab|str|log|ttl|url|uri|age)(?![a-z])|name|host|endpoint|version|type|kind|size|length|count|limit|file|path|store|vault|pair|alias|algorithm|format|prefix|suffix|code|char|selector|press|event|index|source|result|variable|field|label|hash|digest|sha\d|fingerprint|signature|expir|created|updated|date|time|usage|group|policy|mode|level|management|server|provider|service|hint|polic|rule|strength|regex|pattern|placeholder|message|error|help|title|description|question|manager|rotation|reset)/i;
/** What comes before it says that it is public, or a place in a map. */
const OF_OTHERS =
  /(?:public|pub|foreign|primary|unique|partition|sort|cache|bucket|schema|sequence|storage|object|index|hot|short|idempotency|session(?=[ _.-]?key)|routing|dedup\w*|row|group|translation|i18n|csrf|xsrf|anti.?forgery|next|page|cursor|continuation|cancel\w*)[ _.-]?(?:key|token)/i;
const HASHED = /sha\d|md5|commit|checksum|digest|integrity|revision|srcrev|etag|hash/i;

/** Names of vendors whose keys have one shape, which `VENDOR_ROWS` knows. */
const TOLD_BY_VENDOR = new RegExp(
  VENDOR_ROWS.flatMap(([names, , rule]) => (rule === "only" ? names.split(" ") : [])).join("|"),
  "i",
);

/** True if something with this name may be a secret. */
export function isSecretName(name: string): boolean {
  return !(
    /^[\W_]*key\W*$/i.test(name) ||
    OTHER_WORDS.test(name) ||
    TOLD_BY_VENDOR.test(name) ||
    ABOUT.test(name) ||
    OF_OTHERS.test(name)
  );
}

/** True if a value looks random; for names that also have other uses. */
export function isSecretValue(value: string, name: string): boolean {
  if (!/\d/.test(value) || !/[a-z]/i.test(value)) return false;
  const least = /^[0-9a-f]{24,}$/i.test(value) ? MIN_HEX_ENTROPY : MIN_ENTROPY;
  if (entropyOf(value.slice(0, MEASURED)) < least) return false;
  if (isExample(value) || isReference(value) || isLocator(value)) return false;
  // Half of the letters that are drawn can be spoken; so many digits among them cannot.
  if (isWordy(value) && digitsOf(value) * 8 < value.length) return false;
  return !(HASHED.test(name) && /^[0-9a-f]{32,128}$/i.test(value));
}

/** Passwords are shorter and chosen by people; one that is a plain word is not told from a word. */
export function isPassword(value: string): boolean {
  if (isReference(value) || isExample(value) || isStandIn(value) || isLocator(value)) return false;
  if (/^[A-Za-z _.-]+$/.test(value) && (isWordy(value) || isCamelCase(value))) return false;
  return entropyOf(value) >= MIN_PASSWORD_ENTROPY;
}

function digitsOf(value: string): number {
  return value.replaceAll(/\D/g, "").length;
}

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
