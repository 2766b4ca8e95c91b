import { resolve } from "node:path";
import { createNodeTypeChecker } from "@deputy/codemode/node";
import { CodedError, makeVisible } from "@deputy/kit";
import type { Diagnostic } from "@deputy/protocol";
import { AppError } from "../../app-error.ts";
import { toolSourcesOf } from "../../config/tool-source-schema.ts";
import { EXIT, type ExitCode, type Output } from "@deputy/terminal/output";
import { openHome } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";
import { loadCatalogue } from "../../load-catalogue.ts";
import { languageOf, readSource } from "../../read-source.ts";
import { showDiagnostics } from "@deputy/terminal/show";

/** `deputy check FILE…`: runs nothing and records nothing. It checks every file, even if another one has errors. */
export async function check(
  invocation: Invocation,
  files: readonly string[],
  options: { readonly tools?: readonly string[] },
): Promise<ExitCode> {
  const { output, signal } = invocation;
  const home = openHome(invocation.homeDirectory, invocation.warn);
  const sources = await readSources([...new Set(files)], invocation);
  const plugins = (options.tools ?? []).map((plugin) => resolve(plugin));
  const catalogue = await loadCatalogue([...toolSourcesOf(home.config), ...plugins], home, invocation);
  const declarations = catalogue.declarations();
  await using checker = createNodeTypeChecker();

  let wrong = 0;
  for (const { file, code } of sources) {
    try {
      const diagnostics = await checker.check({ code, declarations }, signal);
      showChecked(output, file, diagnostics);
      if (diagnostics.length > 0) wrong += 1;
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      showUnchecked(output, file, error);
      wrong += 1;
    }
  }
  if (sources.length > 1) output.note(summary(sources.length, wrong));
  return wrong === 0 ? EXIT.done : EXIT.failed;
}

interface Source {
  readonly file: string;
  readonly code: string;
}

/** Reads all files before checking any, so that a wrong name shows at once. */
async function readSources(
  files: readonly string[],
  { stdin, signal }: Invocation,
): Promise<readonly Source[]> {
  const sources: Source[] = [];
  for (const file of files) {
    if (languageOf(file) === "javascript") {
      throw new AppError("usage", `${file} is JavaScript, which runs as it is and is never typechecked`, {
        hint: "Name it .ts to have it checked.",
      });
    }
    sources.push({ file, code: await readSource(file, stdin, signal) });
  }
  return sources;
}

function showChecked(output: Output, file: string, diagnostics: readonly Diagnostic[]): void {
  showDiagnostics(output, file, diagnostics);
  for (const diagnostic of diagnostics) output.object({ type: "diagnostic", file, ...diagnostic });
  const count = diagnostics.length;
  output.object({ type: "checked", file, status: count === 0 ? "ok" : "rejected", diagnostics: count });
  const found = count === 0 ? "typechecks." : `does not typecheck (${count} found); nothing ran.`;
  output.note(`${makeVisible(file)} ${found}`);
}

function showUnchecked(output: Output, file: string, { code, message }: CodedError<string>): void {
  output.result(`${makeVisible(file)} - ${code}: ${makeVisible(message)}`);
  output.object({ type: "checked", file, status: "failed", error: { code, message } });
}

function summary(files: number, wrong: number): string {
  return wrong === 0 ? `All ${files} files typecheck.` : `${wrong} of ${files} files do not typecheck.`;
}
