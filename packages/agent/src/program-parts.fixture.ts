import type { Sandbox, TypeChecker, TypeStripper } from "@deputy/codemode";
import { createNodeTypeChecker, createNodeTypeStripper, createWorkerSandbox } from "@deputy/codemode/node";
import { afterAll } from "vitest";

/** What programs run with. */
export interface ProgramParts {
  readonly sandbox: Sandbox;
  readonly checker: TypeChecker;
  readonly stripper: TypeStripper;
}

let opened: ProgramParts | undefined;

/** Those of the test file that runs now. */
export function programParts(): ProgramParts {
  opened ??= {
    sandbox: createWorkerSandbox(),
    checker: createNodeTypeChecker(),
    stripper: createNodeTypeStripper(),
  };
  return opened;
}

/** For each test file that uses them: they end with the file. The next file in the same process gets others. */
export function endProgramPartsAfterwards(): void {
  afterAll(async () => {
    const ended = opened;
    opened = undefined;
    await ended?.sandbox[Symbol.asyncDispose]();
    await ended?.checker[Symbol.asyncDispose]();
  });
}
