import { MORE, NONE, secret, type View } from "../detector.ts";
import { isSecretName, type NameTells, tellOfName, wordsOf } from "./named-secret.ts";
import { findPlace, LONGEST_VALUE, type Place } from "./named-place.ts";
import {
  entropyOf,
  isCamelCase,
  isExample,
  isLocator,
  isReference,
  isStandIn,
  isWordy,
} from "../plausible.ts";
import words from "./secret-words.json" with { type: "json" };

const LONGEST_NAME = 60;
const LOOK_BACK = 200;
const WINDOW = LONGEST_VALUE + 128;
/** No sign between a name and its value is longer. */
const LONGEST_SIGN = 16;
const SHORTEST = 4;
/** Nobody chooses keys and tokens; those that are drawn are longer. */
const SHORTEST_DRAWN = 6;
const STAND_INS = new Set([...words.standIns, ...words.elsewhere]);
const SENTENCE = new Set(words.sentence);
/** Words after which a name and its value stand side by side. */
const LEADS = /\b(?:set\w*|SetEnv|ENV|ARG|connect|login)\b/;
/** `$X`, `!vault`, `(hidden)`, `0x02`, `1*token`, `1<<4`, `%s:%s`, `#d0d0d0`. */
const NO_VALUE =
  /^\$\w+$|^\$[A-Z_]{3,}\b|^%\w+%$|^\$[({]|^\{\{|^<[^>]*>$|^!\w+$|^&|^\*+$|^\.+$|\[redacted\]|^[(<[{][\w -]+[)>\]}]|^0x[\da-fA-F]{1,8}$|^\d?\*|^\d+<<|^(?:%[sdv]|[:/ ])+$|^#[\da-fA-F]{3,8}$/;
const CONSTANT = /^[A-Z]+(?:_[A-Z]+)+$/;
/** Bits of each character; words of few letters have less. */
const MIN_ENTROPY = 2.3;
/** Whatever comes before: `keyStorePassword`. */
const ENDS_SURELY = /(?:password|passwd|passphrase|passcode)$/i;
/** What may follow a name that has a value; anything else ends the question at once. */
const MAY_ASSIGN =
  /^(?:\\?["'`)\]]{0,3})?(?:\*\*|__)?(?:$|[=:|>,?<(：]|\s{1,40}(?:$|[-=:|<>→"'`(–—]|(?:is|was|ist|lautet|est|es|è|é|value|val|content|[\w:-]{1,20}=)(?![\w])|\S*\d\S*|\S*$|As\s|string\s|text\s|\[\]|\{|N')|\{|->|→|\.(?:type|fill|send|val|set|press))/i;

/** A value behind a name that says that it is secret, up to where the syntax around it ends the value. */
export function judgeNamed(view: View, nameStart: number, nameEnd: number, tells: NameTells) {
  const { text } = view;
  if (tells === "no") return undefined;
  const before = text.slice(Math.max(0, nameStart - LOOK_BACK), nameStart);
  const name = text.slice(nameStart, nameEnd);
  const rest = windowAfter(view, nameEnd, 1);
  if (rest === undefined) {
    const isShort = text.length - nameEnd < LONGEST_SIGN;
    return isShort || mayGoOn(before, text.slice(nameEnd, nameEnd + 60)) ? MORE : undefined;
  }
  if (!mayGoOn(before, rest)) return undefined;
  const needed = linesNeeded(rest);
  const window = needed === 1 ? rest : windowAfter(view, nameEnd, needed);
  if (window === undefined) return MORE;
  const place = findPlace(before, name, window);
  if (place === undefined) return undefined;
  const value = window.slice(place.start, place.end);
  if (isValue(value, place, name, tells)) return secret(nameEnd + place.start, nameEnd + place.end);
  return tells === "sure" ? NONE : undefined;
}

/** From the name's end to the end of the line, or of several; undefined while that is not there yet. */
function windowAfter({ text, isFinal }: View, from: number, lines: number): string | undefined {
  const window = text.slice(from, from + WINDOW);
  let at = 0;
  for (let line = 0; line < lines; line++) {
    const end = window.indexOf("\n", at);
    if (end < 0) return isFinal || window.length === WINDOW ? window : undefined;
    at = end + 1;
  }
  return window.slice(0, at);
}

/** Most values end with their line; pairs and blocks go on in the next. */
function linesNeeded(line: string): number {
  if (/\{\s*$/.test(line)) return 7;
  return /^\\?["']?,?\s*$|^\\?["']?\s{0,3}:\s{0,5}[|>][-+]?\d?\s*$|^<\/key>\s*$/.test(line) ||
    /"""|'''/.test(line)
    ? 2
    : 1;
}

function mayGoOn(before: string, rest: string): boolean {
  if (MAY_ASSIGN.test(rest.slice(0, 60))) return true;
  if (!/^\s/.test(rest)) return false;
  const lead = before.slice(before.lastIndexOf("\n") + 1);
  return /(?:^|[\s"'(,])(?:--?|\/)$/.test(lead) || lead.trim() === "" || LEADS.test(before.slice(-120));
}

function isValue(value: string, { form }: Place, name: string, tells: NameTells): boolean {
  if (value.length < SHORTEST || standsForValue(value)) return false;
  if (form === "quoted" ? /^[A-Za-z_$][\w$.]*\(.*\)$/.test(value) : isExpression(value, form)) return false;
  if (value.length < SHORTEST_DRAWN && /(?:key|token)$/i.test(name)) return false;
  if (/^[\d.,:]+$/.test(value))
    return /\d{4}/.test(value) && (form === "quoted" || value.length >= (form === "code" ? 8 : 6));
  if (/\s/.test(value)) return !isSentence(value) && form === "quoted" && tells === "sure";
  if (isAboutItself(value, name)) return false;
  const isPlain = /^[\p{L}_-]+$/u.test(value);
  if (tells === "likely" || form === "code" || form === "said") return isChosen(value, form, tells, isPlain);
  // Alone on a line, a word is a value; what is put together of words is a variable's name.
  return !(form === "line" && isPlain) || !(/[_-]/.test(value) || isCamelCaseName(value));
}

/** A reference, an example, a place, a type, or a word that stands for a value. */
function standsForValue(value: string): boolean {
  const word = /^[\p{L}\d_-]+(?=$|[)\]}?;,|<(:])/u.exec(value)?.[0] ?? value;
  return (
    isReference(value) ||
    isExample(value) ||
    isStandIn(value) ||
    isLocator(value) ||
    NO_VALUE.test(value) ||
    CONSTANT.test(value) ||
    STAND_INS.has(word.toLowerCase())
  );
}

/** Where neither the name nor the place leaves no doubt, the value must look like one. */
function isChosen(value: string, form: Place["form"], tells: NameTells, isPlain: boolean): boolean {
  if (form === "said" && tells === "likely" && !(/[A-Z]/.test(value) && /\d/.test(value))) return false;
  if (!isPlain || (form === "quoted" && tells === "sure")) return looksChosen(value, form);
  if (form === "code" || isWordy(value)) return false;
  const isOneWord = value.length >= 8 && !/[_-]/.test(value) && !isCamelCaseName(value);
  return isOneWord || (form === "quoted" && entropyOf(value) >= MIN_ENTROPY);
}

function isCamelCaseName(value: string): boolean {
  return /[a-z][A-Z]/.test(value) && isCamelCase(value);
}

/** With a digit or sign that words do not have: `Xk9f!a`, `BlueHorse42`, not `base64` or `at-least`. */
function looksChosen(value: string, form: Place["form"]): boolean {
  if (!/\d/.test(value) && !/[^\p{L}\d_.:/-]/u.test(value)) return !isWordy(value) && value.length >= 8;
  return (
    !isWordy(value) ||
    (value.length >= 8 && /\d{2}$|^\p{L}+\d+\p{L}+$/u.test(value)) ||
    /[!@#$%^&*+=?~]/.test(value.slice(form === "said" ? 1 : 0, form === "said" ? -1 : undefined))
  );
}

/** `config.get(…)`, `req.body.password`, `os.environ[…]`, `Optional[str]`, `src[at++]`. */
function isExpression(value: string, form: Place["form"]): boolean {
  const head = /^(?:[A-Za-z_$][\w$]*(?:\.|::|->|\?\.))*(?:[A-Za-z_$][\w$]*)?(?=[([<{])/.exec(value)?.[0];
  if (head !== undefined && isCalled(head, value, form)) return true;
  if (!/^[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)+[?!):;,]*$/.test(value)) return false;
  return isWordy(value) || !/\d/.test(value);
}

/** A name that something is called or looked up by, and no password with a bracket in it. */
function isCalled(head: string, value: string, form: Place["form"]): boolean {
  if (head.length >= 3 && (isWordy(head) || head.includes("."))) return true;
  return (
    form !== "bare" &&
    (/[)\]}][;,]?$/.test(value) || /^(?:[a-z]{3,}(?:[A-Z][a-z]+)+|[A-Z_]{3,})?$/.test(head)) &&
    (head === "" || /^[\w$]{3,}$/.test(head))
  );
}

function isSentence(value: string): boolean {
  return (
    value
      .toLowerCase()
      .split(/[^\p{L}\d']+/u)
      .some((word) => SENTENCE.has(word)) || /[|,:;.]\s|\s[-–]\s/.test(value)
  );
}

/** `password: newPassword`, `TOKEN = "x-metadata-token"`: the name again. */
function isAboutItself(value: string, name: string): boolean {
  if (!/^[A-Za-z_ .-]+$/.test(value) && !/^[a-z\d]+(?:[-_. ][a-z\d]+)+$/i.test(value)) return false;
  const own = new Set([
    ...wordsOf(name),
    "password",
    "passwd",
    "token",
    "secret",
    "key",
    "pass",
    "pwd",
    "pw",
    "passphrase",
  ]);
  return wordsOf(value).some((word) => own.has(word));
}

const PLAIN_WORD = /[ \t]([a-z]{1,20})(?=[ ,.])/y;
const LEADS_TO_VALUE = new Set("is was ist lautet est es value val content type string text as".split(" "));

/** False for a name in a sentence, cheaply: a plain word follows it, and another stands before it. */
export function mayHaveValue({ text }: View, at: number, end: number): boolean {
  let nameEnd = end;
  const most = Math.min(text.length, end + 32);
  while (nameEnd < most && isOfName(text.charCodeAt(nameEnd))) nameEnd++;
  const next = text.charCodeAt(nameEnd);
  // `item.key`: a key of nothing in particular.
  if (
    nameEnd - at === 3 &&
    text.charCodeAt(at - 1) !== 32 &&
    !isOfName(text.charCodeAt(at - 1)) &&
    isKey(text.charCodeAt(at))
  )
    return false;
  // A full stop, or a bracket that closes something else.
  if (next === 46 || next === 33 || next === 59 || next === 125) return !(text.charCodeAt(nameEnd + 1) <= 64);
  if (next !== 32) return true;
  PLAIN_WORD.lastIndex = nameEnd;
  const word = PLAIN_WORD.exec(text)?.[1];
  if (word === undefined || LEADS_TO_VALUE.has(word)) return true;
  let start = at;
  const least = Math.max(0, at - LONGEST_NAME);
  while (start > least && isOfName(text.charCodeAt(start - 1))) start--;
  if (text.charCodeAt(start - 1) !== 32 || text.charCodeAt(start) === 45) return true;
  return LEADS.test(text.slice(Math.max(0, start - 120), start));
}

/** The name around a word for a secret, and what it tells. */
export function nameAt(
  text: string,
  at: number,
  end: number,
): { readonly start: number; readonly end: number; readonly tells: NameTells } {
  let start = at;
  const least = Math.max(0, at - LONGEST_NAME);
  while (start > least && isOfName(text.charCodeAt(start - 1))) start--;
  while (text.charAt(start) === "-" && start < at) start++;
  let to = end;
  const most = Math.min(text.length, end + 32);
  while (
    to < most &&
    (isOfName(text.charCodeAt(to)) || (text.charAt(to) === "." && /[A-Za-z]/.test(text.charAt(to + 1))))
  )
    to++;
  // No name is as long.
  if (start === least && least > 0) return { start, end: to, tells: "no" };
  const name = text.slice(start, to);
  const phrase =
    text.charAt(start - 1) === " " && !/pass$/i.test(name)
      ? (/[A-Za-z]{2,14} $/.exec(text.slice(Math.max(0, start - 16), start))?.[0] ?? "")
      : "";
  const alone = tellOfName(name);
  const tells = phrase !== "" && alone !== "sure" ? tellOfName(phrase + name) : alone;
  return {
    start,
    end: to,
    tells: ENDS_SURELY.test(name) || isSecretName(name) || /^[-_]*key$/i.test(name) ? tells : "no",
  };
}

function isKey(unit: number): boolean {
  return unit === 107 || unit === 75;
}

function isOfName(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) ||
    (unit >= 65 && unit <= 90) ||
    (unit >= 48 && unit <= 57) ||
    unit === 95 ||
    unit === 45
  );
}
