import { createNodeTypeChecker, createNodeTypeStripper, createWorkerSandbox } from "@deputy/codemode/node";
import { replayRetail } from "./retail/replay-retail.ts";
import { compareGuards, type GuardComparison } from "./retail/worth-checking.ts";
import { formatTable } from "./table.ts";
import { checkMutations, type MutationReport } from "./typed/check-mutations.ts";
import { checkTruth, type TruthReport } from "./typed/check-truth.ts";
import { invisibleKinds } from "./typed/mutate-call.ts";
import { createRandom } from "./typed/random.ts";
import { readAgentDojo } from "./typed/read-agentdojo.ts";
import { readBfcl } from "./typed/read-bfcl.ts";
import { readTau2, tau2Corpus } from "./typed/read-tau2.ts";
import { createSchemaOracle } from "./typed/schema-oracle.ts";

const SEED = 20_240_515;
/** Calls of BFCL whose truth fits its own schema, of 3,302; a share, so that a part of it can be measured too. */
const MIN_BFCL_SHARE = 3_091 / 3_302;
const MIN_REFUSED_SHARE = 0.998;
const MAX_EXAMPLES = 5;

/**
 * How well declarations and checker tell right calls from wrong ones, and what that is worth. Prints tables;
 * resolves with whether every target holds. Rejects when a corpus is missing.
 */
export async function evaluateTypedCorpora(directory: string): Promise<boolean> {
  const signal = new AbortController().signal;
  const oracle = createSchemaOracle();
  const tau2 = await readTau2(directory);
  const corpora = [await readAgentDojo(directory), tau2Corpus(tau2), await readBfcl(directory)];
  await using checker = createNodeTypeChecker();
  await using sandbox = createWorkerSandbox();

  const truths: TruthReport[] = [];
  for (const corpus of corpora) truths.push(await checkTruth(checker, oracle, corpus, signal));
  const truthHolds = reportTruths(truths);

  const mutations = await checkMutations({ checker, oracle, random: createRandom(SEED) }, corpora, signal);
  const mutationsHold = reportMutations(mutations);

  const deps = { checker, sandbox, stripper: createNodeTypeStripper() };
  const replay = await replayRetail(deps, tau2, signal);
  console.log(`\nτ² retail in the sandbox: ${replay.programs} programs, ${replay.calls} calls`);
  console.log(`results, errors and databases that differ from the record: ${replay.differences.length}`);
  for (const line of replay.differences.slice(0, MAX_EXAMPLES)) console.log(`  ${line}`);

  const worth = await compareGuards({ ...deps, oracle, random: createRandom(SEED) }, tau2, signal);
  reportGuards(worth);

  const holds = [truthHolds, mutationsHold, replay.differences.length === 0];
  console.log(`\ntyped-corpora: ${holds.every(Boolean) ? "every target holds" : "A TARGET IS MISSED"}`);
  return holds.every(Boolean);
}

function reportGuards({ reports, medianCheckMs }: GuardComparison): void {
  console.log("\nτ² retail programs with one wrong call, by what stands between them and the tools");
  const columns = ["programs", "no effect", "half done", "completed", "writes left", "wrong writes"];
  const rows = reports.map((row) => [
    row.guard,
    row.programs,
    row.withoutEffect,
    row.halfDone,
    row.completed,
    row.writesLeftBehind,
    row.wrongWrites,
  ]);
  console.log(formatTable(["guard", ...columns], rows));
  console.log(`typechecking one took ${medianCheckMs.toFixed(1)} ms (median)`);
}

function reportTruths(truths: readonly TruthReport[]): boolean {
  console.log("\nGround-truth calls as programs");
  console.log(
    formatTable(
      ["corpus", "calls", "typecheck", "refused, explained", "unexplained"],
      truths.map(({ corpus, calls, accepted, unexplained }) => [
        corpus,
        calls,
        accepted,
        calls - accepted - unexplained.length,
        unexplained.length,
      ]),
    ),
  );
  for (const { corpus, explained, unexplained } of truths) {
    for (const [reason, count] of [...explained].sort(([, a], [, b]) => b - a)) {
      console.log(`  ${corpus}: ${String(count).padStart(3)} × ${reason}`);
    }
    for (const line of unexplained.slice(0, MAX_EXAMPLES)) console.log(`  ${corpus}: UNEXPLAINED ${line}`);
  }
  return truths.every(({ corpus, calls, accepted, unexplained }) => {
    const share = corpus === "BFCL" ? MIN_BFCL_SHARE : 1;
    return unexplained.length === 0 && accepted >= Math.floor(calls * share);
  });
}

function reportMutations(reports: readonly MutationReport[]): boolean {
  const isVisible = ({ kind }: MutationReport): boolean => !invisibleKinds.some((one) => one === kind);
  const visible = reports.filter(isVisible);
  const made = visible.reduce((sum, report) => sum + report.made, 0);
  const refused = visible.reduce((sum, report) => sum + report.refused, 0);
  const share = (one: number, all: number): string =>
    all === 0 ? "–" : `${((100 * one) / all).toFixed(2)} %`;
  const row = (kind: string, report: { made: number; refused: number }): readonly (string | number)[] => [
    kind,
    report.made,
    report.refused,
    report.made - report.refused,
    share(report.refused, report.made),
  ];
  console.log("\nThe same calls with one mistake, each certainly against its schema");
  console.log(
    formatTable(
      ["mistake", "made", "refused", "missed", "share"],
      [
        ...visible.map((report) => row(report.kind, report)),
        row("all of these", { made, refused }),
        ...reports.filter((report) => !isVisible(report)).map((report) => row(`${report.kind} *`, report)),
      ],
    ),
  );
  console.log("* no TypeScript type can show it; the tool's own schema does, when it is called");
  for (const { kind, missed } of visible) {
    for (const line of missed.slice(0, MAX_EXAMPLES)) console.log(`  missed, ${kind}: ${line.slice(0, 300)}`);
  }
  return refused >= made * MIN_REFUSED_SHARE;
}
