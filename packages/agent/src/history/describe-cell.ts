import type { EventData } from "@deputy/protocol";
import { NOT_RUN } from "../cell/draft-cell.ts";

/** Everything the log holds about one cell. */
export interface CellHistory {
  readonly checked?: EventData<"cell.checked">;
  readonly completed?: EventData<"cell.completed">;
  readonly calls: readonly EventData<"call.settled">[];
  /** It was a single call that the model made, not a program it wrote. */
  readonly isCall?: boolean;
}

const SHOWN_CHARS = 20_000;

/** Describes how a cell ended, for the model. The text depends on the log only, so that it is the same every time. */
export function describeCell(cell: CellHistory): { readonly text: string; readonly isError: boolean } {
  const diagnostics = cell.checked?.diagnostics ?? [];
  const refusal = diagnostics.find(({ code }) => code === NOT_RUN);
  if (refusal !== undefined) return { text: `Nothing was run. ${refusal.message}`, isError: true };
  if (diagnostics.length > 0) {
    const problems = diagnostics.map((d) => `line ${d.line}, column ${d.column} (${d.code}): ${d.message}`);
    return {
      text: ["The program does not typecheck; nothing was run.", ...problems].join("\n"),
      isError: true,
    };
  }
  if (cell.completed === undefined) {
    return {
      text: "The program was interrupted; calls that were running may have taken effect.",
      isError: true,
    };
  }
  const { error, result, logs } = cell.completed;
  if (cell.isCall === true && error === undefined) return { text: shorten(asText(result)), isError: false };
  const lines = [error === undefined ? describeResult(result) : describeFailure(error)];
  if (logs.length > 0) lines.push("Log:", ...logs.map((line) => `  ${line}`));
  if (cell.calls.length > 0 && cell.isCall !== true) lines.push("Calls:", ...cell.calls.map(describeCall));
  return { text: lines.join("\n"), isError: error !== undefined };
}

function describeResult(result: unknown): string {
  if (result === undefined) return "It returned nothing.";
  return `Result: ${shorten(JSON.stringify(result))}`;
}

/** Text as it is: escaped, declarations would cost half as much again. */
function asText(result: unknown): string {
  return typeof result === "string" ? result : (JSON.stringify(result) ?? "null");
}

function shorten(text: string): string {
  return text.length <= SHOWN_CHARS
    ? text
    : `${text.slice(0, SHOWN_CHARS)}… (${text.length} characters in all)`;
}

function describeFailure(error: {
  readonly code: string;
  readonly message: string;
  readonly line?: number | undefined;
}): string {
  const where = error.line === undefined ? "" : ` at line ${error.line}`;
  return `It failed${where}: ${error.message} (${error.code})`;
}

function describeCall(call: EventData<"call.settled">, index: number): string {
  const why = call.error === undefined ? "" : `: ${call.error.message}`;
  return `  ${index + 1}. ${call.toolPath} ${call.status} (${Math.round(call.durationMs)} ms)${why}`;
}
