import { createIdSource, createSystemClock, makeVisible } from "@deputy/kit";
import { rebuildDaily, verifyDaily } from "@deputy/store/daily";
import { findWriter, openSqliteReader, openSqliteStore, type SqliteReader } from "@deputy/store/sqlite";
import { repairSqliteStore } from "@deputy/store/sqlite/upkeep";
import { checkAnchor, parseAnchor, headAnchor } from "../../audit/anchor.ts";
import { type AuditProblem, dailyProblem, logProblem } from "../../audit/audit-problem.ts";
import { describeRepair } from "../../audit/describe-repair.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { lookIntoHome, openHome } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";

/** Between two lines of progress; a short log shows none. */
const PROGRESS_MS = 2_000;

/** `deputy audit verify`: recomputes every hash of the log and of the daily files; works beside a running daemon. */
export async function verify(
  invocation: Invocation,
  options: { readonly anchor?: string },
): Promise<ExitCode> {
  const { output } = invocation;
  const anchor = options.anchor === undefined ? undefined : parseAnchor(options.anchor);
  const directory = lookIntoHome(invocation.homeDirectory);
  await using reader = openSqliteReader({ directory });
  const progress = progressOf(invocation);
  const log = await reader.verify({ onProgress: (events) => progress(`${events} events verified`) });
  const daily = await verifyFiles(directory, reader, (lines) => progress(`${lines} daily lines compared`));
  const problems = [
    ...log.damage.map(logProblem),
    ...daily.findings.map(dailyProblem),
    ...(anchor === undefined ? [] : checkAnchor(reader, anchor)),
  ];
  const { findings: _findings, ...files } = daily;
  output.object({ ...log, daily: files, head: headAnchor(reader), problems });

  const erased = log.erased === 0 ? "" : `, ${log.erased} of them erased or lost`;
  output.result(
    `${log.events} events in ${log.streams} streams${erased}; ${daily.lines} lines in ${daily.files} daily files.`,
  );
  if (daily.pending > 0)
    output.result(`${daily.pending} events still have to be written to the daily files.`);
  for (const name of daily.aside)
    output.result(`${name} contains old daily files; erasing does not reach them.`);
  if (problems.length > 0) return reportProblems(invocation, problems);
  output.result(anchor === undefined ? "Every hash holds." : "Every hash holds, and so does the anchor.");
  return EXIT.done;
}

async function verifyFiles(home: string, reader: SqliteReader, onProgress: (lines: number) => void) {
  const nowMs = findWriter({ directory: home }) === undefined ? undefined : createSystemClock().now();
  const events = reader.unverified;
  return await verifyDaily({ home, events, onProgress, ...(nowMs === undefined ? undefined : { nowMs }) });
}

function reportProblems({ output }: Invocation, problems: readonly AuditProblem[]): ExitCode {
  output.result(
    problems.length === 1 ? "One thing does not hold:" : `${problems.length} things do not hold:`,
  );
  for (const { message } of problems) output.result(makeVisible(`  ${message}`));
  for (const advice of new Set(problems.map(({ safe, todo }) => `${safe} ${todo}`))) output.result(advice);
  return EXIT.failed;
}

function progressOf({ output }: Invocation): (text: string) => void {
  const clock = createSystemClock();
  let nextMs = clock.monotonicMs() + PROGRESS_MS;
  return (text) => {
    if (clock.monotonicMs() < nextMs) return;
    nextMs = clock.monotonicMs() + PROGRESS_MS;
    output.note(`${text} …`);
  };
}

/** `deputy audit head`: prints the anchor to keep elsewhere. */
export async function head(invocation: Invocation): Promise<ExitCode> {
  const { output } = invocation;
  const directory = lookIntoHome(invocation.homeDirectory);
  await using reader = openSqliteReader({ directory });
  const { position, hash } = reader.anchor();
  const anchor = `${position}-${hash}`;
  output.object({ anchor });
  output.result(anchor);
  output.note(
    "Keep it in another place; `deputy audit verify --anchor` then shows whether someone rewrote the log.",
  );
  return EXIT.done;
}

/** `deputy audit rebuild-daily`: needs the home to itself. */
export async function rebuild(invocation: Invocation): Promise<ExitCode> {
  const { output, warn } = invocation;
  const { directory } = openHome(invocation.homeDirectory, warn);
  const clock = createSystemClock();
  let aside: string | undefined;
  {
    await using store = await openSqliteStore({ directory, clock, ids: createIdSource({ clock }) });
    aside = await rebuildDaily({ home: directory, events: store.events, clock, warn });
  }
  await using reader = openSqliteReader({ directory });
  const { findings, files, lines } = await verifyFiles(directory, reader, () => undefined);
  output.object({ files, lines, aside: aside ?? null });
  if (findings.length > 0) return reportProblems(invocation, findings.map(dailyProblem));
  output.result(`Wrote ${lines} lines to ${files} daily files.`);
  if (aside !== undefined)
    output.result(
      `The old ones are in ${aside}. Delete that folder when you have looked at it: erasing does not reach it.`,
    );
  return EXIT.done;
}

/** `deputy audit repair`: needs the home to itself. */
export async function repair(invocation: Invocation, options: { readonly newKey?: true }): Promise<ExitCode> {
  const { output } = invocation;
  const { directory } = openHome(invocation.homeDirectory, invocation.warn);
  const clock = createSystemClock();
  const journal = options.newKey === true ? "give_up" : "keep";
  const ids = createIdSource({ clock });
  const { closeTurn } = await import("../../audit/close-turn.ts");
  const outcome = await repairSqliteStore({ directory, clock, ids, journal, closeTurn });
  output.object(outcome);
  if (outcome.kind === "sound") {
    output.result("Nothing is damaged; nothing was changed.");
    return EXIT.done;
  }
  for (const line of describeRepair(outcome.report)) output.result(makeVisible(line));
  return EXIT.done;
}
