import { emitDeclarations } from "@deputy/codemode";
import { createProgress } from "../progress.ts";
import type { Random } from "../typed/random.ts";
import { declareTau2Tools, type Tau2 } from "../typed/read-tau2.ts";
import type { SchemaOracle } from "../typed/schema-oracle.ts";
import type { ReplayDeps } from "./replay-retail.ts";
import { type CellTool, createRetailTools } from "./retail-tools.ts";
import { openRetailWorld, RetailError } from "./retail-world.ts";
import { runCell } from "./run-cell.ts";
import { writeWrongPrograms } from "./wrong-programs.ts";

/** How wrong calls are kept from the tools. */
const guards = ["typecheck first", "validate each call", "nothing"] as const;
type Guard = (typeof guards)[number];

/** What became of all programs under one guard. */
export interface GuardReport {
  readonly guard: Guard;
  readonly programs: number;
  /** Ended, by whatever, before anything was written. */
  readonly withoutEffect: number;
  /** Ended in the middle: something was written, the rest was not. */
  readonly halfDone: number;
  /** Ran to the end as if nothing were wrong. */
  readonly completed: number;
  /** Writes that were done before a program ended in the middle. */
  readonly writesLeftBehind: number;
  /** Writes done by a call that does not fit its schema. */
  readonly wrongWrites: number;
}

export interface GuardComparison {
  readonly reports: readonly GuardReport[];
  /** What half of the programs took less than to typecheck. */
  readonly medianCheckMs: number;
}

export interface WorthDeps extends ReplayDeps {
  readonly oracle: SchemaOracle;
  readonly random: Random;
}

/** Programs of several calls, one of them wrong: what each guard lets happen. */
export async function compareGuards(
  deps: WorthDeps,
  { retail }: Pick<Tau2, "retail">,
  signal: AbortSignal,
): Promise<GuardComparison> {
  const declared = declareTau2Tools("retail", retail);
  const declarations = emitDeclarations(declared);
  const schemas = new Map(declared.map(({ path, inputSchema }) => [path, inputSchema]));
  const isWrite = new Map(retail.tools.map(({ name, type }) => [`retail.${name}`, type === "write"]));
  const programs = writeWrongPrograms(deps, retail.tasks, schemas, isWrite);
  const onProgress = createProgress("wrong programs", programs.length * guards.length);
  const checkMs: number[] = [];

  const run = async (code: string, guard: Guard): Promise<GuardReport> => {
    let writes = 0;
    let wrongWrites = 0;
    const guarded =
      (path: string, tool: CellTool): CellTool =>
      (input) => {
        const isWrong = deps.oracle.errors(schemas.get(path) ?? {}, input).length > 0;
        if (isWrong && guard !== "nothing") throw new RetailError("The input does not fit");
        const result = tool(input);
        if (isWrite.get(path) === true) writes += 1;
        if (isWrite.get(path) === true && isWrong) wrongWrites += 1;
        return result;
      };
    const isStopped = guard === "typecheck first" && !(await typechecks(code));
    const isCompleted = !isStopped && (await execute(code, guarded)) === "completed";
    return {
      guard,
      programs: 1,
      withoutEffect: !isCompleted && writes === 0 ? 1 : 0,
      halfDone: !isCompleted && writes > 0 ? 1 : 0,
      completed: isCompleted ? 1 : 0,
      writesLeftBehind: isCompleted ? 0 : writes,
      wrongWrites,
    };
  };
  const typechecks = async (code: string): Promise<boolean> => {
    const startedMs = performance.now();
    const found = await deps.checker.check({ code, declarations }, signal);
    checkMs.push(performance.now() - startedMs);
    return found.length === 0;
  };
  const execute = async (
    code: string,
    guarded: (path: string, tool: CellTool) => CellTool,
  ): Promise<"completed" | "failed"> => {
    const tools = createRetailTools(openRetailWorld(retail.db));
    const behind = new Map([...tools].map(([path, tool]) => [path, guarded(path, tool)]));
    return (await runCell(deps.sandbox, deps.stripper.strip(code), behind, signal)).kind;
  };

  const reports: GuardReport[] = [];
  for (const [round, guard] of guards.entries()) {
    let report = emptyReport(guard);
    for (const [index, program] of programs.entries()) {
      report = addReports(report, await run(program, guard));
      onProgress(round * programs.length + index + 1);
    }
    reports.push(report);
  }
  return { reports, medianCheckMs: checkMs.sort((a, b) => a - b)[checkMs.length >> 1] ?? 0 };
}

function emptyReport(guard: Guard): GuardReport {
  return {
    guard,
    programs: 0,
    withoutEffect: 0,
    halfDone: 0,
    completed: 0,
    writesLeftBehind: 0,
    wrongWrites: 0,
  };
}

function addReports(a: GuardReport, b: GuardReport): GuardReport {
  return {
    guard: a.guard,
    programs: a.programs + b.programs,
    withoutEffect: a.withoutEffect + b.withoutEffect,
    halfDone: a.halfDone + b.halfDone,
    completed: a.completed + b.completed,
    writesLeftBehind: a.writesLeftBehind + b.writesLeftBehind,
    wrongWrites: a.wrongWrites + b.wrongWrites,
  };
}
