import { createAgentCatalogue } from "@deputy/agent/turns";
import type { PluginPort, ToolSets } from "@deputy/engine";
import { openLater } from "@deputy/kit";
import type { NetAudit } from "@deputy/net";
import { createCatalogue, type ToolSource, ToolsError } from "@deputy/tools";
import { withBuiltins } from "../builtins/builtin-sources.ts";
import { openBrowsers } from "../builtins/open-browsers.ts";
import { openBuiltins } from "../builtins/open-builtins.ts";
import { openDemo } from "@deputy/demo-world";
import type { SourceDeps } from "../load-catalogue.ts";
import { hasLeftProcesses } from "../own-services/left-processes.ts";
import { openOwnServices } from "../own-services/open-own-services.ts";
import { openProcesses } from "../own-services/open-processes.ts";
import type { TurnsDeps } from "../open-turns.ts";
import { openLiveSources } from "./live-sources.ts";
import { openMeaning } from "./open-meaning.ts";
import { createProgramPlugins } from "./program-plugins.ts";
import { openSeenTypes } from "./seen-types-file.ts";

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
  const live = await openLiveSources({ home, plugins: deps.plugins, embedded, source });
  const seen = openSeenTypes(directory);
  const meaning = openMeaning(home, env, { clock, warn, learn: redactor.learn });
  const demoDeps = { home: directory, clock, time: deps.demoTime, warn, ...net };
  const demo = opened.use(await openDemo(deps.defaultModel, await live.current(), demoDeps));
  const browsers = opened.use(openLater(() => openBrowsers(home, env, audit)));
  const processes = opened.use(
    openLater(() => openProcesses({ home: directory, log, redactor, clock, warn, signal })),
  );
  if (hasLeftProcesses(directory)) await processes.get();
  const ownServices = openOwnServices(services);
  const parts = { processes: processes.get, ownServices: () => ownServices };
  const builtins = await openBuiltins(home, env, net, browsers.get, parts);

  const setsOf = (sources: readonly ToolSource[]): ToolSets => {
    const userTools = createCatalogue(withBuiltins(builtins, sources), [], seen, meaning);
    const taken = new Set(sources.flatMap(({ tree }) => Object.keys(tree)));
    const shown = demo.sources.filter(({ tree }) => !Object.keys(tree).some((name) => taken.has(name)));
    const all = createCatalogue(shown, userTools.list(), seen, meaning);
    // The demo is for the rehearsal: programs of the user's own see the user's own tools.
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
