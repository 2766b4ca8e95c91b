import { join } from "node:path";
import type { Browsers } from "@deputy/browser";
import {
  builtinSource,
  type CommandJudge,
  type FurtherFolders,
  type OwnServices,
  type ProcessRegistry,
  type SandboxAudit,
  type SearchProvider,
  type WebDeps,
} from "@deputy/builtins";
import type { ToolSource } from "@deputy/tools";
import { createCommandRunner, createKeptOutput } from "@deputy/builtins/node";
import type { LocalWorkspace } from "@deputy/workspace/node";
import { findTreeFolder } from "@deputy/workspace/node/find-tree-folder";
import { AppError } from "../app-error.ts";
import type { Home } from "../home.ts";
import { openSlashCommands } from "../own-services/open-slash-commands.ts";
import { openWorkspace, locateDirectory, workspaceDirectoryOf } from "./workspace-directory.ts";
import type { NetAudit } from "@deputy/net";
import { resolveSecret } from "../config/secret-reference.ts";

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
  const workspace = (): Promise<LocalWorkspace> => (opened ??= engine.openWorkspace(home));
  const locate = (path: string): string => locateDirectory(home.directory, path);
  const { hosts } = tools.shell;
  return builtinSource({
    workspace,
    further: await openFurther(home.directory, {
      readable: security.additionalReadDirs.map(locate),
      writable: security.additionalWriteDirs.map(locate),
    }),
    browsers,
    own: { services: engine.ownServices, slashCommands: openSlashCommands(home.directory) },
    time: {
      now: engine.now,
      zone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
      language: home.config.user.language,
    },
    web: openWeb(home, net === undefined ? undefined : { ...net, env }),
    shell: {
      open: once(async () => {
        const [{ openContainedShell }, { openHomePrograms }, { openWorkspaceRepository }, { outerShell }] =
          await Promise.all([
            import("@deputy/contained-shell/node"),
            import("../bundles/home-bundles.ts"),
            import("./workspace-repository.ts"),
            import("./command-place.ts"),
          ]);
        const fetch =
          hosts.length === 0 || net === undefined ? undefined : await openScriptFetch(hosts, net.audit);
        return openContainedShell({
          folder: async (signal) => await (await workspace()).treeFolder(signal),
          bundles: await openHomePrograms(home, engine.warn),
          repository: await openWorkspaceRepository(home),
          outer: outerShell(home, engine.auditSandbox),
          ...(fetch !== undefined && { fetch }),
        });
      }),
      network: hosts.length === 0 ? "closed" : "hosts",
      keep: () => createKeptOutput(tools.maxOutputBytes),
      timeoutMs: tools.timeout,
      nowMs: () => performance.now(),
    },
    bash: {
      judge: tools.bash.approval === "allowlist" ? await openJudge(home) : askAlways,
      allowContained: tools.bash.autoAllowIfSandboxed,
      timeoutMs: tools.timeout,
      state: async (command, cwd) => {
        const folder = findTreeFolder(workspaceDirectoryOf(home));
        if (folder === undefined) return "";
        const { workspaceState } = await import("@deputy/builtins/node/workspace-state");
        return workspaceState(command, { folder, cwd });
      },
      scripts: async (command, cwd) => {
        const folder = findTreeFolder(workspaceDirectoryOf(home));
        if (folder === undefined) return { contents: [], notes: [] };
        // Loaded when a command is asked about: the parser is large.
        const { scriptContents } = await import("@deputy/builtins/node/script-contents");
        return scriptContents(command, { folder, cwd });
      },
      processes: engine.processes,
      runner: createCommandRunner({
        choosePlace: async () => (await import("./command-place.ts")).openCommandPlace(home),
        folder: async (signal) => await (await workspace()).treeFolder(signal),
        env,
        maxOutputBytes: tools.maxOutputBytes,
        outputBytes: tools.bash.limits.outputMb * 1024 ** 2,
        audit: engine.auditSandbox,
      }),
    },
  });
}

/** The way of scripts, to the hosts of the settings. */
async function openScriptFetch(hosts: readonly string[], audit: NetAudit) {
  const { fetchForScripts } = await import("../bundles/ways-out.ts");
  return fetchForScripts(hosts, audit);
}

/** Loaded only where the settings name folders. */
async function openFurther(
  home: string,
  {
    readable: read,
    writable: write,
  }: { readonly readable: readonly string[]; readonly writable: readonly string[] },
): Promise<FurtherFolders | undefined> {
  if (read.length + write.length === 0) return undefined;
  const { openFurtherFolders } = await import("./open-further-folders.ts");
  return openFurtherFolders(home, { read, write });
}

/** The parts of a running engine that its own tools use. */
export interface EngineParts {
  readonly processes: () => Promise<ProcessRegistry>;
  readonly ownServices: () => OwnServices;
  /** Records what is done to it as a whole. */
  readonly openWorkspace: (home: Pick<Home, "directory" | "config">) => Promise<LocalWorkspace>;
  /** The time by which tasks are due. */
  readonly now: () => number;
  readonly warn: (text: string) => void;
  /** Records what ran outside, and what it was kept from. */
  readonly auditSandbox: SandboxAudit;
}

const NO_ENGINE: EngineParts = {
  processes: () => Promise.reject(new AppError("not_available", "Nothing is run here")),
  ownServices() {
    throw new AppError("not_available", "Nothing is run here");
  },
  openWorkspace,
  now: Date.now,
  warn: () => undefined,
  auditSandbox: () => undefined,
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

/** Everything that tools need to use the network. */
interface NetDeps {
  readonly env: NodeJS.ProcessEnv;
  readonly audit: NetAudit;
  /** Called with secrets that are looked up. */
  readonly learnSecret: (value: string) => void;
}

/**
 * The parts behind `tools.web`, loaded when one of the tools is called. Without `net` the tools can only be listed
 * and described.
 */
function openWeb(home: Pick<Home, "directory" | "config">, net: NetDeps | undefined): WebDeps {
  const { webFetch, webSearch } = home.config.tools;
  return {
    fetch: once(async () => await openFetch(net, webFetch.origins)),
    search: webSearch.provider === undefined ? undefined : once(() => openSearch(home, net)),
  };
}

async function openFetch(net: NetDeps | undefined, allowPrivate: readonly string[]) {
  if (net === undefined) throw new Error("Tools that use the network need somebody to record their requests");
  const { createGuardedFetch } = await import("@deputy/net/node");
  return createGuardedFetch({ audit: net.audit, allowPrivate });
}

async function openSearch(
  { directory, config }: Pick<Home, "directory" | "config">,
  net: NetDeps | undefined,
): Promise<SearchProvider> {
  const { provider, apiKey = "", baseUrl } = config.tools.webSearch;
  // The user named it, so it may be the user's own server.
  const fetch = await openFetch(net, baseUrl === undefined ? [] : [baseUrl]);
  const { createBraveSearch, createDuckDuckGoSearch, createSearxngSearch } =
    await import("@deputy/builtins/search-providers");
  const key = (): string => {
    const secret = resolveSecret(apiKey, net?.env ?? {}, directory);
    net?.learnSecret(secret);
    return secret;
  };
  if (provider === "duckduckgo") return createDuckDuckGoSearch({ fetch, baseUrl });
  return provider === "searxng"
    ? createSearxngSearch({ fetch, baseUrl: baseUrl ?? "", apiKey: apiKey === "" ? undefined : key })
    : createBraveSearch({ fetch, baseUrl, apiKey: key });
}

/** A failed attempt is repeated. */
function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return async () => {
    try {
      return await (opened ??= open());
    } catch (error) {
      opened = undefined;
      throw error;
    }
  };
}

/** The user's sources and Deputy's own tools; a source with a namespace of the same name replaces Deputy's. */
export function withBuiltins(builtins: ToolSource, sources: readonly ToolSource[]): readonly ToolSource[] {
  const tree = Object.fromEntries(
    Object.entries(builtins.tree).filter(
      ([name]) => !sources.some((other) => Object.hasOwn(other.tree, name)),
    ),
  );
  return [{ ...builtins, tree }, ...sources];
}
