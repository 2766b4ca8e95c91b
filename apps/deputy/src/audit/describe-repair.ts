import type { RepairReport } from "@deputy/store/sqlite";

/** How many ranges and lines are listed one by one; `--json` has all of them. */
const TOLD = 20;

/** Describes what a repair kept, what it could not keep, and what to do about that. */
export function describeRepair(report: RepairReport): readonly string[] {
  const { keptEvents, fromDaily, lostEvents, lostPayloads, missing, refusedLines, endedTurns } = report;
  const unnamed = lostEvents - missing.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  return [
    `Kept ${count(keptEvents, "event")}, ${fromDaily} of them from the daily files.`,
    lostEvents === 0 ? "No event is lost." : `Lost ${count(lostEvents, "event")}:`,
    ...told(
      missing.map(
        ({ stream, first, last }) => `${stream}: ${first === last ? first : `${first} to ${last}`}`,
      ),
    ),
    ...(unnamed > 0 ? [`  ${count(unnamed, "event")} of which nothing is left that names them`] : []),
    ...(lostPayloads > 0 ? [`${count(lostPayloads, "event")} lost their content and kept their place.`] : []),
    ...(refusedLines.length > 0 ? ["Daily lines that prove nothing were not used:"] : []),
    ...told(refusedLines.map(({ file, number }) => (number === 0 ? file : `${file}, line ${number}`))),
    ...(endedTurns.length > 0
      ? [
          `${count(endedTurns.length, "turn")} under way ended as failed, because what they had done is no longer known. Nothing of them is repeated; check whether it took effect, then ask again:`,
        ]
      : []),
    ...told(endedTurns.map(({ stream, turnId }) => `${stream} ${turnId}`)),
    `The damaged files are in ${report.aside}. Delete that folder when you are sure that nothing is missing.`,
    ...(report.dailyAside === undefined
      ? []
      : [
          `The daily files did not match and are in ${report.dailyAside}; the next start writes new ones. Erasing reaches neither folder.`,
        ]),
    "The log records this repair. You can start Deputy again.",
  ];
}

function told(lines: readonly string[]): readonly string[] {
  const rest = lines.length - TOLD;
  return [...lines.slice(0, TOLD).map((line) => `  ${line}`), ...(rest > 0 ? [`  and ${rest} more`] : [])];
}

function count(number: number, what: string): string {
  return number === 1 ? `1 ${what}` : `${number} ${what}s`;
}
