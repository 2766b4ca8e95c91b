import { createHash } from "node:crypto";
import { CodedError, createSystemClock } from "@deputy/kit";
import { requireTool } from "@deputy/testing";
import { createMemoryFileTree, createMemoryShadowStore, createWorkspace } from "@deputy/workspace";
import { createCatalogue } from "@deputy/tools";
import type { ExecDeps } from "./exec/exec-tools.ts";
import type { OwnServices } from "./own-tools/own-services.ts";
import { createProcessRegistry } from "./exec/process-registry.ts";
import { createKeptOutput } from "./node/kept-output.ts";
import type { ShellDeps } from "./shell/shell-tools.ts";
import { builtinSource } from "./builtin-source.ts";

const live = new AbortController().signal;

const noServices = (): never => {
  throw new Error("These tests have no services of Deputy");
};

/** What tests look at in results. */
interface Called {
  readonly content?: unknown;
  readonly matches?: unknown;
  readonly changeSet?: unknown;
  readonly changes?: unknown;
  readonly folder?: unknown;
  readonly files?: unknown;
}

/** The built-in tools over a workspace in memory, which is a copy of a folder with these files. */
export async function openBuiltins(
  files: Readonly<Record<string, string>>,
  bash: Partial<ExecDeps> = {},
  services: () => OwnServices = noServices,
  shell: Partial<ShellDeps> = {},
) {
  const real = createMemoryFileTree();
  for (const [path, text] of Object.entries(files))
    await real.write(path, new TextEncoder().encode(text), {}, live);
  const workspace = createWorkspace({
    store: createMemoryShadowStore(new Map([["/home/me/notes", real]])),
    hash: (bytes) => createHash("sha256").update(bytes).digest("hex"),
    now: Date.now,
  });
  await workspace.import({ root: "/home/me/notes", uncommitted: "keep" }, live);
  const ran: string[] = [];
  const progress: string[] = [];
  const processes = createProcessRegistry({
    clock: createSystemClock(),
    newId: () => `p${ran.length + 1}`,
    record: { begin: () => undefined, end: () => undefined },
    onEnd: () => undefined,
    signal: live,
  });
  const source = builtinSource({
    own: { services, slashCommands: { list: async () => [], expand: async () => undefined } },
    workspace: async () => workspace,
    time: { now: Date.now, zone: () => "Europe/Vienna" },
    browsers: () => Promise.reject(new Error("These tests have no browser")),
    web: { fetch: () => Promise.reject(new Error("These tests have no network")) },
    shell: {
      open: () => Promise.reject(new Error("These tests have no shell")),
      network: "closed",
      keep: () => createKeptOutput(10_000),
      timeoutMs: 120_000,
      nowMs: () => performance.now(),
      ...shell,
    },
    bash: {
      judge: () => ({ verdict: "ask", reasons: [] }),
      timeoutMs: 120_000,
      state: async () => "",
      processes: async () => processes,
      runner: {
        reach: async () => "It can reach the moon.",
        isContained: async () => false,
        run: async ({ command, onLine }) => {
          ran.push(command);
          onLine(`ran ${command}`);
          const cut = { stdout: 0, stderr: 0 };
          return {
            stdout: "out",
            stderr: "",
            exitCode: 0,
            timedOut: false,
            cut,
            durationMs: 1,
            sandbox: "none",
          };
        },
      },
      ...bash,
    },
  });
  const catalogue = createCatalogue([source]);
  const toolAt = (path: string) => requireTool(catalogue, path);
  const context = {
    idempotencyKey: "key",
    sessionKey: "session",
    progress: (message: string) => void progress.push(message),
    log: () => undefined,
  };
  /** As the gate calls it, with a user who says yes whenever one is asked. */
  const call = async (path: string, input: unknown, signal = live, turn?: string): Promise<Called> => {
    const tool = toolAt(path);
    const parsed = await tool.parseInput(input);
    if (parsed.kind === "invalid") throw new Error(parsed.message);
    const { approval } = (await tool.termsOf?.(parsed.input)) ?? tool;
    const approvedBy = approval === "auto" ? "terms" : "user";
    try {
      return (await tool.run(parsed.input, {
        ...context,
        signal,
        approvedBy,
        ...(turn !== undefined && { turn }),
      })) as Called;
    } catch (error) {
      if (error instanceof CodedError && tool.throws?.includes(error.code) !== true)
        throw new Error(`${path} does not declare that it throws ${error.code}`, { cause: error });
      throw error;
    }
  };
  const textOf = (path: string): Promise<string> => workspace.readText(path, live);
  const realText = async (path: string): Promise<string> =>
    new TextDecoder().decode(await real.read(path, 1e6, live));
  return { catalogue, toolAt, call, workspace, textOf, realText, real, ran, progress };
}
