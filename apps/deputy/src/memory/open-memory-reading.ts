import { type Clock, createSystemClock } from "@deputy/kit";
import { openDaemonLink } from "@deputy/client/daemon-link";
import {
  memoryDocumentSchema,
  memoryDocumentsSchema,
  memoryFoundSchema,
  memoryStatusSchema,
} from "@deputy/protocol/wire";
import { openAgents } from "../agents/open-agents.ts";
import { AppError } from "../app-error.ts";
import { attach, locateDaemon } from "../chat/attach.ts";
import { openLogIfAny } from "../decisions/read-log.ts";
import { openHomeEmbedders } from "../embedders/home-embedders.ts";
import { type Home, openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { createMemoryReading, type MemoryReading } from "./describe-memory.ts";
import { openMemory } from "./open-memory.ts";

/**
 * What commands read of the memory: the running daemon's when there is one, so that one process keeps the index, else
 * the home's own. Throws `not_available` if it is switched off.
 */
export async function openMemoryReading(invocation: Invocation): Promise<MemoryReading & AsyncDisposable> {
  const home = openHome(invocation.homeDirectory, invocation.warn);
  if (!home.config.memory.enabled)
    throw new AppError("not_available", "Memory is switched off", {
      hint: "`deputy config set memory.enabled true` switches it on.",
    });
  return (await openOfDaemon(home, invocation)) ?? (await openOwn(home, invocation));
}

/** How often it looks how far the daemon is. */
const PROGRESS_MS = 500;

async function openOfDaemon(
  home: Home,
  { env }: Pick<Invocation, "env">,
): Promise<(MemoryReading & AsyncDisposable) | undefined> {
  const daemon = await attach(home, env);
  if (daemon === undefined) return undefined;
  const { ask } = daemon.client;
  const clock = createSystemClock();
  const status: MemoryReading["status"] = (signal) =>
    ask("/api/memory/status", memoryStatusSchema, undefined, signal);
  return {
    search: (request, signal) =>
      ask(`/api/memory/search?${queryOf(request)}`, memoryFoundSchema, undefined, signal),
    status,
    list: (request, signal) =>
      ask(`/api/memory/documents?${queryOf(request)}`, memoryDocumentsSchema, undefined, signal),
    show: (request, signal) =>
      ask(`/api/memory/document?${queryOf(request)}`, memoryDocumentSchema, undefined, signal),
    async index(signal, onProgress) {
      // It may take many minutes, which no HTTP client waits for an answer.
      const find = () => locateDaemon(home, env);
      using link = await openDaemonLink({ find, clock, tell: () => undefined }, signal);
      const done = new AbortController();
      const indexed = link.call("memory.index", {}, "safe_to_repeat", signal).finally(() => done.abort());
      const told =
        onProgress === undefined ? undefined : tellProgress({ status, clock, onProgress }, done.signal);
      try {
        return await indexed;
      } finally {
        await told;
      }
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

function queryOf(request: object): string {
  const given = Object.entries(request).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}

/** Until the signal aborts. Never rejects: that it is not known how far it is stops nothing. */
async function tellProgress(
  deps: {
    readonly status: MemoryReading["status"];
    readonly clock: Clock;
    readonly onProgress: NonNullable<Parameters<MemoryReading["index"]>[1]>;
  },
  signal: AbortSignal,
): Promise<void> {
  try {
    for (;;) {
      const { reading, embedded, pieces } = await deps.status(signal);
      if (reading === undefined) deps.onProgress({ step: "embedding", done: embedded, total: pieces });
      else deps.onProgress({ step: "reading", ...reading });
      await deps.clock.sleep(PROGRESS_MS, signal);
    }
  } catch {
    // The answer to the request itself says what is wrong.
  }
}

async function openOwn(home: Home, invocation: Invocation): Promise<MemoryReading & AsyncDisposable> {
  const { env, warn, onBug } = invocation;
  const agents = openAgents(home, process.cwd());
  const clock = createSystemClock();
  await using opened = new AsyncDisposableStack();
  const log = openLogIfAny(home.directory);
  if (log !== undefined) opened.use(log);
  const embedders = opened.use(openHomeEmbedders({ home, env, clock, learn: () => undefined }));
  const memory = opened.use(
    await openMemory({
      home,
      agentsDirectory: agents.directory,
      embedders,
      log,
      clock,
      follow: "nothing",
      warn,
      onBug,
    }),
  );
  const all = opened.move();
  return {
    ...createMemoryReading({
      index: async () => memory,
      defaultAgent: agents.settings.defaultAgent,
      maxResults: home.config.memory.search.maxResults,
    }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
