import { join } from "node:path";
import type { Browsers } from "@deputy/browser";
import { builtinSource, type CommandJudge, type OwnServices, type ProcessRegistry } from "@deputy/builtins";
import type { ToolSource } from "@deputy/tools";
import { chooseSandbox, createCommandRunner, createSandboxRecord, namedFiles } from "@deputy/builtins/node";
import type { LocalWorkspace } from "@deputy/workspace/node";
import { findTreeFolder } from "@deputy/workspace/node/find-tree-folder";
import { AppError } from "../app-error.ts";
import type { Home } from "../home.ts";
import { openSlashCommands } from "../own-services/open-slash-commands.ts";
import { type NetDeps, openWeb } from "./open-web.ts";
import { openWorkspace } from "./open-workspace.ts";
import { locateDirectory, workspaceDirectoryOf } from "./workspace-directory.ts";

const SANDBOX_RECORD = "sandbox";

/**
 * Deputy's own tools over a home. Opens nothing yet: what they need is loaded when one is called. Those that use the
 * network run only where there is a `net`, and those of the browser only where there are `browsers`.
 */
export async function openBuiltins(
  home: Pick<Home, "directory" | "config">,
  env: NodeJS.ProcessEnv,
  net?: Omit<NetDeps, "env">,
  browsers: () => Promise<Browsers> = noBrowsers,
  engine: EngineParts = NO_ENGINE,
): Promise<ToolSource> {
  const { tools, security } = home.config;
  let opened: Promise<LocalWorkspace> | undefined;
  const workspace = (): Promise<LocalWorkspace> => (opened ??= openWorkspace(home));
  const locate = (path: string): string => locateDirectory(home.directory, path);
  const bubblewrap = {
    program: "bwrap",
    network: tools.bash.network ? "host" : "none",
    readable: security.additionalReadDirs.map(locate),
    writable: security.additionalWriteDirs.map(locate),
    hidden: [home.directory],
  } as const;
  const record = createSandboxRecord(join(home.directory, SANDBOX_RECORD));
  return builtinSource({
    workspace,
    browsers,
    own: { services: engine.ownServices, slashCommands: openSlashCommands(home.directory) },
    web: openWeb(home, net === undefined ? undefined : { ...net, env }),
    bash: {
      judge: tools.bash.approval === "allowlist" ? await openJudge(home) : askAlways,
      timeoutMs: tools.timeout,
      named: (command, cwd) => {
        const tree = findTreeFolder(workspaceDirectoryOf(home));
        return tree === undefined ? "" : namedFiles(command, join(tree, cwd));
      },
      processes: engine.processes,
      runner: createCommandRunner({
        chooseSandbox: () => chooseSandbox(tools.bash.sandbox, bubblewrap, record),
        folder: async (signal) => await (await workspace()).treeFolder(signal),
        env,
        maxOutputBytes: tools.maxOutputBytes,
      }),
    },
  });
}

/** The parts of a running engine that its own tools use. */
export interface EngineParts {
  readonly processes: () => Promise<ProcessRegistry>;
  readonly ownServices: () => OwnServices;
}

const NO_ENGINE: EngineParts = {
  processes: () => Promise.reject(new AppError("not_available", "Nothing is run here")),
  ownServices() {
    throw new AppError("not_available", "Nothing is run here");
  },
};

const noBrowsers = (): Promise<never> =>
  Promise.reject(new AppError("not_available", "There is no browser here: nothing is run"));

const askAlways: CommandJudge = () => ({ verdict: "ask", reasons: [] });

async function openJudge(home: Pick<Home, "directory" | "config">): Promise<CommandJudge> {
  const { openShellGate } = await import("../policy/open-shell-gate.ts");
  return (command, cwd) => {
    const tree = findTreeFolder(workspaceDirectoryOf(home));
    if (tree === undefined) return { verdict: "ask", reasons: ["the workspace is still empty"] };
    return openShellGate(home, { workspace: tree, startDirectory: join(tree, cwd) }).judge(command);
  };
}
