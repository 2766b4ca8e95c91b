// An engine that keeps everything in memory: to embed, for browsers, and for tests. Portable.
import { assembleEngine } from "../assemble-engine.ts";
import type { Engine } from "../engine.ts";
import { createMemoryPorts, type MemoryEngineOptions } from "./memory-ports.ts";

export { createMemoryPorts, type MemoryEngineOptions, type ProgramRuntime } from "./memory-ports.ts";

/** Its work is lost once it is disposed; running work is suspended, and never continued. */
export async function openMemoryEngine(options: MemoryEngineOptions): Promise<Engine> {
  await using opened = new AsyncDisposableStack();
  const ports = createMemoryPorts(options);
  opened.use(ports.log);
  const engine = opened.use(await assembleEngine(ports));
  const owned = opened.move();
  return { ...engine, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
