import { ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { Socket } from "node:net";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as TypeScript from "typescript/unstable/async";
import { CELL_PROJECT } from "../checker/cell-project.ts";
import type { CompilerDiagnostic } from "../checker/explain-diagnostic.ts";
import { createCellFileSystem } from "./cell-file-system.ts";
import { residentBytes } from "./resident-bytes.ts";

/**
 * TypeScript's native checker in a process of its own. This file is the only one that knows its API,
 * which is still unstable.
 */
export interface TypeScriptProcess {
  /**
   * What is wrong with the cell once the project's files are these; only what changed is checked anew.
   * One at a time. Never settles when the process dies meanwhile.
   */
  diagnose(files: ReadonlyMap<string, string>): Promise<readonly CompilerDiagnostic[]>;
  /** Resolves when the process is gone. Idempotent. */
  kill(): Promise<void>;
  /** What it holds in memory; undefined where the system does not tell. */
  memoryBytes(): number | undefined;
  /** One that is not busy does not keep this process alive. */
  setBusy(isBusy: boolean): void;
}

/** Rejects when the checker is not installed or cannot be started. `onExit` comes once, whatever the reason. */
export async function startTypeScript(
  files: ReadonlyMap<string, string>,
  onExit: () => void,
): Promise<TypeScriptProcess> {
  // Found and loaded at run time, so that it also works from a bundle.
  const entry = createRequire(import.meta.url).resolve("typescript/unstable/async");
  const typescript: typeof TypeScript = await import(pathToFileURL(entry).href);
  const contents = new Map(files);
  const api = new typescript.API({
    cwd: CELL_PROJECT.directory,
    fs: createCellFileSystem(contents, libraryDirectory(entry)),
  });
  await api.parseConfigFile(CELL_PROJECT.config);
  const child = childOf(api);
  const exited = Promise.withResolvers<void>();
  child.once("exit", () => {
    exited.resolve();
    onExit();
  });
  let snapshot: TypeScript.Snapshot | undefined;

  return {
    async diagnose(next) {
      const changed = [...next].filter(([path, text]) => contents.get(path) !== text);
      for (const [path, text] of changed) contents.set(path, text);
      const previous = snapshot;
      snapshot = await api.updateSnapshot(
        previous === undefined
          ? { openProjects: [CELL_PROJECT.config] }
          : { fileChanges: { changed: changed.map(([path]) => path) } },
      );
      await previous?.dispose();
      const program = snapshot.getProject(CELL_PROJECT.config)?.program;
      if (program === undefined) throw new Error("The checker lost its project");
      const syntax = await program.getSyntacticDiagnostics(CELL_PROJECT.cell);
      return syntax.length > 0 ? syntax : await program.getSemanticDiagnostics(CELL_PROJECT.cell);
    },
    async kill() {
      child.ref();
      child.kill("SIGKILL");
      await exited.promise;
    },
    memoryBytes: () => residentBytes(child.pid),
    setBusy(isBusy) {
      for (const part of [child, child.stdin, child.stdout]) {
        if (!(part instanceof ChildProcess) && !(part instanceof Socket)) continue;
        if (isBusy) part.ref();
        else part.unref();
      }
    },
  };
}

/** The directory with `lib.*.d.ts`: that of the native package for this machine. */
function libraryDirectory(entry: string): string {
  const native = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
  return join(dirname(createRequire(entry).resolve(native)), "lib");
}

/** The API closes its process politely, which a checker caught in a type bomb would not notice. */
function childOf(api: TypeScript.API): ChildProcess {
  const client: unknown = Reflect.get(api, "client");
  const child: unknown = typeof client === "object" && client !== null && Reflect.get(client, "process");
  if (!(child instanceof ChildProcess)) throw new Error("This version of TypeScript hides its process");
  return child;
}
