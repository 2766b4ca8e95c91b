import {
  type GoesOn,
  LONGEST_ANCHOR,
  LONGEST_BEFORE,
  LONGEST_LOOK_BACK,
  type Span,
  type View,
} from "./detector.ts";
import type { SecretScanner } from "./secret-scanner.ts";

/**
 * Redacts a text that comes in pieces. All that was given out, put together, is what the whole text would
 * have given, however it was cut. Held back is only what may yet turn out to be part of a secret: mostly the
 * last word, at most `LONGEST_WAIT` characters and the length of the longest known value.
 */
export interface SecretStream {
  /** What is certain by now; may be empty. */
  push(chunk: string): string;
  /** The rest. Call it once, and nothing after it. */
  end(): string;
}

/** A run without white space is examined up to this length. */
const LONGEST_RUN = 8_192 + 256;
const CONTINUES: Readonly<Record<GoesOn, RegExp>> = {
  token: /[\w+/=.-]*/y,
  lines: /[A-Za-z0-9+/=\s]*/y,
};

export function createSecretStream(scanner: SecretScanner, mark: string): SecretStream {
  let text = "";
  /** Up to where `text` was given out, and up to where it was looked at. */
  let given = 0;
  let seen = 0;
  let redactedTo = 0;
  let goesOn: GoesOn | undefined;
  /** Found already, and yet to be reached: there may be other secrets before them. */
  let due: readonly Span[] = [];

  const advance = (isFinal: boolean): string => {
    let out = "";
    const openFrom = isFinal ? text.length : openRun(text);
    const viewNow = (): View => ({ text, isFinal, openFrom, redactedTo });
    const to = isFinal
      ? text.length
      : Math.min(text.length - 2, Math.max(openFrom, text.length - LONGEST_ANCHOR));
    const redact = ({ start, end, goesOn: then }: Span): void => {
      if (end <= given) return;
      // One that begins in another goes with it.
      if (start >= given || redactedTo < given) out += text.slice(given, Math.max(start, given)) + mark;
      given = end;
      goesOn = then;
      redactedTo = end;
      seen = Math.max(seen, end);
    };
    for (;;) {
      if (goesOn !== undefined) {
        const pattern = CONTINUES[goesOn];
        pattern.lastIndex = given;
        pattern.exec(text);
        given = pattern.lastIndex;
        redactedTo = given;
        seen = Math.max(seen, given);
        if (given >= text.length && !isFinal) break;
        goesOn = undefined;
      }
      const [next] = due;
      const finding = scanner.next(viewNow(), seen, Math.min(to, next?.start ?? to));
      if (finding === undefined) {
        if (next === undefined || next.start > to) {
          seen = Math.max(seen, to);
          break;
        }
        due = due.slice(1);
        redact(next);
        continue;
      }
      seen = finding.at;
      if (finding.verdict.kind === "more") break;
      seen += 1;
      due = [...due, ...finding.verdict.spans]
        .filter(({ end }) => end > given)
        .sort((a, b) => a.start - b.start || b.end - a.end);
    }
    const sure = isFinal
      ? text.length
      : Math.min(startOfRun(text, Math.min(seen, text.length)), due[0]?.start ?? seen);
    if (sure > given) {
      out += text.slice(given, sure);
      given = sure;
    }
    const keepFrom = Math.max(0, Math.min(given, seen) - LONGEST_LOOK_BACK);
    if (keepFrom > 0) {
      text = text.slice(keepFrom);
      given -= keepFrom;
      seen -= keepFrom;
      redactedTo -= keepFrom;
      due = due.map(({ start, end, goesOn: then }) => ({
        start: start - keepFrom,
        end: end - keepFrom,
        goesOn: then,
      }));
    }
    return out;
  };
  return {
    push: (chunk) => {
      text += chunk;
      return advance(false);
    },
    end: () => advance(true),
  };
}

/** Where the run of visible ASCII begins that the text ends with. */
function openRun(text: string): number {
  let at = text.length;
  const least = Math.max(0, at - LONGEST_RUN);
  while (at > least && isVisible(text.charCodeAt(at - 1))) at--;
  return at;
}

/** A secret found at `at` may begin before it, in the same run. */
function startOfRun(text: string, at: number): number {
  let start = at;
  const least = Math.max(0, at - LONGEST_BEFORE);
  while (start > least && isVisible(text.charCodeAt(start - 1))) start--;
  return start;
}

function isVisible(unit: number): boolean {
  return unit > 32 && unit < 127;
}
