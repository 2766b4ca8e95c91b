import { makeVisible } from "@deputy/kit";
import type { TaskDetail, TaskEvent } from "@deputy/protocol";
import type { DecisionBlock } from "../chat/chat-block.ts";
import type { Output } from "../output/output.ts";
import { showDiagnostics } from "./show-diagnostics.ts";
import { showTaskEvent } from "./show-task-event.ts";

/** What happens on the way to the end of a program; its text, result and failure are told by `showProgramEnd`. */
export function showProgramEvent(
  output: Output,
  event: TaskEvent,
  answered: readonly DecisionBlock[] = [],
): void {
  if (event.type === "code_generated" || event.type === "agent_message") return;
  // With --json the failure is an event of the task as well: who reads lines need not wait for the last.
  if (event.type === "error" && output.mode === "human") return;
  showTaskEvent(output, event, answered);
}

/** What came of it: the result on stdout, or what is wrong with it. */
export function showProgramEnd(output: Output, task: TaskDetail, file: string): void {
  const { error, result, diagnostics = [], logs = [], receipts = [] } = task;
  if (diagnostics.length > 0) {
    showDiagnostics(output, file, diagnostics);
    output.note("✗ It does not typecheck; nothing ran.");
    output.object({ type: "result", status: "rejected", diagnostics });
    return;
  }
  if (error !== undefined) {
    const where = error.line === undefined ? "" : `line ${error.line}: `;
    // That it was stopped has been said.
    if (error.code !== "aborted") output.note(`✗ ${where}${makeVisible(error.message)}`);
    output.object({ type: "result", status: "failed", error, logs, receipts });
    return;
  }
  if (result !== undefined) output.result(makeVisible(JSON.stringify(result, null, 2)));
  output.object({ type: "result", status: "completed", result, logs, receipts });
}
