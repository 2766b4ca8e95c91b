import { redactAcross } from "./across-pieces.ts";
import type { SecretScanner } from "./secret-scanner.ts";

/**
 * Redacts what comes as pieces that stay pieces, such as lines of progress. A known value that is told in several of
 * them, one right after the other, is redacted in each. So a piece that ends like the beginning of one is held back
 * until the next has come. Limit: up to two characters of a value may have been given out before it is known for one.
 */
export interface PieceStream {
  /** The pieces that are certain by now, in order, each redacted; often just this one. */
  push(piece: string): readonly string[];
  /** Those that were held back. */
  end(): readonly string[];
}

/** Fewer characters are the beginning of nothing: anchors have three. */
const KEPT_CHARS = 2;
const MOST_HELD = 1_000;

export function createPieceStream(
  scanner: SecretScanner,
  clean: (text: string) => string,
  mark: string,
): PieceStream {
  /** The end of what was given out, as it was. */
  let before = "";
  let held: readonly string[] = [];

  const release = (count: number): readonly string[] => {
    const released = held.slice(0, count);
    before = (before + released.join("")).slice(-KEPT_CHARS);
    held = held.slice(count);
    return released.map(clean);
  };
  /** How many of those that are held back can be part of nothing that is yet to come. */
  const countCertain = (): number => {
    const text = before + held.join("");
    const view = { text, isFinal: false, openFrom: text.length, redactedTo: 0 };
    let at = 0;
    for (;;) {
      const finding = scanner.next(view, at, text.length);
      if (finding === undefined) return held.length;
      at = finding.at + 1;
      if (finding.verdict.kind === "more") break;
    }
    let end = before.length;
    const first = held.findIndex((piece) => (end += piece.length) >= at);
    return Math.max(first, 0);
  };
  return {
    push(piece) {
      held = [...held, piece];
      held = redactAcross(scanner, [before, ...held], mark)?.slice(1) ?? held;
      return release(held.length > MOST_HELD ? held.length : countCertain());
    },
    end: () => release(held.length),
  };
}
