import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Workers, and what they start themselves, need not compile the same files over and over.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("./node_modules/.cache/tests", import.meta.url));

/** These start processes, threads, servers or browsers, or measure memory: each has a process of its own. */
const APART = [
  "e2e/**/*.test.ts",
  "packages/*/src/node/**/*.test.ts",
  "packages/{gateway,store}/src/**/*.test.ts",
  // What their fixture opens is closed with the first file that has loaded it.
  "packages/agent/src/{plan,replay}/*.test.ts",
  "apps/*/src/**/*.test.ts",
];

const shared = { testTimeout: 30_000, hookTimeout: 30_000, pool: "forks" } as const;

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
          include: ["packages/*/src/**/*.test.ts", "evals/**/*.test.ts"],
          exclude: APART,
          // They leave nothing behind: files run one after the other in the same process, with modules loaded once.
          isolate: false,
        },
      },
    ],
  },
});
