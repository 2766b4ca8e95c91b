import type { CanonicalEvent } from "@deputy/protocol";
import { openSqliteReader } from "@deputy/store/sqlite";
import type { Ledger } from "./ledger.ts";

const RUN_ENDS: ReadonlySet<string> = new Set(["turn.completed", "turn.failed", "turn.aborted"]);

/** Says what the log of a daemon that has stopped lacks, or has too often. */
export async function checkLog(home: string, ledger: Ledger): Promise<readonly string[]> {
  await using reader = openSqliteReader({ directory: home });
  const faults: string[] = [];
  const said = new Map<string, string[]>();
  const ends = new Map<string, number>();
  const tasks = new Map<string, { created: number; completed: number }>();
  const seqs = new Map<string, number>();
  for await (const { event } of reader.readAll()) {
    const { type, stream, seq, turnId, data } = event as CanonicalEvent;
    const before = seqs.get(stream) ?? 0;
    if (seq !== before + 1) faults.push(`${stream}: ${seq} follows ${before}`);
    seqs.set(stream, seq);
    const { text, taskId } = data as { text?: string; taskId?: string };
    if (type === "user.message" && text !== undefined)
      said.set(text, [...(said.get(text) ?? []), String(turnId)]);
    if (RUN_ENDS.has(type) && turnId !== undefined) ends.set(turnId, (ends.get(turnId) ?? 0) + 1);
    if (taskId === undefined) continue;
    const task = tasks.get(taskId) ?? { created: 0, completed: 0 };
    if (type === "task.created") task.created += 1;
    if (type === "task.completed") task.completed += 1;
    tasks.set(taskId, task);
  }
  for (const [text, runId] of ledger.messages) {
    const runs = said.get(text) ?? [];
    if (runs.length !== 1 || runs[0] !== runId)
      faults.push(`message ${text} of ${runId} is in the log ${runs.length} times (${runs.join(", ")})`);
    if (ends.get(runId) !== 1) faults.push(`run ${runId} has ${ends.get(runId) ?? 0} ends`);
  }
  for (const id of ledger.tasks.keys()) {
    const { created, completed } = tasks.get(id) ?? { created: 0, completed: 0 };
    if (created !== 1 || completed !== 1)
      faults.push(`task ${id} was created ${created} times and completed ${completed} times`);
  }
  return faults;
}
