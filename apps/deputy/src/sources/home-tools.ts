import { createAgentCatalogue } from "@deputy/agent/turns";
import type { PluginPort, ToolSets } from "@deputy/engine";
import type { OwnHooks } from "@deputy/builtins";
import type { Embedder } from "@deputy/embedder";
import { openLater } from "@deputy/kit";
import type { NetAudit } from "@deputy/net";
import type { EventLog } from "@deputy/protocol";
import { createCatalogue, type ToolSource, ToolsError } from "@deputy/tools";
import { withBuiltins, openBuiltins } from "../builtins/open-builtins.ts";
import { createSandboxLog } from "../builtins/sandbox-log.ts";
import { openDemo } from "@deputy/demo-world";
import type { SourceDeps } from "../load-catalogue.ts";
import type { Home } from "../home.ts";
import { hasLeftProcesses } from "../own-services/left-processes.ts";
import { describeTaken, readHooks } from "../hooks/hooks-file.ts";
import { readCurrent } from "../config/read-current.ts";
import { openOwnServices } from "../own-services/open-own-services.ts";
import type { TurnsDeps } from "../open-turns.ts";
import { openRecordedWorkspace } from "../builtins/workspace-directory.ts";
import { openLiveSources } from "./live-sources.ts";
import { openMeaning } from "./open-meaning.ts";
import { openSeenTypes } from "./seen-types-file.ts";
import type { OpenPlugin } from "@deputy/tools/node";

/** The tools of a home: the user's, Deputy's own, and the demo's for the rehearsal. */
export interface HomeTools extends AsyncDisposable {
  /** The same object while settings and plugins are unchanged. An invalid change is reported and ignored. */
  current(): Promise<ToolSets>;
  readonly plugins: PluginPort;
}

/** Rejects as `loadSources` does. */
export async function openHomeTools(deps: TurnsDeps & { readonly audit: NetAudit }): Promise<HomeTools> {
  const { home, env, agents, services, redactor, clock, signal, warn, audit } = deps;
  const { directory } = home;
  const { log } = services;
  await using opened = new AsyncDisposableStack();
  const ofSources = opened.use(new AsyncDisposableStack());
  const net = { audit, learnSecret: redactor.learn };
  const own = (resource: AsyncDisposable): void => void ofSources.use(resource);
  const source: SourceDeps = { home: directory, env, warn, ...net, own, signal };
  const given = deps.embedded?.tools;
  const embedded = given === undefined ? [] : [{ source: "the embedding program", tree: given }];
  const live = await openLiveSources({
    home,
    plugins: deps.plugins,
    embedded,
    source,
    broken: deps.brokenSources,
  });
  const seen = openSeenTypes(directory);
  const { embeddingModel } = home.config.tools.search;
  const embedder = async (): Promise<Embedder | undefined> => (await deps.embedders()).named(embeddingModel);
  const meaning =
    embeddingModel === "none"
      ? undefined
      : opened.use(openMeaning({ home: directory, embedder, clock, patienceMs: 0, warn }));
  const demoDeps = { home: directory, clock, time: deps.demoTime, warn, ...net };
  const demo = opened.use(await openDemo(deps.defaultModel, await live.current(), demoDeps));
  const browsers = opened.use(
    openLater(async () => {
      const { openBrowsers } = await import("../builtins/open-browsers.ts");
      return await openBrowsers(home, env, audit);
    }),
  );
  const processes = opened.use(
    openLater(async () => {
      const { openProcesses } = await import("../own-services/open-processes.ts");
      return await openProcesses({ home: directory, log, redactor, clock, warn, signal });
    }),
  );
  if (hasLeftProcesses(directory)) await processes.get();
  const ownServices = openOwnServices({
    ...services,
    memory: deps.memory,
    reporters: deps.reporters,
    hooks: hooksOf(home, log),
  });
  const auditSandbox = opened.use(createSandboxLog({ log, redactor, warn }));
  const parts = {
    auditSandbox,
    processes: processes.get,
    ownServices: () => ownServices,
    openWorkspace: () => openRecordedWorkspace(home, log, "agent"),
    now: () => deps.demoTime.now(),
    warn,
  };
  const builtins = await openBuiltins(home, env, net, browsers.get, parts);

  const setsOf = (sources: readonly ToolSource[]): ToolSets => {
    const userTools = createCatalogue(withBuiltins(builtins, sources), [], seen, meaning);
    const taken = new Set(sources.flatMap(({ tree }) => Object.keys(tree)));
    const shown = demo.sources.filter(({ tree }) => !Object.keys(tree).some((name) => taken.has(name)));
    const all = createCatalogue(shown, userTools.list(), seen, meaning);
    // The demo is for the rehearsal: the user's own programs see only the user's own tools.
    const shelves = agents.shelvesOf(agents.settings.defaultAgent);
    return { all, programs: createAgentCatalogue(userTools, ["**"], shelves) };
  };
  let sources = await live.current();
  let sets = setsOf(sources);
  let refused: readonly ToolSource[] | undefined;

  const owned = opened.move();
  return {
    async current() {
      const now = await live.current();
      if (now === sources || now === refused) return sets;
      try {
        sets = setsOf(now);
        sources = now;
      } catch (error) {
        if (!(error instanceof ToolsError)) throw error;
        refused = now;
        warn(`${error.message}; the tools stay as they were`);
      }
      return sets;
    },
    plugins: createProgramPlugins({
      env,
      sources: () => sources,
      builtins,
      loaded: deps.plugins,
      own,
      signal,
    }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/**
 * A program's own plugins, as they are at that moment: their processes are started for the program and end
 * with it. A plugin replaces the engine's copy of the same file.
 */
export function createProgramPlugins(deps: {
  readonly env: NodeJS.ProcessEnv;
  /** The engine's own tools, as they are now. */
  readonly sources: () => readonly ToolSource[];
  readonly builtins: ToolSource;
  /** Files that every task here can use. */
  readonly loaded: readonly string[];
  /** Takes resources that must be closed in the end, whatever the task's outcome. */
  readonly own: (resource: AsyncDisposable) => void;
  readonly signal: AbortSignal;
}): PluginPort {
  return {
    async open(files) {
      const { openPlugin } = await import("@deputy/tools/node");
      const { pluginDeps } = await import("../load-catalogue.ts");
      const opened: (ToolSource & { readonly plugin: OpenPlugin })[] = [];
      for (const file of files) {
        const plugin = await openPlugin(file, { ...pluginDeps(deps.env), signal: deps.signal });
        deps.own(plugin);
        opened.push({ source: file, tree: plugin.tree, plugin });
      }
      const others = deps.sources().filter(({ source }) => !files.has(source));
      return {
        catalogue: createCatalogue(withBuiltins(deps.builtins, [...others, ...opened])),
        rest: async () => void (await Promise.all(opened.map(({ plugin }) => plugin.rest()))),
      };
    },
    assertLoaded(files) {
      const missing = files.find((file) => !deps.loaded.includes(file));
      if (missing === undefined) return;
      throw new ToolsError(
        "plugin_not_found",
        `It was started with the plugin ${missing}, which is not loaded`,
        { hint: `Start with --tools ${missing}, or name it in toolSources of config.json.` },
      );
    },
  };
}

/** What it needs is loaded when an agent looks at them, or sets one up. */
function hooksOf(home: Home, log: Pick<EventLog, "readAll">): OwnHooks {
  const open = async () => (await import("../hooks/own-hooks.ts")).openOwnHooks(home, log);
  return {
    list: async () => await (await open()).list(),
    create: async (wish) => await (await open()).create(wish),
    whyNot({ name }) {
      const taken = { hooks: readHooks(home.directory), events: readCurrent(home).config.events };
      return describeTaken(name, taken)?.message;
    },
  };
}
