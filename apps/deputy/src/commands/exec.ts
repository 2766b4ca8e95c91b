import { basename } from "node:path";
import { type CellReport, runProgramTurn } from "@deputy/agent";
import { makeVisible } from "@deputy/kit";
import { connectLocally } from "../client/local-connection.ts";
import { openEngine } from "../engine.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { languageOf, readSource } from "../read-source.ts";
import { createApprover } from "../terminal/approver.ts";
import { followUntilStopped } from "../terminal/follow-until-stopped.ts";
import type { Output } from "../terminal/output.ts";
import { showDiagnostics } from "../terminal/show-diagnostics.ts";
import type { RunOptions } from "./run.ts";

/** `deputy exec FILE.ts`: typecheck, gate, receipts, all recorded; no model needed. */
export async function exec(invocation: Invocation, file: string, options: RunOptions): Promise<ExitCode> {
  const { output, env, onBug } = invocation;
  const home = openHome(invocation.homeDirectory, invocation.warn);
  const code = await readSource(file, invocation.stdin, invocation.signal);
  const language = languageOf(file);
  const signal = new AbortController().signal;
  await using engine = await openEngine({
    home,
    env,
    plugins: options.tools ?? [],
    secrets: [],
    signal,
    onBug,
  });

  let report: CellReport | undefined;
  const name = file === "-" ? "a program from stdin" : basename(file);
  const started = await engine.tasks.start(
    { prompt: `Run ${name}`, agentId: "exec" },
    async (turn, turnSignal) => {
      const ran = await runProgramTurn(engine, { code, language }, turn, turnSignal);
      report = ran.report;
      return ran.outcome;
    },
  );
  const approver = createApprover(options.approve, invocation.reader);
  const connection = connectLocally(engine, started);
  const exit = await followUntilStopped(connection, { output, approver, hide: "code_generated" }, invocation);
  if (report !== undefined) showReport(output, report, file);
  return exit === EXIT.done && report?.kind !== "completed" ? EXIT.failed : exit;
}

function showReport(output: Output, report: CellReport, file: string): void {
  if (report.kind === "rejected") {
    showDiagnostics(output, file, report.diagnostics);
    output.object({ type: "result", status: "rejected", diagnostics: report.diagnostics });
    return;
  }
  const { logs, receipts } = report;
  for (const line of logs) output.note(`  ${makeVisible(line)}`);
  if (report.kind === "failed") {
    output.object({ type: "result", status: "failed", error: report.failure, logs, receipts });
    return;
  }
  const result: unknown = report.resultJson === undefined ? undefined : JSON.parse(report.resultJson);
  if (result !== undefined) output.result(makeVisible(JSON.stringify(result, null, 2)));
  output.object({ type: "result", status: "completed", result, logs, receipts });
}
