import { defineConfig } from "vitest/config";
import { LongFirst } from "./e2e/long-first.ts";

/** These start processes, threads, servers or browsers, or measure memory: each has a process of its own. */
const APART = [
  "e2e/**/*.test.ts",
  "packages/*/src/node/**/*.test.ts",
  "packages/{engine,gateway,store}/src/**/*.test.ts",
  // What their fixture opens is closed with the first file that has loaded it.
  "packages/agent/src/{plan,replay}/*.test.ts",
];

const shared = {
  // They end a test that hangs, never one that is slow because the machine is busy.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
  pool: "forks" as const,
  setupFiles: ["./e2e/compile-cache.ts", "./e2e/fixed-seed.ts"],
};

export default defineConfig({
  test: {
    globalSetup: "./e2e/global-setup.ts",
    reporters: ["default", "./e2e/summary-reporter.ts"],
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    projects: [
      { test: { ...shared, name: "apart", include: APART } },
      {
        test: {
          ...shared,
          name: "together",
          include: ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.ts", "evals/**/*.test.ts"],
          exclude: APART,
          // They leave nothing behind: file after file in the same process, with every module loaded once.
          isolate: false,
        },
      },
    ],
  },
});
