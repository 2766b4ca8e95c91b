// Hostile programs, and the code that runs them in a sandbox. Free of any test framework: a page can run them
// too.
import { awkwardText } from "./awkward-text.ts";
import { constructorChains } from "./constructor-chains.ts";
import { deepRecursion } from "./deep-recursion.ts";
import { guestLoops, nativeLoops } from "./endless-loops.ts";
import { floods } from "./floods.ts";
import { forgedSettlements } from "./forged-settlements.ts";
import { hostileLogs } from "./hostile-logs.ts";
import { hostileValues } from "./hostile-values.ts";
import { leaks } from "./leaks.ts";
import { memoryBombs } from "./memory-bombs.ts";
import { patchedBuiltIns } from "./patched-built-ins.ts";
import { pollution } from "./pollution.ts";
import type { ProbeFamily } from "./probe.ts";
import { toolPaths } from "./tool-paths.ts";
import { wrapperEscapes } from "./wrapper-escapes.ts";

export type { Probe, ProbeFamily } from "./probe.ts";
export { openProbeRange, type ProbeRange } from "./probe-range.ts";

export const probeFamilies: readonly ProbeFamily[] = [
  constructorChains,
  pollution,
  hostileValues,
  patchedBuiltIns,
  leaks,
  wrapperEscapes,
  forgedSettlements,
  toolPaths,
  awkwardText,
  floods,
  hostileLogs,
  nativeLoops,
  guestLoops,
  memoryBombs,
  deepRecursion,
];
