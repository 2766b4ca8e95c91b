import { type ContainedShell, exitCodeOf } from "@deputy/contained-shell";
import { defineTool, type ToolContext, type ToolTree, ToolsError } from "@deputy/tools";
import type { Workspace, WorkspaceLane } from "@deputy/workspace";
import { readPath } from "@deputy/workspace/path";
import { z } from "zod";

/** Keeps the beginning and the end of an output. */
export interface KeptText {
  add(chunk: Uint8Array): void;
  text(): string;
  readonly cutBytes: number;
}

export interface ShellDeps {
  /** Opened when it is first needed. */
  readonly open: () => Promise<ContainedShell>;
  /** Whether scripts may ask hosts that the user named. */
  readonly network: "closed" | "hosts";
  readonly keep: () => KeptText;
  readonly timeoutMs: number;
  readonly nowMs: () => number;
}

/** What the shell says where there is no Python. */
const NOT_FOUND = /^python3: (?:line \d+: )?python3: command not found\n$/;
/** More changed files than these are counted, not listed. */
const MOST_LISTED = 200;
const MOST_STDIN = 1_000_000;

const surroundings = (deps: ShellDeps) => ({
  cwd: z.string().max(4_096).default("").describe("A folder of the workspace"),
  env: z
    .record(z.string().regex(/^[A-Za-z_]\w*$/), z.string().max(100_000))
    .default({})
    .describe("Variables of the environment"),
  stdin: z.string().max(MOST_STDIN).default(""),
  limits: z
    .object({
      wallMs: z.int().min(100).max(deps.timeoutMs).optional(),
      cpuMs: z.int().min(100).max(deps.timeoutMs).optional(),
      outputBytes: z
        .int()
        .min(1)
        .max(64 * 1024 * 1024)
        .optional(),
    })
    .default({}),
});

const result = z.object({
  exitCode: z.int().describe("Not 0: it failed, which is a result and no error"),
  stdout: z.string(),
  stderr: z.string(),
  truncated: z.boolean().describe("Something was left out of the middle of an output"),
  meta: z.object({
    durationMs: z.int(),
    changed: z.array(z.object({ path: z.string(), kind: z.enum(["added", "modified", "deleted"]) })),
    changedFiles: z.int().describe("How many files it changed, listed or not"),
    leftOut: z
      .array(z.object({ path: z.string(), why: z.string() }))
      .describe("What it made and was not kept"),
    stopped: z.string().optional().describe("The limit that ended it; then it changed nothing"),
    hint: z.string().optional().describe("What to do about commands that were not found"),
  }),
});

type Surroundings = z.infer<z.ZodObject<ReturnType<typeof surroundings>>>;

/** `tools.shell`: scripts and commands over the workspace that can reach nothing else, and so ask nobody. */
export function shellTools(
  deps: ShellDeps,
  workspace: () => Promise<Workspace>,
  lane: WorkspaceLane,
): ToolTree {
  const run = async (
    what: { readonly script: string; readonly name?: string; readonly args?: readonly string[] },
    input: Surroundings,
    { signal, progress }: Pick<ToolContext, "signal" | "progress">,
  ): Promise<z.infer<typeof result>> => {
    const files = await workspace();
    const cwd = readPath(input.cwd);
    if ((await files.stat(cwd, signal)).kind !== "folder")
      throw new ToolsError("command_failed", `The workspace has no folder ${cwd}`);
    const shell = await deps.open();
    const kept = { 1: deps.keep(), 2: deps.keep() };
    const { createLineFeed } = await import("./line-feed.ts");
    const feed = createLineFeed(progress, deps.nowMs);
    const startedMs = deps.nowMs();
    const chunks = input.stdin === "" ? [] : [new TextEncoder().encode(input.stdin)];
    // While it runs, no other tool changes the files that it sees.
    const { ended, applied } = await lane(signal, async () => {
      const done = await shell.run(
        { ...what, cwd, env: input.env, limits: limitsOf(deps, input.limits) },
        {
          input: async () => chunks.shift() ?? new Uint8Array(0),
          output: (stream, bytes) => (kept[stream].add(bytes), feed(bytes)),
        },
        signal,
      );
      return { ended: done, applied: await files.apply(done.changes, signal) };
    });
    const [stdout, stderr] = [kept[1].text(), kept[2].text()];
    return {
      exitCode: exitCodeOf(ended),
      stdout,
      stderr,
      truncated: kept[1].cutBytes + kept[2].cutBytes > 0,
      meta: {
        durationMs: Math.round(deps.nowMs() - startedMs),
        changed: applied.files.slice(0, MOST_LISTED).map(({ path, kind }) => ({ path, kind })),
        changedFiles: applied.files.length,
        leftOut: [...ended.leftOut, ...applied.leftOut]
          .slice(0, MOST_LISTED)
          .map(({ path, why }) => ({ path, why })),
        ...(ended.end.kind === "limit" && {
          stopped: `${ended.end.message} It was ended, and nothing that it did to the files is kept.`,
        }),
        ...hintOn(stderr),
      },
    };
  };
  const terms = {
    approval: "auto",
    idempotent: false,
    throws: ["command_failed", "sandbox_unavailable"],
    returns: result,
  } as const;
  // Scripts change the copy alone, which the user reviews. Where they may ask others, what goes out is judged by where
  // its words come from.
  const effectOf = <Name extends string>(...carried: Name[]) =>
    deps.network === "closed"
      ? ({ effect: "write", critical: [] } as const)
      : ({ effect: "egress", critical: carried } as const);
  return {
    run: defineTool({
      ...terms,
      ...effectOf("script", "env", "stdin"),
      description:
        "Run a bash script over the workspace's files without asking: pipes, loops, grep, sed, find, sort, xargs and the like. It reaches nothing of the machine; curl asks only hosts that the user's settings name; node, compilers and package managers need bash.run",
      args: z.object({ script: z.string().min(1).max(1_000_000), ...surroundings(deps) }),
      run: async ({ script, ...input }, context) => await run({ script }, input, context),
    }),
    python: defineTool({
      ...terms,
      ...effectOf("code", "args", "env", "stdin"),
      description:
        "Run a Python 3 program over the workspace's files without asking: the standard library, modules of the workspace, and pure wheels in its folder `wheels`. No processes, no network, no pip install; the user installs Python with `deputy bundles add lang-python`",
      args: z.object({
        code: z.string().min(1).max(1_000_000),
        args: z.array(z.string().max(100_000)).max(10_000).default([]).describe("sys.argv[1:]"),
        ...surroundings(deps),
      }),
      async run({ code, args, ...input }, context) {
        const argv = ["python3", "-c", code, ...args];
        const done = await run({ script: '"$@"', name: "python3", args: argv }, input, context);
        if (done.exitCode === 127 && NOT_FOUND.test(done.stderr))
          throw new ToolsError("not_available", "Python is not installed here", {
            hint: "The user can install it: deputy bundles add lang-python",
          });
        return done;
      },
      throws: ["command_failed", "not_available", "sandbox_unavailable"],
    }),
    command: defineTool({
      ...terms,
      ...effectOf("argv", "env", "stdin"),
      description:
        "Run one command of the contained shell over the workspace's files, its words as they are: nothing is expanded",
      args: z.object({ argv: z.array(z.string().max(100_000)).min(1).max(10_000), ...surroundings(deps) }),
      run: async ({ argv, ...input }, context) =>
        await run({ script: '"$@"', name: argv[0] ?? "", args: argv }, input, context),
    }),
  };
}

/** A model that takes one shell for the other need not look for the tool it wants. */
function hintOn(stderr: string): { readonly hint?: string } {
  const missing = [...stderr.matchAll(/: ([^\s:]{1,100}): command not found$/gm)].map(([, name]) => name);
  if (missing.length === 0) return {};
  const names = [...new Set(missing)].slice(0, 5).join(", ");
  return { hint: `The contained shell has no ${names}. bash.run runs programs of the user's machine.` };
}

function limitsOf({ timeoutMs }: ShellDeps, { wallMs, cpuMs, outputBytes }: Surroundings["limits"]) {
  return {
    wallMs: wallMs ?? timeoutMs,
    cpuMs: cpuMs ?? timeoutMs,
    ...(outputBytes !== undefined && { outputBytes }),
  };
}
