import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { makeVisible } from "@deputy/kit";
import type { ShellGate, ShellVerdict } from "@deputy/shell-gate";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { openShellGate, workspaceOf } from "./open-shell-gate.ts";

export interface ExplainShellOptions {
  readonly workspace?: string;
  readonly cwd?: string;
  readonly allowRead?: readonly string[];
  readonly allowWrite?: readonly string[];
}

/** One answer, as it is printed. */
interface Explained extends ShellVerdict {
  readonly command: string;
}

/**
 * `deputy policy explain --shell COMMAND`, as if `tools.bash.approval` were `allowlist`. With `-`, it reads one JSON
 * string per line and writes one answer per line, in every mode. Nothing runs.
 */
export async function explainShell(
  invocation: Invocation,
  command: string,
  options: ExplainShellOptions,
): Promise<ExitCode> {
  const home = openHome(invocation.homeDirectory, invocation.warn);
  const workspace = options.workspace ?? workspaceOf(home);
  const isThere = existsSync(workspace);
  if (!isThere && options.workspace === undefined)
    invocation.warn(`There is no workspace at ${workspace} yet: judged as if it were the current directory.`);
  const gate = openShellGate(home, {
    workspace: isThere || options.workspace !== undefined ? resolve(workspace) : process.cwd(),
    startDirectory: options.cwd === undefined ? undefined : resolve(options.cwd),
    alsoRead: options.allowRead?.map((directory) => resolve(directory)),
    alsoWrite: options.allowWrite?.map((directory) => resolve(directory)),
  });
  if (command === "-") return await explainLines(invocation, gate);

  const { verdict, reasons } = gate.judge(command);
  invocation.output.object({ command, verdict, reasons });
  invocation.output.result([verdict, ...reasons.map((reason) => `  ${makeVisible(reason)}`)].join("\n"));
  return EXIT.done;
}

async function explainLines({ stdin, signal }: Invocation, gate: ShellGate): Promise<ExitCode> {
  for await (const line of linesOf(stdin, signal)) {
    if (line.trim() !== "") process.stdout.write(`${JSON.stringify(explainLine(gate, line))}\n`);
  }
  return EXIT.done;
}

function linesOf(stdin: Readable, signal: AbortSignal): AsyncIterable<string> {
  return createInterface({ input: stdin, signal, crlfDelay: Number.POSITIVE_INFINITY });
}

function explainLine(gate: ShellGate, line: string): Explained {
  const command = readString(line);
  if (command === undefined)
    return { command: line, verdict: "ask", reasons: ["the line is not a JSON string"] };
  return { command, ...gate.judge(command) };
}

function readString(line: string): string | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
