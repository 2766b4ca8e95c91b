import { createRedactor } from "@deputy/secrets";
import { formatTable } from "../table.ts";
import { judgeSecrets } from "./judge-secrets.ts";
import { readSecrets } from "./read-secrets.ts";

/** As shares, so that a part of the corpus, or more of its kind, can be measured too. */
const MIN_REDACTED_SHARE = 1_150 / 1_208;
const MIN_KEPT_SHARE = 209 / 233;

/**
 * How well the redactor tells secrets from other texts. Prints what it missed, by family; resolves with
 * whether every target holds. Rejects when the corpus is missing.
 */
export async function evaluateSecrets(directory: string): Promise<boolean> {
  const report = judgeSecrets(createRedactor([]), await readSecrets(directory));
  const { redacted, toRedact, kept, toKeep, contradictory, missed, unequalStreams } = report;
  console.log(`\nsecrets redacted: ${redacted} of ${toRedact}; other texts kept: ${kept} of ${toKeep}`);
  console.log(
    `${contradictory} texts are in both lists, so at most ${toRedact + toKeep - contradictory} rows can be right: ${redacted + kept} are`,
  );
  console.log(`texts that gave something else in pieces: ${unequalStreams}`);
  const rows = [...missed].map(([family, { left, changed }]) => [family, left, changed]);
  if (rows.length > 0) console.log(formatTable(["family", "secrets left", "texts changed"], rows));
  const holds = [
    redacted / toRedact >= MIN_REDACTED_SHARE,
    kept / toKeep >= MIN_KEPT_SHARE,
    unequalStreams === 0,
  ];
  console.log(`secrets: ${holds.every(Boolean) ? "every target holds" : "A TARGET IS MISSED"}`);
  return holds.every(Boolean);
}
