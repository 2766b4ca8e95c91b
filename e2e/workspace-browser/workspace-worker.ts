import { CodedError } from "@deputy/kit";
import {
  createMemoryFileTree,
  createMemoryShadowStore,
  createWorkspace,
  type FileTree,
  type Workspace,
  type WorkspaceLimits,
} from "@deputy/workspace";
import { createOpfsShadowStore, type OpfsDirectory, type WebLocks } from "@deputy/workspace/browser";
import { type Answer, type Ask, type Opening, pack, unpack } from "./wire.ts";

// The program of the worker that workspace-browser.test.ts starts: one workspace, whose methods are called from there.

async function hash(bytes: Uint8Array): Promise<string> {
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes.slice()));
  return Array.from(sum, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function open({ store: kind, folder, limits }: Opening): Promise<Record<Ask["of"], object>> {
  const real: FileTree = createMemoryFileTree();
  const folders = new Map([["folder", real]]);
  const memory = createMemoryShadowStore(folders);
  const root = await navigator.storage.getDirectory();
  const directory = (await root.getDirectoryHandle(folder, { create: true })) as unknown as OpfsDirectory;
  const locks = navigator.locks as unknown as WebLocks;
  const view = (): Workspace => {
    const store =
      kind === "memory"
        ? memory
        : createOpfsShadowStore({
            directory,
            locks,
            name: folder,
            hash,
            folders: (name) => folders.get(name),
          });
    return createWorkspace({
      store,
      hash,
      now: Date.now,
      ...(limits === null ? {} : { limits: limits as WorkspaceLimits }),
    });
  };
  return { workspace: view(), again: view(), real };
}

async function answer(views: Record<Ask["of"], object>, ask: Ask): Promise<Answer> {
  const progress: [number, number][] = [];
  const args = ask.args.map((arg) =>
    typeof arg === "object" && arg !== null && "uncommitted" in arg
      ? { ...arg, onProgress: (done: number, total: number) => void progress.push([done, total]) }
      : arg,
  );
  const signal = ask.aborted ? AbortSignal.abort() : new AbortController().signal;
  try {
    const method = Reflect.get(views[ask.of], ask.method) as (...all: unknown[]) => Promise<unknown>;
    return { kind: "value", value: await method(...args, signal), progress };
  } catch (error) {
    if (error instanceof CodedError)
      return { kind: "refused", code: error.code, message: error.message, hint: error.hint };
    if (ask.aborted) return { kind: "aborted" };
    return {
      kind: "broken",
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

let views: Promise<Record<Ask["of"], object>> | undefined;
addEventListener("message", ({ data }: MessageEvent<{ id: number; text: string }>) => {
  const say = (given: Answer): void => postMessage({ id: data.id, text: pack(given) });
  const asked = unpack(data.text) as Opening | Ask;
  if ("store" in asked) {
    views = open(asked);
    views.then(
      () => say({ kind: "value", value: undefined, progress: [] }),
      (error: unknown) => say({ kind: "broken", message: String(error) }),
    );
  } else void views?.then((ready) => answer(ready, asked)).then(say);
});
