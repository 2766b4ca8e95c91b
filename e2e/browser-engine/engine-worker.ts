import { openMemoryEngine, type ProgramRuntime } from "@deputy/engine/memory";
import { createBrowserSandbox } from "@deputy/codemode/browser";
import { CodemodeError, DEFAULT_CELL_LIMITS } from "@deputy/codemode";
import { createRehearsalModel } from "@deputy/model";
import type { ApprovalAnswer, Diagnostic } from "@deputy/protocol";
import { openNotebook, type Played, playScenario } from "../../packages/engine/src/test/play-scenario.ts";

// The program of the worker that browser-engine.test.ts starts: a whole engine in a Web Worker. Programs run in workers
// of its own; browsers have no checker, so programs are checked and their types erased by whoever served the page.

export interface WorkerAnswer {
  readonly played: Played;
  readonly written: readonly string[];
  readonly damage: number;
  readonly bugs: readonly string[];
}

async function openRuntime(): Promise<ProgramRuntime> {
  const sandbox = createBrowserSandbox({
    newWorker: () => new Worker("/sandbox-worker.js", { type: "module" }),
    loadEngine: async () => new Uint8Array(await (await fetch("/quickjs.wasm")).arrayBuffer()),
  });
  return {
    sandbox,
    checker: {
      async check(source, signal) {
        const answer = await fetch("/check", { method: "POST", body: JSON.stringify(source), signal });
        return (await answer.json()) as Diagnostic[];
      },
      [Symbol.asyncDispose]: async () => undefined,
    },
    stripper: {
      strip(code) {
        // In place, which a worker may: a program is stripped before anything else of it happens.
        const request = new XMLHttpRequest();
        request.open("POST", "/strip", false);
        request.send(code);
        if (request.status !== 200) throw new CodemodeError("not_erasable", request.responseText);
        return request.responseText;
      },
    },
    // Time passes here while others compute, and the browser's own stack ends early.
    limits: { ...DEFAULT_CELL_LIMITS, cpuMs: 60_000, stackBytes: 32 * 1024 },
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

async function play(answer: ApprovalAnswer): Promise<WorkerAnswer> {
  const notebook = openNotebook();
  const bugs: string[] = [];
  await using engine = await openMemoryEngine({
    modelOf: () => createRehearsalModel({ provider: "rehearsal", model: "tour" }),
    tools: [notebook.source],
    openRuntime,
    warn: (text) => bugs.push(text),
    onBug: (error) => bugs.push(String(error)),
    signal: new AbortController().signal,
  });
  const played = await playScenario(engine, answer);
  const { damage } = await engine.log.verify();
  return { played, written: notebook.written, damage: damage.length, bugs };
}

addEventListener("message", (event: MessageEvent<ApprovalAnswer>) => {
  play(event.data).then(postMessage, (error: unknown) => postMessage(String(error)));
});
