import { benchCalls } from "./codemode/calls.ts";
import { benchChecks } from "./codemode/checks.ts";
import { benchDeclared } from "./codemode/declared.ts";
import { benchImages } from "./codemode/images.ts";
import { benchReplay } from "./codemode/replay.ts";
import { openRunners } from "./codemode/runners.ts";
import { benchStart } from "./codemode/start.ts";

/**
 * Code mode compared with its peers, in one run: each takes its turn in every round and medians are compared,
 * in CPU time where a line says so, because machines are shared and noisy.
 */
export async function benchCodemode(): Promise<void> {
  {
    await using runners = await openRunners();
    await benchStart(runners);
    await benchCalls(runners);
  }
  await benchImages();
  await benchReplay();
  await benchChecks();
  await benchDeclared();
}
