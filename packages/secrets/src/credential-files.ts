import { type Anchor, type Detect, isOpen, MORE, NONE, secret, type Span } from "./detector.ts";
import { isExample, isRandom, isReference, isStandIn } from "./plausible.ts";

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
