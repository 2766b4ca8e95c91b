import type { CompletionSpec } from "../builtins/completion.ts";
import type { ResourceLimit } from "../builtins/ulimit.ts";
import { joinPath } from "../files/paths.ts";
import type { Channel } from "../io/channel.ts";
import { Descriptors } from "../io/descriptors.ts";
import type { FunctionDefinition, List, Node, Script } from "../parse/script.ts";
import type { Word } from "../parse/word.ts";
import { encodeText } from "../text/bytes.ts";
import { rebindVariables } from "../variables/initial-variables.ts";
import { Variables } from "../variables/variables.ts";
import type { Flow } from "./flow.ts";
import type { Job } from "./jobs.ts";
import { DEFAULT_SHOPTS } from "./shell-options.ts";
import type { Process } from "./process.ts";
import type { Runtime } from "./runtime.ts";
import type { Task } from "./task.ts";
import type { Declared } from "./trace.ts";

export interface Call {
  readonly name: string;
  /** The file that the function was defined in. */
  readonly source: string;
  /** The line that it was called from. */
  readonly line: number;
  readonly kind: "function" | "source";
}

export interface HashedCommand {
  readonly path: string;
  readonly hits: number;
}

export interface ShellFunction extends FunctionDefinition {
  readonly file: string;
  readonly exported: boolean;
  readonly trace: boolean;
}

/** What expansions and builtins need of whoever runs commands. */
export interface Engine {
  runList(shell: Shell, list: List): Task<number>;
  runNode(shell: Shell, node: Node): Task<number>;
  runScript(shell: Shell, script: Script): Task<number>;
  /** Runs a text as a new bash would, which knows the environment alone. */
  runFresh(shell: Shell, run: FreshRun): Task<number>;
  /** Runs the text as part of this shell, as `eval` and traps do. */
  runText(shell: Shell, text: string, firstLine?: number): Task<number>;
  /** Runs a command whose words are already expanded. */
  runWords(shell: Shell, words: readonly string[], options?: RunWordsOptions): Task<number>;
  /** Calls a function. */
  callFunction(shell: Shell, name: string, args: readonly string[]): Task<number>;
  /** What a substitution writes to its stdout. */
  substitute(shell: Shell, script: Script, mode: "subshell" | "inline" | "reply"): Task<Uint8Array>;
  /** Starts a subshell beside this one. */
  startBeside(shell: Shell, run: (inner: Shell) => Task<number>): Started;
  /** Runs a text as bash reads a script: a line that was discarded does not end it. */
  runLines(shell: Shell, text: string): Task<number>;
  /** The status of a shell that ends with this task; its EXIT trap has run. */
  runToEnd(shell: Shell, task: Task<number>): Task<number>;
  /** Runs in a copy of this shell, which waits for it. */
  runSubshell(shell: Shell, run: (inner: Shell) => Task<number>): Task<number>;
  /** The commands that need no program. */
  builtinNames(): readonly string[];
  expandText(shell: Shell, word: Word): Task<string>;
  /** Runs the DEBUG trap before a command of this line, unless a trap runs already. */
  runDebugTrap(shell: Shell, line: number): Task<void>;
  /** Runs the trap of this name, if there is one. */
  runTrap(shell: Shell, name: string): Task<void>;
}

export interface FreshRun {
  readonly text: string;
  readonly name: string;
  readonly args: readonly string[];
  readonly options?: readonly string[];
  readonly shopts?: readonly string[];
  readonly flags?: string;
  /** What an interactive shell runs first. */
  readonly rcFile?: string;
}

export interface Started {
  readonly pid: number;
  /** Never rejects, unless a limit was reached. */
  readonly done: Promise<number>;
}

export interface RunWordsOptions {
  readonly functions?: "call" | "skip";
  readonly kinds?: "all" | "builtins";
  readonly path?: "default";
  /** The assignments among the words. */
  readonly declared?: readonly Declared[];
  /** The name that the command is called by, if it is another than its own. */
  readonly as?: string;
}

/** The state of one shell: what a subshell gets a copy of. */
export class Shell {
  runtime: Runtime;
  readonly engine: Engine;
  readonly process: Process;
  variables = new Variables();
  functions = new Map<string, ShellFunction>();
  aliases = new Map<string, string>();
  options = new Set<string>(["braceexpand", "hashall", "interactive-comments"]);
  shopts = new Set<string>(DEFAULT_SHOPTS);
  readonly traps = new Map<string, string>();
  descriptors = new Descriptors();
  /** Where commands were found before, by name, for the `PATH` of then. */
  hashed = new Map<string, HashedCommand>();
  hashedPath: string | undefined;
  /** What `complete` was told, by command. */
  completions = new Map<string, CompletionSpec>();
  /** True while a function completes a word. */
  completing = false;
  /** What `ulimit` was told, by letter. */
  resourceLimits = new Map<string, ResourceLimit>();
  cwd = "/";
  umask = 0o022;
  /** `$0` */
  name = "bash";
  /** `$0` as messages show it. */
  positional: readonly string[] = [];
  /** How often `set` has replaced them. */
  positionalSets = 0;
  /** The flags that are fixed at the start: `c`, `i`, `s`. */
  startFlags = "s";
  status = 0;
  substitutionStatus: number | undefined;
  pipeStatus: readonly number[] = [];
  line = 1;
  lastArgument = "";
  lastBackground: number | undefined;
  flow: Flow | undefined;
  loopDepth = 0;
  calls: readonly Call[] = [];
  /** The file that commands come from now. */
  file = "main";
  subshellDepth = 0;
  /** Substitutions, `eval`s, traps and sourced files that run inside each other. */
  indirection = 0;
  depth = 0;
  /** Above 0, `set -e` and ERR traps do nothing: conditions, and what is left of `&&` and `||`. */
  forgiving = 0;
  jobs: Job[] = [];
  nextJob = 1;
  directories: readonly string[] = [];
  command = "";
  inTrap: string | undefined;
  /** The lines that `history` shows, how many of them were saved, and how many lines of the file were read. */
  history: readonly string[] = [];
  historySaved = 0;
  historyRead = 0;
  getoptsAt = 1;
  randomSeed: number | undefined;
  secondsFromMs: number;
  /** The traps of the parent, which a subshell may still show. */
  inheritedTraps: ReadonlyMap<string, string> = new Map();
  /** Substitutions that the command which runs now has opened. */
  substituted: {
    readonly descriptor: number;
    readonly direction: "<" | ">";
    readonly done: Promise<number>;
  }[] = [];
  /** Version of the alias table: parsed text is stale when it has changed. */
  aliasVersion = 0;

  constructor(deps: { readonly runtime: Runtime; readonly engine: Engine; readonly process: Process }) {
    this.runtime = deps.runtime;
    this.engine = deps.engine;
    this.process = deps.process;
    this.secondsFromMs = deps.runtime.startedMs;
    deps.process.traps = this.traps;
  }

  /** For a subshell. Its descriptors are held once more; whoever runs it closes them. */
  copy(process: Process): Shell {
    const copy = new Shell({ runtime: this.runtime, engine: this.engine, process });
    copy.variables = this.variables.copy();
    copy.functions = new Map(this.functions);
    copy.aliases = new Map(this.aliases);
    copy.options = new Set(this.options);
    copy.shopts = new Set(this.shopts);
    copy.inheritedTraps = new Map(this.traps);
    for (const [name, action] of this.traps) {
      const inherits =
        action === "" ||
        (name === "ERR" && this.options.has("errtrace")) ||
        ((name === "DEBUG" || name === "RETURN") && this.options.has("functrace"));
      if (inherits) copy.traps.set(name, action);
    }
    copy.descriptors = this.descriptors.copy();
    copy.hashed = new Map(this.hashed);
    copy.hashedPath = this.hashedPath;
    copy.completions = new Map(this.completions);
    copy.resourceLimits = new Map(this.resourceLimits);
    copy.cwd = this.cwd;
    copy.umask = this.umask;
    copy.name = this.name;
    copy.positional = this.positional;
    copy.startFlags = this.startFlags;
    copy.status = this.status;
    copy.pipeStatus = this.pipeStatus;
    copy.line = this.line;
    copy.lastArgument = this.lastArgument;
    copy.lastBackground = this.lastBackground;
    copy.calls = this.calls;
    copy.file = this.file;
    copy.subshellDepth = this.subshellDepth + 1;
    copy.depth = this.depth + 1;
    copy.indirection = this.indirection;
    copy.forgiving = this.forgiving;
    copy.directories = this.directories;
    copy.command = this.command;
    copy.history = this.history;
    copy.getoptsAt = this.getoptsAt;
    copy.secondsFromMs = this.secondsFromMs;
    copy.aliasVersion = this.aliasVersion;
    copy.jobs = this.jobs.map((job) => ({ ...job, inherited: true }));
    copy.nextJob = this.nextJob;
    rebindVariables(copy);
    return copy;
  }

  /** `bash: line 3: ` and the message, on stderr. */
  complain(message: string, line = this.line): void {
    this.writeError(`${this.prefix(line)}${message}\n`);
  }

  prefix(line = this.line): string {
    return `${this.calls.at(-1)?.kind === "source" ? this.file : this.name}: line ${String(line)}: `;
  }

  writeError(text: string): void {
    try {
      void this.descriptors.get(2)?.write(encodeText(text));
    } catch {
      // Nobody reads the messages any more.
    }
  }

  channel(descriptor: number): Channel | undefined {
    return this.descriptors.get(descriptor);
  }

  /** An absolute path for what a command was given. */
  path(text: string): string {
    return joinPath(this.cwd, text);
  }

  has(option: string): boolean {
    return this.options.has(option);
  }
}
