import type { Redactor } from "@deputy/secrets";
import type { SecretRow } from "./read-secrets.ts";

export interface SecretsReport {
  readonly redacted: number;
  readonly toRedact: number;
  readonly kept: number;
  readonly toKeep: number;
  /** Texts that the corpus wants redacted in one row and kept in another: one of each pair is missed. */
  readonly contradictory: number;
  /** By family, without the contradictory: secrets left, and texts changed. */
  readonly missed: ReadonlyMap<string, { readonly left: number; readonly changed: number }>;
  /** Texts whose pieces gave something else than the whole. */
  readonly unequalStreams: number;
}

const PIECES = [1, 7, 64] as const;

/** Redacts every text, whole and in pieces, and compares with what the corpus expects. */
export function judgeSecrets(redactor: Redactor, rows: readonly SecretRow[]): SecretsReport {
  const wanted = (expect: SecretRow["expect"]): Set<string> =>
    new Set(rows.flatMap((row) => (row.expect === expect ? [row.text] : [])));
  const toRedact = wanted("redact");
  const toKeep = wanted("keep");
  const missed = new Map<string, { left: number; changed: number }>();
  const counts = { redacted: 0, kept: 0, unequalStreams: 0 };
  for (const { rule, text, secret, expect } of rows) {
    const out = redactor.text(text);
    if (PIECES.some((size) => inPieces(redactor, text, size) !== out)) counts.unequalStreams += 1;
    const isRedacted = out !== text && !(secret && out.includes(secret));
    const isRight = expect === "redact" ? isRedacted : out === text;
    if (isRight) counts[expect === "redact" ? "redacted" : "kept"] += 1;
    else if (!(toRedact.has(text) && toKeep.has(text))) {
      const family = missed.get(rule) ?? { left: 0, changed: 0 };
      family[expect === "redact" ? "left" : "changed"] += 1;
      missed.set(rule, family);
    }
  }
  return {
    ...counts,
    toRedact: rows.filter((row) => row.expect === "redact").length,
    toKeep: rows.filter((row) => row.expect === "keep").length,
    contradictory: [...toRedact].filter((text) => toKeep.has(text)).length,
    missed,
  };
}

function inPieces(redactor: Redactor, text: string, size: number): string {
  const stream = redactor.stream();
  let out = "";
  for (let at = 0; at < text.length; at += size) out += stream.push(text.slice(at, at + size));
  return out + stream.end();
}
