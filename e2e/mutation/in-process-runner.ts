import { globSync } from "node:fs";
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { type CollectedTest, collectTests, collection, type TestGroup } from "./collected-tests.ts";

/**
 * A test runner for Stryker that keeps the tests loaded and runs those that reach a mutant in its own
 * process: about a hundred times as fast as one that starts vitest for each. A mutant that is active while
 * modules load gets them loaded anew. One that never ends is Stryker's to end, with this process.
 */
export const strykerPlugins = [{ kind: "TestRunner", name: "in-process", factory: createRunner }];
createRunner.inject = ["options"] as const;

/** What instrumented code reads and counts. */
interface Switchboard {
  activeMutant: string | undefined;
  currentTestId: string | undefined;
  hitCount: number | undefined;
  hitLimit: number | undefined;
  mutantCoverage: unknown;
}

interface MutantRun {
  readonly activeMutant: { readonly id: string };
  readonly testFilter?: readonly string[];
  readonly hitLimit?: number;
  readonly mutantActivation: "static" | "runtime";
}

interface TestResult {
  readonly id: string;
  readonly name: string;
  readonly timeSpentMs: number;
  /** As Stryker counts: 0 is a success, 1 a failure. */
  readonly status: 0 | 1;
  readonly failureMessage?: string;
}

/** They measure time: a mutant would fall to a busy machine. */
const TIMED = /takes? no (?:quadratic )?time/;
/** As long as a loaded machine may need; a mutant that hangs is given up earlier, by `timeoutMS`. */
const TEST_MS = 30_000;
const STAND_IN = new URL("vitest.ts", import.meta.url).href;
const NOTHING_REMEMBERED = new URL("remembered.ts", import.meta.url).href;

function createRunner(options: { readonly inProcess: { readonly tests: readonly string[] } }) {
  const root = pathToFileURL(`${process.cwd()}/`).href;
  const board = ((globalThis as { __stryker__?: Partial<Switchboard> }).__stryker__ ??= {}) as Switchboard;
  board.mutantCoverage = { static: {}, perTest: {} };
  // In the order they are listed: what is quick comes first.
  const files = options.inProcess.tests.flatMap((pattern) => globSync(pattern).sort());
  let groups: TestGroup[] = [];
  let version = 0;
  let isFresh = false;

  const load = async (): Promise<void> => {
    // Files share their modules: what one of them closes at its end, another may still need.
    for (const step of groups.flatMap(closingOf)) await within(step);
    version += 1;
    groups = [];
    for (const file of files) groups.push(await collectTests(file, () => import(`${root}${file}`)));
    isFresh = true;
  };

  const runTest = async ({ name, run }: CollectedTest): Promise<TestResult> => {
    const { finishing } = collection();
    const startedMs = performance.now();
    board.currentTestId = name;
    const failures: unknown[] = [];
    await within(run).catch((error: unknown) => failures.push(error));
    for (const step of finishing.splice(0).reverse())
      await within(step).catch((error: unknown) => failures.push(error));
    board.currentTestId = undefined;
    const result = { id: name, name, timeSpentMs: performance.now() - startedMs };
    return failures.length === 0 ? { ...result, status: 0 } : failed(result, failures[0]);
  };

  /** Until the first failure. */
  const runGroup = async (group: TestGroup, isWanted: (test: CollectedTest) => boolean) => {
    if (!testsOf(group).some(isWanted)) return [];
    const results: TestResult[] = [];
    const hasFailed = (): boolean => results.at(-1)?.status === 1;
    for (const step of group.beforeAll) await within(step);
    for (const test of group.tests) if (!hasFailed() && isWanted(test)) results.push(await runTest(test));
    for (const inner of group.groups) if (!hasFailed()) results.push(...(await runGroup(inner, isWanted)));
    return results;
  };

  const runAll = async (filter?: readonly string[]): Promise<readonly TestResult[]> => {
    const wanted = filter && new Set(filter);
    const isWanted = ({ name }: CollectedTest): boolean => !TIMED.test(name) && (wanted?.has(name) ?? true);
    const results: TestResult[] = [];
    for (const group of groups)
      if (results.at(-1)?.status !== 1) results.push(...(await runGroup(group, isWanted)));
    return results;
  };

  return {
    capabilities: () => ({ reloadEnvironment: true }),

    async init() {
      registerHooks({
        resolve(specifier, context, next) {
          if (specifier === "vitest" && context.parentURL !== STAND_IN)
            return { url: STAND_IN, shortCircuit: true };
          const found = next(specifier, context);
          // Answers from before a mutant was active would hide it.
          if (found.url === `${root}packages/policy/src/remembered.ts`)
            return { ...found, url: NOTHING_REMEMBERED };
          const isOurs = found.url.startsWith(root) && !found.url.includes("/node_modules/");
          return isOurs ? { ...found, url: `${found.url}?version=${version}` } : found;
        },
      });
      // What a mutant leaves behind fails whichever test runs, or nobody.
      for (const event of ["unhandledRejection", "uncaughtException"]) process.on(event, () => undefined);
    },

    async dryRun() {
      await load();
      const tests = await runAll();
      return { status: "complete", tests, mutantCoverage: structuredClone(board.mutantCoverage) };
    },

    async mutantRun({ activeMutant, testFilter, hitLimit, mutantActivation }: MutantRun) {
      const isStatic = mutantActivation === "static";
      board.hitCount = hitLimit === undefined ? undefined : 0;
      board.hitLimit = hitLimit;
      let results: readonly TestResult[];
      try {
        if (!isFresh && !isStatic) await load();
        board.activeMutant = activeMutant.id;
        if (isStatic) await load();
        results = await runAll(testFilter);
      } catch (error) {
        // Not even its module loads, or what the tests need.
        results = [failed({ id: "load", name: "load", timeSpentMs: 0 }, error)];
      } finally {
        board.activeMutant = undefined;
        isFresh &&= !isStatic;
      }
      if ((board.hitCount ?? 0) > (hitLimit ?? Infinity)) return { status: "timeout" };
      const nrOfTests = results.length;
      const bad = results.find(({ status }) => status === 1);
      if (bad === undefined) return { status: "survived", nrOfTests };
      return { status: "killed", killedBy: [bad.id], failureMessage: bad.failureMessage, nrOfTests };
    },
  };
}

function failed(result: Omit<TestResult, "status">, error: unknown): TestResult {
  return { ...result, status: 1, failureMessage: error instanceof Error ? error.message : String(error) };
}

function testsOf(group: TestGroup): readonly CollectedTest[] {
  return [...group.tests, ...group.groups.flatMap(testsOf)];
}

function closingOf(group: TestGroup): TestGroup["afterAll"] {
  return [...group.groups.flatMap(closingOf), ...group.afterAll];
}

/** Rejects when the step does, or takes too long. */
async function within(step: () => unknown): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("The test took too long")), TEST_MS);
  try {
    await Promise.race([(async () => step())(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
