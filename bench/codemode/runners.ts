import { createContext, runInContext } from "node:vm";
import { createWorkerSandbox } from "@deputy/codemode/node";
import { startGuestCell } from "../../packages/codemode/src/guest/guest-cell.ts";
import { guestSpec, openGuestEngine } from "./guest-engine.ts";
import { answerJson, PEER_PRELUDE, type Run } from "./program.ts";
import { openQuickJsEmscripten } from "./quickjs-emscripten.ts";

export interface Runners extends AsyncDisposable {
  readonly ours: readonly (readonly ["in-process" | "through a worker", Run])[];
  readonly peers: readonly (readonly [string, Run])[];
}

export async function openRunners(): Promise<Runners> {
  const engine = await openGuestEngine();
  const sandbox = createWorkerSandbox();
  const never = new AbortController().signal;

  const inProcess: Run = async (code) => {
    const { cell, slice: first } = await startGuestCell(engine, guestSpec(code));
    const waiting = [...first.calls];
    let { end } = first;
    for (let call = waiting.shift(); call !== undefined; call = waiting.shift()) {
      const slice = cell?.settle(call.id, { kind: "ok", json: answerJson(call.inputJson), atMs: 0 });
      waiting.push(...(slice?.calls ?? []));
      end ??= slice?.end;
    }
    return end?.kind === "completed" ? end.resultJson : fail(end);
  };
  const throughWorker: Run = async (code) => {
    const cell = sandbox.start(
      {
        ...guestSpec(code),
        onCall: ({ id, inputJson }) => cell.settle(id, { kind: "ok", json: answerJson(inputJson), atMs: 0 }),
      },
      never,
    );
    const outcome = await cell.outcome;
    return outcome.kind === "completed" ? outcome.resultJson : fail(outcome);
  };

  const emscripten = await openQuickJsEmscripten();
  return {
    ours: [
      ["in-process", inProcess],
      ["through a worker", throughWorker],
    ],
    peers: [["node:vm", runInNodeVm], ...(emscripten === undefined ? [] : [emscripten])],
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

/** No boundary at all: the minimum cost of a separate context in Node. */
const runInNodeVm: Run = (code) => {
  const context = createContext({ callHost: async (inputJson: string) => answerJson(inputJson) });
  runInContext(PEER_PRELUDE, context);
  return runInContext(`(async () => {${code}\n})().then(JSON.stringify)`, context) as Promise<unknown>;
};

function fail(end: unknown): never {
  throw new Error(`The program failed: ${JSON.stringify(end)}`);
}
