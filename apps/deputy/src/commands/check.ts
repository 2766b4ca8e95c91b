import { resolve } from "node:path";
import { createNodeTypeChecker } from "@deputy/codemode/node";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { loadCatalogue } from "../load-catalogue.ts";
import { readSource } from "../read-source.ts";
import { showDiagnostics } from "../terminal/show-diagnostics.ts";

/** `deputy check FILE.ts`: nothing runs, nothing is recorded. */
export async function check(
  invocation: Invocation,
  file: string,
  options: { readonly tools?: readonly string[] },
): Promise<ExitCode> {
  const { output } = invocation;
  const home = openHome(invocation.homeDirectory, invocation.warn);
  const code = await readSource(file, invocation.stdin, invocation.signal);
  const plugins = (options.tools ?? []).map((plugin) => resolve(plugin));
  const catalogue = await loadCatalogue([...home.config.toolSources, ...plugins], home.directory);
  await using checker = createNodeTypeChecker();
  const diagnostics = await checker.check(
    { code, declarations: catalogue.declarations() },
    invocation.signal,
  );
  showDiagnostics(output, file, diagnostics);
  for (const diagnostic of diagnostics) output.object({ type: "diagnostic", file, ...diagnostic });
  output.note(diagnostics.length === 0 ? `${file} typechecks.` : `${diagnostics.length} found; nothing ran.`);
  return diagnostics.length === 0 ? EXIT.done : EXIT.failed;
}
