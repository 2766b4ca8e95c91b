/** Headers of the connection itself, which only the sender sets. */
const OF_THE_CONNECTION =
  /^(?:host|connection|keep-alive|transfer-encoding|content-length|upgrade|te|trailer|expect|accept-encoding|proxy-.*)$/;
/** Headers that say which content is wanted, and nothing about the caller. */
const KEPT_ELSEWHERE: ReadonlySet<string> = new Set(["accept", "accept-language", "user-agent"]);
/** Headers whose values contain nothing private. */
const SHOWN: ReadonlySet<string> = new Set([...KEPT_ELSEWHERE, "content-type"]);
const HIDDEN = "(hidden)";
const MAX_SHOWN_CHARS = 200;

/** The caller's headers as they are sent: without those of the connection. */
export function sentHeaders(headers: Headers): Headers {
  return filter(headers, (name) => !OF_THE_CONNECTION.test(name));
}

/** The headers that another origin gets. */
export function headersForOthers(headers: Headers): Headers {
  return filter(headers, (name) => KEPT_ELSEWHERE.has(name));
}

/** Every name, and the values that may be recorded. */
export function headersForRecord(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, SHOWN.has(name) ? value.slice(0, MAX_SHOWN_CHARS) : HIDDEN]),
  );
}

function filter(headers: Headers, isKept: (name: string) => boolean): Headers {
  return new Headers([...headers].filter(([name]) => isKept(name)));
}
