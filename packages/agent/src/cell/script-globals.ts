import type { Catalogue } from "@deputy/tools";

/**
 * A function that programs in the text of an answer can use in addition to `tools`. It is another name for a gated
 * tool.
 */
export interface ScriptGlobal {
  readonly name: string;
  readonly toolPath: string;
  /** The properties of the tool's input, in the order of the function's parameters. */
  readonly params: readonly string[];
  /** The declaration that the prompt shows. */
  readonly signature: string;
  /** How it is declared. The cast leaves it to the gate whether the input fits: a plugin may have taken the path. */
  readonly declaration: string;
}

export const SCRIPT_GLOBALS: readonly ScriptGlobal[] = [
  {
    name: "shell",
    toolPath: "shell.run",
    params: ["script"],
    signature: "shell(script): Promise<{ stdout, stderr, exitCode }>",
    declaration:
      "async function shell(script: string): Promise<{ stdout: string; stderr: string; exitCode: number }> " +
      "{ return await (tools as any).shell.run({ script }); }",
  },
  {
    name: "readFile",
    toolPath: "files.read",
    params: ["path"],
    signature: "readFile(path): Promise<string>",
    declaration:
      "async function readFile(path: string): Promise<string> " +
      "{ return (await (tools as any).files.read({ path })).content; }",
  },
  {
    name: "writeFile",
    toolPath: "files.write",
    params: ["path", "content"],
    signature: "writeFile(path, content): Promise<void>",
    declaration:
      "async function writeFile(path: string, content: string): Promise<void> " +
      "{ await (tools as any).files.write({ path, content }); }",
  },
  {
    name: "applyPatch",
    toolPath: "files.applyPatch",
    params: ["patch"],
    signature: "applyPatch(patch): Promise<void>",
    declaration:
      "async function applyPatch(patch: string): Promise<void> " +
      "{ await (tools as any).files.applyPatch({ patch }); }",
  },
];

/** What `shell` was before the contained shell. */
const FORMER_SHELL: ScriptGlobal = {
  name: "shell",
  toolPath: "bash.run",
  params: ["command"],
  signature: "shell(command): Promise<{ stdout, stderr, exitCode }>",
  declaration:
    "async function shell(command: string): Promise<{ stdout: string; stderr: string; exitCode: number }> " +
    "{ return await (tools as any).bash.run({ command }); }",
};
const FORMER_GLOBALS = SCRIPT_GLOBALS.map((one) => (one.name === FORMER_SHELL.name ? FORMER_SHELL : one));

/** Those whose tool is there. `called`: what the script has called before, maybe under an earlier version. */
export function scriptGlobalsOf(
  catalogue: Pick<Catalogue, "get">,
  called: readonly string[] = [],
): readonly ScriptGlobal[] {
  return scriptGlobalsThen(called).filter(({ toolPath }) => catalogue.get(toolPath) !== undefined);
}

/** Those that a script had which called these tools. Whether it called `bash.run` by its path makes no difference. */
export function scriptGlobalsThen(called: readonly string[]): readonly ScriptGlobal[] {
  return called.includes("bash.run") && !called.includes("shell.run") ? FORMER_GLOBALS : SCRIPT_GLOBALS;
}

/**
 * Adds the globals to the program. They are declared after it and hoisted, so that no line or column of the program
 * moves. The semicolon keeps an unfinished last line from swallowing them.
 */
export function withScriptGlobals(code: string, globals: readonly ScriptGlobal[]): string {
  if (globals.length === 0) return code;
  return `${code}\n;${globals.map(({ declaration }) => declaration).join(" ")}`;
}

/** The call of the tool that a call of a global is; any other call as it is. */
export function asToolCall<T extends { readonly fn: string; readonly args: readonly unknown[] }>(
  call: T,
  globals: readonly ScriptGlobal[],
): T {
  const global = globals.find(({ name }) => name === call.fn);
  if (global === undefined || global.params.length !== call.args.length) return call;
  const input = Object.fromEntries(global.params.map((param, at) => [param, call.args[at]]));
  return { ...call, fn: global.toolPath, args: [input] };
}

/** The call as the script wrote it, if it has the form of one of the globals. */
export function asScriptCall(
  toolPath: string,
  input: unknown,
  globals: readonly ScriptGlobal[] = SCRIPT_GLOBALS,
): { readonly fn: string; readonly args: readonly unknown[] } | undefined {
  const global = globals.find((one) => one.toolPath === toolPath);
  if (global === undefined || typeof input !== "object" || input === null) return undefined;
  const given = new Map(Object.entries(input));
  if (given.size !== global.params.length || !global.params.every((param) => given.has(param)))
    return undefined;
  return { fn: global.name, args: global.params.map((param) => given.get(param)) };
}
