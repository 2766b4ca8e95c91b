import type { ReplayOutcome, ReplaySummary, TurnReplay } from "@deputy/agent/replay";
import { makeVisible } from "@deputy/kit";
import { showDiagnostics } from "./show-diagnostics.ts";
import type { Output } from "../output/output.ts";

/** One turn that was run again: how it went, and below it what did not go as recorded. */
export function showReplay(output: Output, turn: TurnReplay): void {
  output.object({ type: "turn", ...turn });
  const { number, model, modelCalls, cells, outcome } = turn;
  const parts = [
    `turn ${number}`,
    model,
    counted(modelCalls.length, "model call"),
    counted(cells.length, "cell"),
    counted(callsOf(turn), "call"),
  ];
  output.result(makeVisible(`${parts.join(" · ")}: ${inOneWord(turn)}`));
  showOutcome(output, "the turn", outcome);
  for (const call of modelCalls) showOutcome(output, `the model call at event ${call.seq}`, call.outcome);
  for (const cell of cells) {
    const name = `${cell.cellId} (event ${cell.seq})`;
    showOutcome(output, name, cell.outcome);
    if (cell.typecheck === undefined) continue;
    const verb = cell.typecheck.length === 0 ? "would typecheck today" : "would no longer typecheck";
    output.result(`  ${name} ${verb}`);
    showDiagnostics(output, `    ${cell.cellId}`, cell.typecheck);
  }
}

export function showReplaySummary(output: Output, session: string, summary: ReplaySummary): void {
  output.object({ type: "summary", session, ...summary });
  const { turns, modelCalls, cells, calls, diverged, notReplayable, mistyped } = summary;
  if (turns === 0) {
    output.result("There is nothing to replay: no turn has begun.");
    return;
  }
  const all = [
    counted(turns, "turn"),
    counted(modelCalls, "model call"),
    counted(cells, "cell"),
    counted(calls, "call"),
  ].join(", ");
  const wrong = [
    ...(diverged === 0 ? [] : [counted(diverged, "divergence")]),
    ...(notReplayable === 0 ? [] : [`${notReplayable} not replayable`]),
    ...(mistyped === 0 ? [] : [`${counted(mistyped, "program")} that would no longer typecheck`]),
  ];
  output.result(wrong.length === 0 ? `${all}: all as recorded.` : `${all}: ${wrong.join(", ")}.`);
}

function showOutcome(output: Output, name: string, outcome: ReplayOutcome): void {
  if (outcome.kind === "not_replayable")
    output.result(makeVisible(`  ${name}: not replayable: ${outcome.why}`));
  if (outcome.kind === "agrees" && outcome.until !== undefined)
    output.result(makeVisible(`  ${name}: as recorded until ${outcome.until}`));
  if (outcome.kind !== "diverged") return;
  const { seq, what, expected, came } = outcome.divergence;
  output.result(makeVisible(`  ${name}: diverged at event ${seq}: ${what}`));
  output.result(makeVisible(`    expected  ${onOneLine(expected)}`));
  output.result(makeVisible(`    came      ${onOneLine(came)}`));
}

function inOneWord(turn: TurnReplay): string {
  const kinds = new Set([turn, ...turn.modelCalls, ...turn.cells].map(({ outcome }) => outcome.kind));
  if (kinds.has("diverged")) return "diverged";
  return kinds.has("not_replayable") ? "not replayable" : "as recorded";
}

function callsOf({ cells }: TurnReplay): number {
  return cells.reduce((sum, { calls }) => sum + calls, 0);
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

function onOneLine(text: string): string {
  return text.replaceAll("\n", "\\n");
}
