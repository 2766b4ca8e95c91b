import type { ModelRef } from "@deputy/model";
import type { ToolSource } from "@deputy/tools";
import type { DemoDeps } from "./demo-world.ts";

export interface Demo extends AsyncDisposable {
  readonly sources: readonly ToolSource[];
}

const NAMESPACES = ["github", "mail", "metrics"] as const;

/**
 * The world that the rehearsal model plays on. It exists for no other model, and not beside tools of the user in the
 * same namespace, so that no one wonders which one is real.
 */
export async function openDemo(
  model: ModelRef,
  sources: readonly ToolSource[],
  deps: DemoDeps,
): Promise<Demo> {
  const free = NAMESPACES.filter((name) => !sources.some(({ tree }) => Object.hasOwn(tree, name)));
  if (model.provider !== "rehearsal" || free.length === 0)
    return { sources: [], [Symbol.asyncDispose]: async () => undefined };
  const { openDemoWorld } = await import("./demo-world.ts");
  const world = openDemoWorld(deps);
  return {
    sources: free.map((name) => ({ source: "the demo", tree: world[name].tree })),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}
