import { type Anchor, type Detect, isCut, isOpen, MORE, NONE, secret, type Span } from "./detector.ts";
import { isExample, isRandom, isReference, isStandIn, isWordy } from "./plausible.ts";

const LONGEST_PART = 200;
const LONGEST_HEADER = 2_048;
const MEASURED = 64;
const LOOK_BACK = 400;
const MOST_LINES = 6;

const USER_INFO = /:\/\/([^\s/:@"'<>?#\\]{0,100}):([^\s/@"'<>\\]{3,200})@/y;
const USER_TOKEN = /:\/\/([\w.~-]{20,200})@/y;
const AUTHORIZATION =
  /authorization\\?["']?\s{0,3}[:=]\s{0,5}(?:\\?["'])?((?:basic|bearer|digest|bot|negotiate|ssws|(?:api-?)?(?:token|key))\s{1,5})?([\w=~@.+/:-]{8,2048})/iy;
const USER_INFO_RUN = /[^\s"'<>\\]{0,400}/y;
const BEARER_SPACE = /\s{0,3}/y;
const BEARER = /bearer\s{1,3}([\w=~.+/-]{16,2048})/iy;
const USER_OPTION = /(?:-u|--user)(?:=|[ \t]{0,5})/iy;
const PAIR =
  /("[^"\n]{1,200}"|'[^'\n]{1,200}'|[^\s"']{0,200})(?::?)("[^"\n]{1,200}"|'[^'\n]{1,200}'|[^\s"']{0,200})/y;
/** PHP: `'secret_key' => 'sk_…'`, with any characters. */
const SECRET_KEY = /secret_key["']\s{0,40}=>\s{0,40}["'](sk_\S{29})(?=["'])/iy;
/** A longer text cannot turn what is there into something else. */
const LONGEST_SCHEME = 64;

/** Where programs write down who they are: in addresses, headers, and on curl's command line. */
export const credentialAnchors: readonly Anchor[] = [
  { literal: "://", detect: detectUserInfo },
  { literal: "authorization", detect: detectAuthorization },
  { literal: "bearer", detect: detectBearer },
  { literal: "-u?", detect: detectUserOption },
  { literal: "--user", detect: detectUserOption },
  { literal: "secret_key", detect: detectSecretKey },
];

function detectUserInfo(...[view, at]: Parameters<Detect>): ReturnType<Detect> {
  if (isCut(view, USER_INFO_RUN, at + 3, 2 * LONGEST_PART)) return MORE;
  // A token alone, as `https://<token>@github.com`.
  USER_TOKEN.lastIndex = at;
  const token = USER_TOKEN.exec(view.text)?.[1];
  if (token !== undefined && isRandom(token))
    return secret(USER_TOKEN.lastIndex - 1 - token.length, USER_TOKEN.lastIndex - 1);
  USER_INFO.lastIndex = at;
  const password = USER_INFO.exec(view.text)?.[2];
  if (password === undefined || isReference(password) || isStandIn(password) || isExample(password))
    return NONE;
  return secret(USER_INFO.lastIndex - 1 - password.length, USER_INFO.lastIndex - 1);
}

function detectAuthorization(...[view, at]: Parameters<Detect>): ReturnType<Detect> {
  const { text } = view;
  AUTHORIZATION.lastIndex = at;
  const found = AUTHORIZATION.exec(text);
  const isUnfinished =
    found === null
      ? text.length - at < LONGEST_SCHEME
      : isOpen(view, AUTHORIZATION.lastIndex - 1, LONGEST_HEADER);
  if (!view.isFinal && (isUnfinished || text.length - at < LONGEST_SCHEME)) return MORE;
  const value = found?.[2];
  if (value === undefined || isReference(value) || isExample(value.slice(0, MEASURED))) return NONE;
  if (
    found?.[1] === undefined ? !/\d/.test(value) || isWordy(value.slice(0, MEASURED)) : /^[a-z]+$/.test(value)
  )
    return NONE;
  return secret(
    AUTHORIZATION.lastIndex - value.length,
    AUTHORIZATION.lastIndex,
    value.length >= LONGEST_HEADER ? "token" : undefined,
  );
}

function detectBearer(...[view, at]: Parameters<Detect>): ReturnType<Detect> {
  const { text } = view;
  BEARER.lastIndex = at;
  const value = BEARER.exec(text)?.[1];
  if (isCut(view, BEARER_SPACE, at + 6, LONGEST_SCHEME)) return MORE;
  if (value === undefined) return isOpen(view, BEARER_SPACE.lastIndex, LONGEST_SCHEME) ? MORE : NONE;
  if (isOpen(view, BEARER.lastIndex - 1, LONGEST_HEADER)) return MORE;
  if (!/\d/.test(value) || isExample(value.slice(0, MEASURED)) || isWordy(value.slice(0, MEASURED)))
    return NONE;
  return secret(
    BEARER.lastIndex - value.length,
    BEARER.lastIndex,
    value.length >= LONGEST_HEADER ? "token" : undefined,
  );
}

/** `curl -u user:password`, in any quotes; a user without a password is a token. */
function detectUserOption(...[view, at]: Parameters<Detect>): ReturnType<Detect> {
  const { text } = view;
  if (!/\s/.test(text.charAt(at - 1))) return NONE;
  const before = text.slice(Math.max(0, at - LOOK_BACK), at).toLowerCase();
  const command = before.lastIndexOf("curl");
  if (command < 0 || before.slice(command).split("\n").length > MOST_LINES) return NONE;
  USER_OPTION.lastIndex = at;
  if (USER_OPTION.exec(text) === null) return NONE;
  const from = USER_OPTION.lastIndex;
  PAIR.lastIndex = from;
  const pair = PAIR.exec(text)?.[0] ?? "";
  if (!view.isFinal && (from + pair.length >= text.length - 1 || isUnclosed(text, from + pair.length)))
    return MORE;
  const plain = pair.replaceAll(/["']/g, "");
  const colon = plain.indexOf(":");
  if (colon < 0) return NONE;
  const told = colon === plain.length - 1 ? plain.slice(0, colon) : plain.slice(colon + 1);
  if (told.length < 3 || isReference(told) || isStandIn(told) || isExample(told) || plain.includes("{{"))
    return NONE;
  return secret(from, from + pair.length);
}

function detectSecretKey(...[view, at]: Parameters<Detect>): ReturnType<Detect> {
  SECRET_KEY.lastIndex = at;
  const value = SECRET_KEY.exec(view.text)?.[1];
  if (value !== undefined) return secret(SECRET_KEY.lastIndex - value.length, SECRET_KEY.lastIndex);
  const rest = view.isFinal ? "" : view.text.slice(at + 10, at + 140);
  return !view.isFinal && rest.length < 130 && /^(?:["']\s*(?:=?>?\s*(?:["']\S*)?)?)?$/.test(rest)
    ? MORE
    : NONE;
}

function isUnclosed(text: string, at: number): boolean {
  const rest = text.slice(at, at + LONGEST_PART);
  return rest.length < LONGEST_PART && /^(?:"[^"\n]*|'[^'\n]*)$/.test(rest);
}

const LONGEST_COOKIES = 4_096;
const COOKIE_BEFORE = /cookie["']?\s{0,3}[:=]\s{0,3}["']?$/i;
const COOKIE = /([\w.%-]{1,80})=("?[^\s;,"'\\]{6,2048})/y;
const NEXT_COOKIE = /;\s{0,3}/y;
const SESSION = /sess|sid\b|auth|token|jwt|csrf|secret|login|remember|identity|credential|^s$/i;
/** Attributes, and what counts visitors. */
const OTHER_COOKIES =
  /^(?:path|domain|expires|max-age|samesite|secure|httponly|priority|partitioned|_g\w+|_fb\w+|utm\w*|lang\w*|theme|locale|tz|timezone|country|currency)$/i;

const SHORTEST_SESSION = 8;
const SHORTEST_RANDOM = 16;

/** `host:port:database:user:password`, a line of `.pgpass`, from the colon before the port. */
const PGPASS = /:(?:\d{4,5}|\*):[\w.*-]{1,64}:[\w.@*-]{1,64}:((?:[^\s:\\]|\\.){3,128})(?=\s|$)/y;
const PGPASS_HOST = /(?:^|[\n"'`])[\w.*-]{1,100}$/;
const LONGEST_PGPASS = 320;

/** Where programs keep who they are between requests and sessions. */
export const credentialFileAnchors: readonly Anchor[] = [
  { literal: "cookie", detect: detectCookies },
  { literal: ":##", detect: detectPgpass },
  { literal: ":*:", isPlain: true, detect: detectPgpass },
];

/** `Cookie: a=1; session=…` and `Set-Cookie: session=…; Path=/`, the values that look like a session's. */
function detectCookies(...[view, at, end]: Parameters<Detect>): ReturnType<Detect> {
  const { text } = view;
  const operator = /^["']?(?:\s{0,3}[:=]\s{0,3}|\s{1,3})["']?/.exec(text.slice(end, end + 12))?.[0];
  if (operator === undefined) return NONE;
  const from = end + operator.length;
  // `--cookie a=b` has a space alone; prose has that as well.
  if (!/[:=]/.test(operator) && text.slice(Math.max(0, at - 2), at) !== "--") return NONE;
  const line = /^[^\n\r]*/.exec(text.slice(from, from + LONGEST_COOKIES))?.[0] ?? "";
  if (!view.isFinal && from + line.length >= text.length && line.length < LONGEST_COOKIES) return MORE;
  if (!COOKIE_BEFORE.test(text.slice(at, from)) && /[:=]/.test(operator)) return NONE;
  const spans: Span[] = [];
  for (let next = from; ;) {
    COOKIE.lastIndex = next;
    const found = COOKIE.exec(text);
    if (found !== null) {
      const [, name = "", value = ""] = found;
      const isSession = SESSION.test(name) && value.length >= SHORTEST_SESSION && /\d/.test(value);
      const isToken = value.length >= SHORTEST_RANDOM && isRandom(value.slice(0, 64));
      if (!OTHER_COOKIES.test(name) && (isSession || isToken) && !isReference(value) && !isExample(value))
        spans.push({ start: COOKIE.lastIndex - value.length, end: COOKIE.lastIndex });
      next = COOKIE.lastIndex;
    } else {
      // One without a value, such as `Secure`.
      const bare = /^[\w.%-]{1,80}(?:=[^\s;,"'\\]{0,2048})?/.exec(text.slice(next, next + 2_200))?.[0] ?? "";
      if (bare === "") break;
      next += bare.length;
    }
    NEXT_COOKIE.lastIndex = next;
    if (!NEXT_COOKIE.test(text)) break;
    next = NEXT_COOKIE.lastIndex;
  }
  return spans.length === 0 ? NONE : { kind: "secret", spans };
}

function detectPgpass(...[view, at]: Parameters<Detect>): ReturnType<Detect> {
  const { text } = view;
  if (!PGPASS_HOST.test(text.slice(Math.max(0, at - 110), at))) return NONE;
  if (isOpen(view, at, LONGEST_PGPASS)) return MORE;
  PGPASS.lastIndex = at;
  const password = PGPASS.exec(text)?.[1];
  if (password === undefined || isReference(password) || isStandIn(password) || isExample(password))
    return NONE;
  // Places in files look alike: `a.ts:1200:5:name:x`.
  if (!/\d/.test(password) && !/[^\w.-]/.test(password)) return NONE;
  return secret(PGPASS.lastIndex - password.length, PGPASS.lastIndex);
}
