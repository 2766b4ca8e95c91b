import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes longest although its file is short: begun last, it would run alone at the end. */
const LONG = [
  // With a process of their own.
  "e2e/durable/",
  "worker-sandbox-probes.security.test.ts",
  "e2e/keeper/",
  "e2e/memory/",
  "e2e/world/",
  "e2e/load/",
  "contained-shell.security.test.ts",
  "outer-shell.security.test.ts",
  // In processes that start others.
  "e2e/crash.test.ts",
  "bound-submit.security.test.ts",
  "chat-adversary.security.test.ts",
  "e2e/chat-kills.test.ts",
  "e2e/page-lost.test.ts",
  "misbehaving-pages.security.test.ts",
  "initiators.security.test.ts",
  "hostile-senders.security.test.ts",
  "hostile-pages.security.test.ts",
  "e2e/mcp-client-conformance.test.ts",
  "e2e/replay.test.ts",
  "e2e/heartbeat.test.ts",
  "e2e/demo-days.test.ts",
  "e2e/shutdown.test.ts",
  "e2e/events.test.ts",
  "e2e/exec-daemon.test.ts",
  "e2e/acp.test.ts",
  "e2e/chat-people.test.ts",
  "e2e/telegram.test.ts",
  "e2e/rehearsal.test.ts",
  "e2e/package.test.ts",
  "e2e/mcp-tools.test.ts",
];

/** The same for those that share a process: the first of them, so that a process is still shared. */
const LONG_TOGETHER = [
  "evals/adversary/adversary.security.test.ts",
  "-model.conformance.test.ts",
  "evals/played/",
  "sign-in-audit.security.test.ts",
  "packages/core-utils/src/core-utils.test.ts",
  "packages/agent/src/keeper/turn-keeper.property.test.ts",
];

/** The projects of vitest.config.ts. A process is shared only between files that come one after the other. */
const PROJECTS = ["starting", "apart", "together"];

/** Long files first, and processes before what shares one: both cores are busy to the end. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const at = LONG.findIndex((part) => moduleId.includes(part));
      if (at >= 0) return at;
      const isLong = LONG_TOGETHER.some((part) => moduleId.includes(part));
      return LONG.length + PROJECTS.indexOf(project.name) + (isLong ? -0.5 : 0);
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
