import type { Recall } from "@deputy/agent/turns";
import type { OwnMemory } from "@deputy/builtins";
import { openLater } from "@deputy/kit";
import type { MemoryDoor } from "./describe-memory.ts";
import type { HomeMemory, HomeMemoryDeps } from "./home-memory.ts";

/** The memory of an engine. What it consists of is loaded at its first use: most commands need none of it. */
export interface EngineMemory extends AsyncDisposable {
  readonly door: MemoryDoor;
  /** As agents' tools use it. `agentOf`: whose session it is. */
  own(agentOf: (session: string) => Promise<string>): OwnMemory;
  recall(): Promise<Recall>;
  removeSession: HomeMemory["removeSession"];
  /** Finishes what an earlier process began, if there is anything. Rejects as the log does. */
  recover(signal: AbortSignal): Promise<void>;
}

export function openEngineMemory(
  deps: HomeMemoryDeps & { readonly defaultAgent: string; readonly maxResults: number },
): EngineMemory {
  const { log } = deps;
  const home = openLater(async () => (await import("./home-memory.ts")).openHomeMemory(deps));
  const door = whenCalled<MemoryDoor>(
    ["search", "status", "index", "list", "show", "edit", "recalled", "changes", "undo", "forget"],
    async () => {
      const { createMemoryDoor } = await import("./describe-memory.ts");
      return createMemoryDoor({ ...deps, memory: await home.get() });
    },
  );
  return {
    door,
    own: (agentOf) =>
      whenCalled<OwnMemory>(
        ["search", "remember", "draft", "write", "isSaid", "previewForget", "forget"],
        async () => {
          const { createOwnMemory } = await import("./own-memory.ts");
          return createOwnMemory({ memory: await home.get(), door, log, agentOf });
        },
      ),
    async recall() {
      const { createMemoryRecall } = await import("./recall-from-memory.ts");
      return createMemoryRecall({ memory: async () => await (await home.get()).index(), clock: deps.clock });
    },
    removeSession: async (session, by, signal) => await (await home.get()).removeSession(session, by, signal),
    async recover(signal) {
      for await (const _ of log.readAll({ types: ["memory.written", "memory.forgetting"] })) {
        await (await home.get()).recover(signal);
        return;
      }
    },
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}

/** The methods of something that is made for each call of one of them. */
function whenCalled<T extends Readonly<Record<keyof T, (...given: never[]) => Promise<unknown>>>>(
  names: readonly (keyof T)[],
  make: () => Promise<T>,
): T {
  const methods = names.map((name) => [
    name,
    async (...given: never[]) => await (await make())[name](...given),
  ]);
  return Object.fromEntries(methods) as T;
}
