import { randomUUID } from "node:crypto";
import { describeWorkspace } from "@deputy/testing";
import {
  type FileTree,
  type Workspace,
  WorkspaceError,
  type WorkspaceErrorCode,
  type WorkspaceLimits,
} from "@deputy/workspace";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noBrowser } from "../chromium.ts";
import { openWorkerPage, type WorkerPage } from "../shell-browser/open-page.ts";
import type { OpenedWorkspace } from "../../packages/testing/src/workspace/workspace-harness.ts";
import { type Answer, type Ask, type Opening, pack, unpack } from "./wire.ts";

const live = new AbortController().signal;

// The rules are those of packages/workspace; here they are those of stores that only a browser has.
describe.skipIf(noBrowser)("workspaces in a worker of a real browser", () => {
  let opened: WorkerPage;
  beforeAll(async () => {
    opened = await openWorkerPage({
      "workspace-worker": "e2e/workspace-browser/workspace-worker.ts",
    });
    await opened.page.evaluate(() => {
      const workers = new Map<string, Worker>();
      const waiting = new Map<number, { name: string; take: (text: string) => void }>();
      let asked = 0;
      Object.assign(globalThis, {
        endWorker(name: string) {
          workers.get(name)?.terminate();
          workers.delete(name);
          for (const one of waiting.values()) if (one.name === name) one.take('{"kind":"aborted"}');
        },
        ask(name: string, text: string): Promise<string> {
          let worker = workers.get(name);
          if (worker === undefined) {
            worker = new Worker("/workspace-worker.js", { type: "module" });
            worker.addEventListener("message", ({ data }) => {
              waiting.get(data.id)?.take(data.text);
              waiting.delete(data.id);
            });
            workers.set(name, worker);
          }
          const id = (asked += 1);
          worker.postMessage({ id, text });
          return new Promise((take) => void waiting.set(id, { name, take }));
        },
      });
    });
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  const tell = async (worker: string, message: Ask | Opening): Promise<Answer> => {
    const text = await opened.page.evaluate(
      ([name, given]) =>
        (globalThis as unknown as { ask(of: string, text: string): Promise<string> }).ask(name, given),
      [worker, pack(message)] as const,
    );
    return unpack(text) as Answer;
  };
  const end = (worker: string): Promise<void> =>
    opened.page.evaluate(
      (name) => (globalThis as unknown as { endWorker(of: string): void }).endWorker(name),
      worker,
    );

  /** An object whose methods are those of an object in the worker. */
  function remote(worker: string, of: Ask["of"]): unknown {
    const call = async (method: string, all: readonly unknown[]): Promise<unknown> => {
      const signal = all.at(-1) as AbortSignal;
      const args = all.slice(0, -1);
      const answer = await tell(worker, { of, method, args, aborted: signal.aborted });
      if (answer.kind === "value") {
        const order = args.find((arg) => typeof arg === "object" && arg !== null && "onProgress" in arg) as
          | { onProgress?: (done: number, total: number) => void }
          | undefined;
        for (const [done, total] of answer.progress) order?.onProgress?.(done, total);
        return answer.value;
      }
      if (answer.kind === "aborted") throw signal.reason;
      if (answer.kind === "refused")
        throw new WorkspaceError(
          answer.code as WorkspaceErrorCode,
          answer.message,
          typeof answer.hint === "string" ? { hint: answer.hint } : {},
        );
      throw new Error(answer.message);
    };
    return new Proxy(
      {},
      {
        get: (_, name) =>
          typeof name === "string" && name !== "then"
            ? (...all: readonly unknown[]) => call(name, all)
            : undefined,
      },
    );
  }

  async function openIn(
    store: Opening["store"],
    limits?: WorkspaceLimits,
    folder: string = randomUUID(),
  ): Promise<OpenedWorkspace & { readonly worker: string; readonly folder: string }> {
    const worker = randomUUID();
    const answer = await tell(worker, { store, folder, limits: limits ?? null });
    if (answer.kind !== "value") throw new Error(pack(answer));
    return {
      worker,
      folder,
      workspace: remote(worker, "workspace") as Workspace,
      real: remote(worker, "real") as FileTree,
      root: "folder",
      reopen: () => remote(worker, "again") as Workspace,
      [Symbol.asyncDispose]: () => end(worker),
    };
  }

  describeWorkspace("in memory", (limits) => openIn("memory", limits));
  describeWorkspace("in the origin's private file system", (limits) => openIn("opfs", limits));

  test("[WS4] another worker finds what one has written, also while both are open", async () => {
    await using first = await openIn("opfs");
    await first.real.write("a.txt", new TextEncoder().encode("a\n"), {}, live);
    await first.workspace.import({ root: "folder", uncommitted: "keep" }, live);
    await first.workspace.write("b.txt", "b\n", live);
    await first.workspace.snapshot("before", live);
    await using second = await openIn("opfs", undefined, first.folder);
    expect(await second.workspace.walk("", live)).toEqual(["a.txt", "b.txt"]);
    expect((await second.workspace.status(live)).changes).toMatchObject([{ path: "b.txt", kind: "added" }]);
    await second.workspace.write("c.txt", "c\n", live);
    expect(await first.workspace.readText("c.txt", live)).toBe("c\n");
    await first.workspace.import({ uncommitted: "discard" }, live);
    expect(await second.workspace.walk("", live)).toEqual(["a.txt"]);
  });

  test("[WS13] a worker that is ended at any moment leaves whole files and a workspace that works", async () => {
    const folder = randomUUID();
    const old = "o".repeat(20_000);
    const next = "n".repeat(30_000);
    {
      await using first = await openIn("opfs", undefined, folder);
      for (let n = 0; n < 10; n += 1) await first.workspace.write(`f${String(n)}`, old, live);
    }
    for (let round = 0; round < 8; round += 1) {
      const writer = await openIn("opfs", undefined, folder);
      const writing = Array.from({ length: 10 }, (_, n) =>
        tell(writer.worker, {
          of: "workspace",
          method: "write",
          args: [`f${String(n)}`, round % 2 === 0 ? next : old],
          aborted: false,
        }),
      );
      await writing[round];
      await end(writer.worker);
      await using reader = await openIn("opfs", undefined, folder);
      for (let n = 0; n < 10; n += 1) {
        const text = await reader.workspace.readText(`f${String(n)}`, live);
        expect([old, next].includes(text)).toBe(true);
      }
      await reader.workspace.write("after", String(round), live);
      expect(await reader.workspace.readText("after", live)).toBe(String(round));
    }
  });
});
