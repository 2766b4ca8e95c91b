import { FatalError, RetryableError } from "@workflow/errors";
import { expect, test } from "vitest";
import {
  attach,
  nextEvent,
  runEnd,
  runToEnd,
  scriptOf,
  setUpWorld,
  startRun,
  type VmGlobal,
} from "./world.fixture.ts";

// The five checks of `@workflow/world-testing`, with the same workflows, over the version of Workflow DevKit that
// is used here. What differs, and why: docs/decisions/0013-workflows.md.

function installSuite(vm: VmGlobal): void {
  const use = vm[Symbol.for("WORKFLOW_USE_STEP")] as (step: string) => (...args: unknown[]) => Promise<never>;
  const createHook = vm[Symbol.for("WORKFLOW_CREATE_HOOK")] as (
    options: object,
  ) => AsyncIterable<{ readonly done?: boolean }>;
  const [add, noop, nullByteStep] = [use("add"), use("noop"), use("nullByteStep")];
  const [writeEvent, flaky, fails] = [
    use("writeEvent"),
    use("stepThatThrowsRetryableError"),
    use("stepThatFails"),
  ];

  const brokenWf = async (): Promise<unknown> => {
    const ten = await Promise.all(Array.from({ length: 10 }, (_, i) => noop(i)));
    const hundred = await Promise.all(Array.from({ length: 100 }, (_, i) => noop(1_000 + i)));
    return { numbers: [...ten, ...hundred] };
  };
  const collectWithHook = async (token: string, customData: string): Promise<unknown> => {
    const hook = createHook({ token, metadata: { customData } });
    const collected: unknown[] = [];
    await writeEvent("hookCreated");
    for await (const event of hook) {
      await writeEvent("hookResumed", event);
      collected.push(event);
      if (event.done === true) break;
    }
    return { collected };
  };
  const retryableAndFatal = async (): Promise<unknown> => {
    const retryableResult = await flaky();
    let gotFatalError = false;
    try {
      await fails();
    } catch (error) {
      // Not instanceof, because the error comes from outside the VM.
      gotFatalError = (error as Error).name === "FatalError";
    }
    return { retryableResult, gotFatalError };
  };
  vm.__private_workflows = new Map<string, (...args: never[]) => Promise<unknown>>([
    ["addition", (a: number, b: number) => add(a, b)],
    ["brokenWf", brokenWf],
    ["collectWithHook", collectWithHook],
    ["nullByteWorkflow", () => nullByteStep()],
    ["retryableAndFatalErrorWorkflow", retryableAndFatal],
  ]);
}

/** The suite allows ten seconds. */
const RETRY_MS = 1_000;

async function setup() {
  const home = setUpWorld();
  const world = home.open();
  const noops: number[] = [];
  const told: unknown[] = [];
  const attempts: number[] = [];
  const core = await attach(world, scriptOf(installSuite), {
    add: async (a: number, b: number) => a + b,
    async noop(n: number) {
      noops.push(n);
      return n;
    },
    nullByteStep: async () => "null byte \0",
    async writeEvent(event: string, payload: unknown) {
      told.push([event, payload]);
    },
    async stepThatThrowsRetryableError() {
      attempts.push(Date.now());
      if (attempts.length === 1) throw new RetryableError("once more", { retryAfter: RETRY_MS });
      return { attempt: attempts.length };
    },
    async stepThatFails() {
      throw new FatalError("for good");
    },
  });
  return { ...home, world, core, noops, told, attempts };
}

test("[WF13] addition: the workflow returns its step's result", async () => {
  const { core, world } = await setup();
  const { output, runId } = await runToEnd(core, world, "addition", [1, 2]);
  expect(runId).toMatch(/^wrun_.+/);
  expect(output).toBe(3);
});

test("[WF13] idempotency: each of ten, and of a hundred, concurrent steps runs once", async () => {
  const { core, world, noops } = await setup();
  const { output } = await runToEnd(core, world, "brokenWf", []);
  expect((output as { numbers: number[] }).numbers).toHaveLength(110);
  expect(noops.toSorted((a, b) => a - b)).toEqual((output as { numbers: number[] }).numbers);
});

test("[WF13] hooks: payloads arrive in order, with the hook's metadata, until the workflow disposes of it", async () => {
  const { core, world, told } = await setup();
  const ready = nextEvent(world, ({ eventType }) => eventType === "step_completed");
  const runId = await startRun(core, world, "collectWithHook", ["my-token", "my-data"]);
  const end = runEnd(world, runId);
  await ready;
  const payloads = [{ data: "first" }, { data: "second" }, { data: "third", done: true }];
  for (const payload of payloads)
    await core.use(world, async ({ getHookByToken, resumeHook }) => {
      const { metadata } = await getHookByToken("my-token");
      await resumeHook("my-token", { ...payload, metadata });
    });
  await end;
  const { output } = await world.runs.get(runId);
  const collected = payloads.map((payload) =>
    Object.assign({ metadata: { customData: "my-data" } }, payload),
  );
  expect(await core.decodeResult(output, runId)).toEqual({ collected });
  expect(told).toEqual([["hookCreated", undefined], ...collected.map((event) => ["hookResumed", event])]);
});

test("[WF13] null bytes in step results", async () => {
  const { core, world } = await setup();
  expect((await runToEnd(core, world, "nullByteWorkflow", [])).output).toBe("null byte \0");
});

test("[WF13] errors: a step that asks for a retry is retried; a fatal error is caught", async () => {
  const { core, world, attempts } = await setup();
  const { output } = await runToEnd(core, world, "retryableAndFatalErrorWorkflow", []);
  expect(output).toEqual({ gotFatalError: true, retryableResult: { attempt: 2 } });
  expect((attempts[1] ?? 0) - (attempts[0] ?? 0)).toBeGreaterThanOrEqual(RETRY_MS);
});
