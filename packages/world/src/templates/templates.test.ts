import { readdirSync, readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { expect, test } from "vitest";
import { type GoldenLog, replayGolden } from "./golden-log.ts";
import { TEMPLATE_SCRIPT } from "../workflows/open-workflows.ts";
import type { TemplateName, VmGlobal } from "./templates.ts";

const folder = new URL("golden/", import.meta.url);
const logs = readdirSync(folder).map((name) => ({
  name,
  log: JSON.parse(readFileSync(new URL(name, folder), "utf8")) as GoldenLog,
}));
const templates: readonly TemplateName[] = ["oneShot_v1", "recurring_v1", "eventTriggered_v1"];

test("[WF23] every template has a recorded run, with an answer and a timeout among them", () => {
  expect(new Set(logs.map(({ log }) => log.workflowName))).toEqual(new Set(templates));
  const types = logs.flatMap(({ log }) => log.events.map(({ eventType }) => eventType));
  expect(types).toEqual(expect.arrayContaining(["hook_received", "wait_completed", "hook_disposed"]));
});

test.each(logs)(
  "[WF23] $name: today's templates match the record from any point of the run",
  async ({ log }) => {
    expect(await replayGolden(log, TEMPLATE_SCRIPT)).toEqual([]);
  },
);

test.each([
  [
    "sleeps before it makes the hook",
    /const hook = (createHook ?\(\{ token: `approval)/,
    "sleep(1); const hook = $1",
  ],
  ["names its hook otherwise", /`approval:/, "`approvals:"],
  ["calls the step with other words", /"begin"/, '"start"'],
  ["does not let go of the hook", /hook\.dispose\(\);/, ""],
])("[WF23] notices a template that %s", async (_what, from, to) => {
  // Types are replaced by spaces.
  const script = TEMPLATE_SCRIPT.replaceAll(/ +/g, " ");
  const changed = script.replace(from, to);
  expect(changed).not.toBe(script);
  const problems = await Promise.all(logs.map(({ log }) => replayGolden(log, changed)));
  expect(problems.flat()).not.toEqual([]);
});

test("[WF24] the templates' source refers to nothing outside of it", () => {
  const vm = createContext({ Symbol });
  const steps: string[] = [];
  const devkit = { WORKFLOW_USE_STEP: (name: string) => steps.push(name) };
  for (const [name, value] of Object.entries(devkit)) Reflect.set(vm, Symbol.for(name), value);
  runInContext(TEMPLATE_SCRIPT, vm);
  expect([...((vm as VmGlobal).__private_workflows?.keys() ?? [])]).toEqual(templates);
  expect(steps).toEqual(["advance"]);
});
