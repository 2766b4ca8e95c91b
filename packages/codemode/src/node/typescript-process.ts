import { ChildProcess } from "node:child_process";
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
} from "../checker/cell-project.ts";
import type { PlacedDiagnostic } from "../checker/compiler-diagnostic.ts";
import type { CheckSource } from "../type-checker.ts";
import { endWithUs } from "./end-with-us.ts";
import { createCatalogueProjects } from "./typescript/catalogue-projects.ts";
import { loadTypeScript } from "./typescript/load-typescript.ts";
import { placeDiagnostics, withoutFacts } from "./typescript/place-diagnostics.ts";
import { cellLibrary } from "../checker/cell-library.ts";

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
  /** What it holds in memory; undefined where the system does not tell. */
  memoryBytes(): number | undefined;
  /** One that is not busy does not keep this process alive. */
  setBusy(isBusy: boolean): void;
}

export interface Findings {
  /** The text that was checked, which the places are in. */
  readonly wrapped: string;
  readonly found: readonly PlacedDiagnostic[];
  /** How many more there are. */
  readonly notLooked: number;
}

/** `onExit` comes once, whatever the reason, and not when it could not be started. */
export function startTypeScript(
  options: { readonly maxCatalogues: number },
  onExit: () => void,
): TypeScriptProcess {
  const contents = new Map(sharedFiles());
  const projects = createCatalogueProjects(options.maxCatalogues);
  const knownPaths = new WeakMap<CatalogueProject, readonly string[]>();
  const exited = Promise.withResolvers<never>();
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
  exited.promise.catch(noop);

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
    const all = broken.length > 0 ? broken : await opened.program.getSemanticDiagnostics(project.cell);
    return { wrapped, all, at: { typescript, syntax, opened, project, knownPaths } };
  };

  const diagnose = async (source: CheckSource): Promise<Findings> => {
    const { wrapped, all, at } = await Promise.race([collect(source), exited.promise]);
    // Looking at a place can break the process (a panic of TypeScript's own): the verdict stands.
    const placed = placeDiagnostics(at, all).catch(() => withoutFacts(all));
    const found = await Promise.race([placed, exited.promise.catch(() => withoutFacts(all))]);
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
    setBusy(next) {
      isBusy = next;
      applyBusy();
    },
  };
}

function noop(): void {}

/**
 * TypeScript's API leaves it to nobody when what it answers its process cannot be written any more. That the process
 * is gone is told by its exit.
 */
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
 * The API keeps its process to itself and closes it politely, which a checker caught in a type bomb
 * would not notice. Rejects as `ready` does.
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
    // `undefined`: the checker looks for itself.
    fileExists: (path) => contents.has(path) || (isLibrary(path) ? undefined : false),
    directoryExists: (path) => path === CELL_DIRECTORY || path.startsWith(`${CELL_DIRECTORY}/`),
    getAccessibleEntries: () => ({ files: [], directories: [] }),
    realpath: (path) => path,
  };
}

/** How much memory a process holds, in a system with `/proc`; undefined elsewhere, or when it is gone. */
function residentBytes(pid: number | undefined): number | undefined {
  try {
    const [, residentPages] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ");
    return Number(residentPages) * PAGE_BYTES;
  } catch {
    return undefined;
  }
}
