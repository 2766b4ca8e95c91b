import { createNodeTypeChecker, createNodeTypeStripper, createWorkerSandbox } from "@deputy/codemode/node";
import { createRehearsalModel } from "@deputy/model";
import { onTestFinished } from "vitest";
import { assembleEngine } from "./assemble-engine.ts";
import type { EnginePorts } from "./engine-ports.ts";
import { createMemoryPorts, type MemoryEngineOptions, type ProgramRuntime } from "./memory/index.ts";
import { openNotebook } from "./test/play-scenario.ts";

/** The real checker, stripper and sandbox on Node. */
export async function openNodeRuntime(): Promise<ProgramRuntime> {
  const opened = new AsyncDisposableStack();
  return {
    checker: opened.use(createNodeTypeChecker()),
    sandbox: opened.use(createWorkerSandbox()),
    stripper: createNodeTypeStripper(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Options and ports of an engine in memory, with a notebook as its only tools. */
export function setUp(own: Partial<MemoryEngineOptions> = {}) {
  const notebook = openNotebook();
  const bugs: unknown[] = [];
  const warnings: string[] = [];
  const stop = new AbortController();
  const options: MemoryEngineOptions = {
    modelOf: () => createRehearsalModel({ provider: "rehearsal", model: "tour" }),
    tools: [notebook.source],
    openRuntime: openNodeRuntime,
    warn: (text) => warnings.push(text),
    onBug: (error) => bugs.push(error),
    signal: stop.signal,
    ...own,
  };
  const ports = createMemoryPorts(options);
  /** Assembled over the same ports each time, and closed with the test. */
  const assemble = async (changed: Partial<EnginePorts> = {}) => {
    const engine = await assembleEngine({ ...ports, ...changed });
    onTestFinished(() => engine[Symbol.asyncDispose]());
    return engine;
  };
  return { options, ports, assemble, notebook, bugs, warnings, stop };
}
