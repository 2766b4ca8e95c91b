import { ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { readFileSync } from "node:fs";
import type { FileSystem } from "typescript/unstable/fs";
import type * as TypeScript from "typescript/unstable/async";
import {
  type CatalogueProject,
  CELL_CONFIG,
  CELL_DIRECTORY,
  catalogueFiles,
  cellText,
  sharedFiles,
  catalogueProject,
} from "../checker/cell-project.ts";
import { HARMLESS, type PlacedDiagnostic } from "../checker/compiler-diagnostic.ts";
import type { CheckSource } from "../type-checker.ts";
import { cellLibrary } from "../checker/cell-library.ts";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Syntax from "typescript/unstable/ast";

const PAGE_BYTES = 4096;

/** TypeScript's native checker in a process of its own, which holds several catalogues at once. */
export interface TypeScriptProcess {
  /** True if these declarations are loaded or are being loaded. */
  has(declarations: string): boolean;
  /** How many catalogues it holds. */
  readonly catalogues: number;
  /**
   * Finds the mistakes in the cell; only what changed is checked again. One call at a time. Rejects when the
   * process cannot be started, dies or fails; it cannot be used after that.
   */
  diagnose(source: CheckSource): Promise<Findings>;
  /** Resolves when the process is gone. Idempotent; also stops one that is only just starting. */
  kill(): Promise<void>;
  /** Its memory use; undefined if the system does not tell. */
  memoryBytes(): number | undefined;
  /** What it has computed so far; undefined if the system does not tell. */
  cpuMs(): number | undefined;
  /** An idle one does not keep this process alive. */
  setBusy(isBusy: boolean): void;
}

export interface Findings {
  /** The checked text, to which the places refer. */
  readonly wrapped: string;
  readonly found: readonly PlacedDiagnostic[];
  /** How many more there are. */
  readonly notLooked: number;
}

/** `onExit` comes once, for any reason, but not if the process could not be started. */
export function startTypeScript(
  options: { readonly maxCatalogues: number },
  onExit: () => void,
): TypeScriptProcess {
  const contents = new Map(sharedFiles());
  const projects = createCatalogueProjects(options.maxCatalogues);
  const knownPaths = new WeakMap<CatalogueProject, readonly string[]>();
  const exited = Promise.withResolvers<never>();
  /** Who waits for an answer: a race with `exited` itself would be kept by it for as long as the process lives. */
  const asking = new Set<(error: unknown) => void>();
  let exit: { readonly error: unknown } | undefined;
  exited.promise.catch((error: unknown) => {
    exit = { error };
    for (const fail of asking) fail(error);
  });
  const unlessExited = async <T>(work: Promise<T>): Promise<T> => {
    const failed = Promise.withResolvers<never>();
    if (exit !== undefined) failed.reject(exit.error);
    asking.add(failed.reject);
    try {
      return await Promise.race([work, failed.promise]);
    } finally {
      asking.delete(failed.reject);
    }
  };
  let child: ChildProcess | undefined;
  let isBusy = true;
  let snapshot: TypeScript.Snapshot | undefined;

  const applyBusy = (): void => {
    for (const part of [child, child?.stdin, child?.stdout]) {
      if (!(part instanceof ChildProcess) && !(part instanceof Socket)) continue;
      if (isBusy) part.ref();
      else part.unref();
    }
  };

  const launch = async () => {
    const loaded = await loadTypeScript();
    const api = new loaded.typescript.API({
      cwd: CELL_DIRECTORY,
      fs: createCellFileSystem(contents, loaded.libraryDirectory),
    });
    const ready = api.parseConfigFile(CELL_CONFIG);
    // One that cannot be started has no exit either.
    ready.catch(exited.reject);
    child = await childOf(api, ready);
    hideWriteErrors(child);
    applyBusy();
    const watch = child.pid === undefined ? undefined : endWithUs(child.pid);
    child.once("exit", () => {
      watch?.[Symbol.dispose]();
      exited.reject(new Error("The type checker's process died"));
      onExit();
    });
    return { ...loaded, api, ready };
  };
  const launched = launch();
  launched.catch(exited.reject);

  /** Everything TypeScript says about the cell. */
  const collect = async (source: CheckSource) => {
    const wrapped = cellText(source.code);
    const { project, isNew, evicted } = projects.take(source.declarations);
    const gone = evicted.flatMap(({ config, tools, cell }) => [config, tools, cell]);
    for (const path of gone) contents.delete(path);
    const added = isNew ? catalogueFiles(project, source.declarations) : [];
    for (const [path, text] of added) contents.set(path, text);
    contents.set(project.cell, wrapped);
    const { api, ready, typescript, syntax } = await launched;
    await ready;
    const previous = snapshot;
    snapshot = await api.updateSnapshot({
      closeProjects: evicted.map(({ config }) => config),
      ...(isNew ? { openProjects: [project.config] } : { fileChanges: { changed: [project.cell] } }),
    });
    await previous?.dispose();
    const opened = snapshot.getProject(project.config);
    if (opened === undefined) throw new Error("The checker lost its project");
    const broken = await opened.program.getSyntacticDiagnostics(project.cell);
    const said = broken.length > 0 ? broken : await opened.program.getSemanticDiagnostics(project.cell);
    return { wrapped, said, at: { typescript, syntax, opened, project, knownPaths } };
  };

  const diagnose = async (source: CheckSource): Promise<Findings> => {
    const { wrapped, said, at } = await unlessExited(collect(source));
    const all = said.filter(({ code }) => !HARMLESS.has(code));
    if (all.length === 0) return { wrapped, found: [], notLooked: 0 };
    const { placeDiagnostics, withoutFacts } = await import("./typescript/place-diagnostics.ts");
    // Reading a place can break the process (a panic inside TypeScript): the verdict stands.
    const placed = placeDiagnostics(at, all).catch(() => withoutFacts(all));
    const found = await unlessExited(placed).catch(() => withoutFacts(all));
    return { wrapped, found, notLooked: all.length - found.length };
  };

  return {
    has: projects.has,
    get catalogues() {
      return projects.size;
    },
    diagnose,
    async kill() {
      await launched.catch(noop);
      child?.ref();
      child?.kill("SIGKILL");
      await exited.promise.catch(noop);
    },
    memoryBytes: () => residentBytes(child?.pid),
    cpuMs: () => computedMs(child?.pid),
    setBusy(next) {
      isBusy = next;
      applyBusy();
    },
  };
}

function noop(): void {}

/** TypeScript's API has no handler for failed writes to its process. The exit reports that the process is gone. */
function hideWriteErrors({ stdin }: ChildProcess): void {
  if (stdin === null) return;
  const write = stdin.write.bind(stdin);
  stdin.write = (
    chunk: string | Uint8Array,
    encoding?: BufferEncoding | ((error?: Error | null) => void),
    written?: (error?: Error | null) => void,
  ): boolean => {
    if (typeof encoding !== "string") return write(chunk, () => encoding?.());
    return write(chunk, encoding, () => written?.());
  };
}

/**
 * The API hides its process and closes it politely, which a checker in a type bomb would not notice. Rejects
 * like `ready`.
 */
async function childOf(api: TypeScript.API, ready: Promise<unknown>): Promise<ChildProcess> {
  const client: unknown = Reflect.get(api, "client");
  if (typeof client !== "object" || client === null)
    throw new Error("This version of TypeScript hides its process");
  let isReady = false;
  const settled = ready.then(() => {
    isReady = true;
  });
  settled.catch(noop);
  for (;;) {
    const child: unknown = Reflect.get(client, "process");
    if (child instanceof ChildProcess) return child;
    if (isReady) throw new Error("This version of TypeScript hides its process");
    await Promise.race([settled, setImmediate()]);
  }
}

/**
 * What the checker sees of the disk: the projects' files, which are not on it, and TypeScript's own
 * library as far as a cell has it. Everything else does not exist.
 */
function createCellFileSystem(
  contents: ReadonlyMap<string, string>,
  libraryDirectory: string,
): Required<
  Pick<FileSystem, "readFile" | "fileExists" | "directoryExists" | "getAccessibleEntries" | "realpath">
> {
  const library = `${libraryDirectory.replaceAll("\\", "/")}/`;
  const isLibrary = (path: string): boolean =>
    path.startsWith(library) && /^lib\.[\w.]*d\.ts$/.test(path.slice(library.length));
  return {
    readFile: (path) =>
      contents.get(path) ?? (isLibrary(path) ? cellLibrary(readFileSync(path, "utf8")) : null),
    // `undefined`: the checker looks itself.
    fileExists: (path) => contents.has(path) || (isLibrary(path) ? undefined : false),
    directoryExists: (path) => path === CELL_DIRECTORY || path.startsWith(`${CELL_DIRECTORY}/`),
    getAccessibleEntries: () => ({ files: [], directories: [] }),
    realpath: (path) => path,
  };
}

/** A process's memory use, on a system with `/proc`; undefined elsewhere, or if it is gone. */
function residentBytes(pid: number | undefined): number | undefined {
  try {
    const [, residentPages] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ");
    return Number(residentPages) * PAGE_BYTES;
  } catch {
    return undefined;
  }
}

/** Linux counts it in hundredths of a second, on every machine. */
const TICK_MS = 10;

function computedMs(pid: number | undefined): number | undefined {
  if (pid === undefined) return process.platform === "linux" ? 0 : undefined;
  try {
    // The name comes second, in brackets, and may have spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return undefined;
  }
}

/** TypeScript's API, still unstable: only this folder and `typescript-process.ts` know it. */
interface LoadedTypeScript {
  readonly typescript: typeof TypeScript;
  readonly syntax: typeof Syntax;
  /** The directory with `lib.*.d.ts`. */
  readonly libraryDirectory: string;
}

/** Found and loaded at run time, so that it also works from a bundle. Rejects when it is not installed. */
export async function loadTypeScript(): Promise<LoadedTypeScript> {
  const { resolve } = createRequire(import.meta.url);
  const entry = resolve("typescript/unstable/async");
  const typescript: typeof TypeScript = await import(pathToFileURL(entry).href);
  const syntax: typeof Syntax = await import(pathToFileURL(resolve("typescript/unstable/ast")).href);
  const native = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
  return { typescript, syntax, libraryDirectory: join(dirname(createRequire(entry).resolve(native)), "lib") };
}

/**
 * Makes sure that a process does not outlive this one, however this one ends: a checker whose parent is
 * killed at the wrong moment waits forever for an answer. A shell reads from a pipe that only we hold; when
 * we are gone, it ends that process and itself. Dispose it as soon as the process has ended, because its id
 * may be reused. Never throws; without a shell, nothing is watched.
 */
export function endWithUs(pid: number): Disposable {
  const watcher = spawn("/bin/sh", ["-c", 'read -r _; kill -9 "$1"', "sh", String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    // Signals that a terminal sends to all of us must not reach it.
    detached: true,
  });
  watcher.once("error", () => undefined);
  watcher.stdin.once("error", () => undefined);
  watcher.unref();
  if ("unref" in watcher.stdin && typeof watcher.stdin.unref === "function") watcher.stdin.unref();
  return { [Symbol.dispose]: () => void watcher.kill("SIGKILL") };
}

/** The catalogues one process holds, each a project of its own; the least recently used makes room. */
interface CatalogueProjects {
  has(declarations: string): boolean;
  readonly size: number;
  /** The project for these declarations; `isNew` when it must be opened, after closing `evicted`. */
  take(declarations: string): {
    readonly project: CatalogueProject;
    readonly isNew: boolean;
    readonly evicted: readonly CatalogueProject[];
  };
}

export function createCatalogueProjects(maxCatalogues: number): CatalogueProjects {
  /** Least recently used first. */
  const open = new Map<string, CatalogueProject>();
  let last = 0;

  const evict = (): readonly CatalogueProject[] => {
    const [oldest] = open;
    if (oldest === undefined || open.size < maxCatalogues) return [];
    open.delete(oldest[0]);
    return [oldest[1], ...evict()];
  };

  return {
    has: (declarations) => open.has(declarations),
    get size() {
      return open.size;
    },
    take(declarations) {
      const known = open.get(declarations);
      if (known !== undefined) {
        open.delete(declarations);
        open.set(declarations, known);
        return { project: known, isNew: false, evicted: [] };
      }
      const evicted = evict();
      last += 1;
      const project = catalogueProject(last);
      open.set(declarations, project);
      return { project, isNew: true, evicted };
    },
  };
}
