import { createIdSource, createSystemClock } from "@deputy/kit";
import { openSqliteReader, repairSqliteStore } from "@deputy/store/sqlite";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";

/** `deputy audit verify`: recomputes every hash; works beside a running daemon. */
export async function verify(invocation: Invocation): Promise<ExitCode> {
  const { output } = invocation;
  const { directory } = openHome(invocation.homeDirectory, invocation.warn);
  await using reader = openSqliteReader({ directory });
  const report = await reader.verify();
  output.object(report);
  const erased = report.erased === 0 ? "" : `, ${report.erased} of them erased on request`;
  if (report.damage.length === 0) {
    output.result(`${report.events} events in ${report.streams} streams${erased}: every hash holds.`);
    return EXIT.done;
  }
  output.result(
    `${report.events} events in ${report.streams} streams could be read; ${report.damage.length} places are damaged:`,
  );
  for (const { stream, seq, message } of report.damage) {
    output.result(`  ${stream ?? "the log"}${seq === undefined ? "" : ` at ${seq}`}: ${message}`);
  }
  output.result("`deputy audit repair` keeps what is sound and puts the damaged files aside.");
  return EXIT.failed;
}

/** `deputy audit repair`: needs the home to itself. */
export async function repair(invocation: Invocation): Promise<ExitCode> {
  const { output } = invocation;
  const { directory } = openHome(invocation.homeDirectory, invocation.warn);
  const clock = createSystemClock();
  const outcome = await repairSqliteStore({ directory, clock, ids: createIdSource({ clock }) });
  output.object(outcome);
  if (outcome.kind === "sound") {
    output.result("Nothing is damaged; nothing was changed.");
    return EXIT.done;
  }
  const { keptEvents, lostEvents, lostPayloads, aside } = outcome.report;
  output.result(
    `Kept ${keptEvents} events; ${lostEvents} are lost, and ${lostPayloads} have lost their content.`,
  );
  output.result(`The damaged files are in ${aside}. The loss is recorded in the log.`);
  return EXIT.done;
}
