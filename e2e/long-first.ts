import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes longest although its file is short: begun last, it would run alone at the end. */
const LONG = [
  "e2e/durable/",
  "e2e/crash.test.ts",
  "worker-sandbox-probes.security.test.ts",
  "misbehaving-pages.security.test.ts",
  "e2e/mcp-client-conformance.test.ts",
  "e2e/keeper/",
  "e2e/replay.test.ts",
  "e2e/heartbeat.test.ts",
  "e2e/demo-days.test.ts",
  "e2e/shutdown.test.ts",
  "e2e/world/",
  "e2e/events.test.ts",
];

/** Long files first, and processes before what shares one: both cores are busy to the end. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONG.findIndex((part) => moduleId.includes(part));
      if (at >= 0) return at;
      return moduleId.includes("/e2e/") ? LONG.length : LONG.length + 1;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
