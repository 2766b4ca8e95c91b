import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { Door, Doors, World } from "@deputy/world/core";

type LocalWorld = World & { registerHandler(prefix: string, door: Door): void };
type Create = (options: { readonly dataDir: string }) => LocalWorld;

/** The World that Workflow DevKit itself brings for one machine, to compare with. Messages go in by function call. */
export async function openLocalWorld(dataDir: string, attach: (world: World) => Doors): Promise<World> {
  const core = createRequire(import.meta.url).resolve("@workflow/core/runtime");
  const address = pathToFileURL(createRequire(core).resolve("@workflow/world-local")).href;
  const { createLocalWorld } = (await import(address)) as { readonly createLocalWorld: Create };
  const world = createLocalWorld({ dataDir });
  const doors = attach(world);
  world.registerHandler("__wkf_workflow_", doors.workflow);
  world.registerHandler("__wkf_step_", doors.step);
  await world.start?.();
  return world;
}
