import { makeVisible } from "@deputy/kit";
import type { Diagnostic } from "@deputy/protocol";
import type { Output } from "../output/output.ts";

/** One line each, in the form editors and terminals make clickable. */
export function showDiagnostics(output: Output, file: string, diagnostics: readonly Diagnostic[]): void {
  for (const { line, column, code, message } of diagnostics) {
    output.result(`${makeVisible(file)}:${line}:${column} - ${code}: ${makeVisible(message)}`);
  }
}
