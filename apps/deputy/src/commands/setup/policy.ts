import { AppError } from "../../app-error.ts";
import type { ExitCode } from "@deputy/terminal/output";
import type { Invocation } from "../../invocation.ts";
import type { ExplainShellOptions } from "../../policy/explain-shell.ts";
import type { ExplainToolOptions } from "../../policy/explain-tool.ts";

export interface ExplainOptions extends ExplainShellOptions, ExplainToolOptions {
  readonly shell?: string;
  readonly tool?: string;
}

/** `deputy policy explain`: what the gate would say, and why. Nothing runs. */
export async function explain(invocation: Invocation, options: ExplainOptions): Promise<ExitCode> {
  if (options.shell !== undefined) {
    const { explainShell } = await import("../../policy/explain-shell.ts");
    return await explainShell(invocation, options.shell, options);
  }
  if (options.tool !== undefined) {
    const { explainTool } = await import("../../policy/explain-tool.ts");
    return await explainTool(invocation, options.tool, options);
  }
  throw new AppError("usage", "There is nothing to explain", {
    hint: "Give a command line with --shell 'COMMAND' (--shell - for many), or a call with --tool PATH --input JSON.",
  });
}
