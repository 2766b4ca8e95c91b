import { expect, test, vi } from "vitest";
import { attach, runEnd, runToEnd, scriptOf, setUpWorld, startRun, type VmGlobal } from "../world.fixture.ts";
import { loadCore } from "./load-core.ts";
import { isStubbed } from "./stubs-of.ts";

function installWho(vm: VmGlobal): void {
  const use = vm[Symbol.for("WORKFLOW_USE_STEP")] as (name: string) => () => Promise<string>;
  const who = use("who");
  vm.__private_workflows = new Map([["who", async () => [await who(), await who()]]]);
}

test("[WF25] Worlds in one process have their own workflows and steps, even under the same names", async () => {
  const names = ["a", "b", "c"];
  const outputs = await Promise.all(
    names.map(async (name) => {
      const world = setUpWorld().open();
      const core = await attach(world, scriptOf(installWho), { who: async () => name });
      const { output } = await runToEnd(core, world, "who", []);
      expect((await world.runs.list({})).data).toHaveLength(1);
      return output;
    }),
  );
  expect(outputs).toEqual(names.map((name) => [name, name]));
});

test("[WF8] keeps a run of an unknown workflow for a version that knows it", async () => {
  const home = setUpWorld();
  const old = home.open();
  const core = await attach(
    old,
    scriptOf((vm) => void (vm.__private_workflows = new Map())),
    {},
  );
  const runId = await startRun(core, old, "who", []);
  await vi.waitUntil(() => home.bugs.length > 0);
  expect(String(home.bugs[0])).toContain("knows no workflow who");
  expect((await old.runs.get(runId)).status).toBe("pending");
  await old.close();
  home.time.aheadMs = 60_000;
  const newer = home.open();
  const end = runEnd(newer, runId);
  await attach(newer, scriptOf(installWho), { who: async () => "newer" });
  expect((await end).eventType).toBe("run_completed");
});

test("[WF25] Workflow DevKit throws outside of any World instead of making one", async () => {
  const core = await loadCore();
  const world = setUpWorld().open();
  const { getWorld } = await core.use(world, async (runtime) => runtime);
  expect(() => getWorld().runs).toThrow("outside of any World");
});

test("[WF25] stubs what only other Worlds need, and only for Workflow DevKit's own imports", async () => {
  await loadCore();
  const core = "file:///x/node_modules/@workflow/core/dist/runtime/world.js";
  const stubbed = [
    "@workflow/world-local",
    "@workflow/world-vercel",
    "@vercel/functions",
    "@aws-sdk/x",
    "../logger.js",
  ];
  expect(stubbed.filter((specifier) => !isStubbed(specifier, core))).toEqual([]);
  expect(stubbed.filter((specifier) => isStubbed(specifier, "file:///x/src/main.ts"))).toEqual([]);
  expect(
    ["@workflow/world", "@workflow/errors", "./helpers.js"].filter((name) => isStubbed(name, core)),
  ).toEqual([]);
});
