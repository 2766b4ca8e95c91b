import { defineConfig } from "vitest/config";

/** These start processes, threads, servers or browsers, or measure memory: each has a process of its own. */
const APART = [
  "e2e/**/*.test.ts",
  "packages/*/src/node/**/*.test.ts",
  "packages/{engine,gateway,store}/src/**/*.test.ts",
  // What their fixture opens is closed with the first file that has loaded it.
  "packages/agent/src/{plan,replay}/*.test.ts",
];

const shared = {
  testTimeout: 30_000,
  hookTimeout: 30_000,
  // On a busy machine a second is not long.
  expect: { poll: { timeout: 10_000 } },
  pool: "forks",
  setupFiles: "./e2e/compile-cache.ts",
} as const;

export default defineConfig({
  test: {
    reporters: ["default", "./e2e/summary-reporter.ts"],
    maxWorkers: 2,
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
