import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongFirst } from "./e2e/long-first.ts";
import { PATIENCE_MS } from "./e2e/patience.ts";

/** These start processes and browsers, and end what they have started. */
const STARTING = ["e2e/*.test.ts", "examples/**/*.test.ts", "packages/browser/src/node/**/*.test.ts"];

/** Those on Node that leave no thread behind: a process for each would cost more than they do. */
const SHARING = [
  "packages/{net,source-mcp,tasks}/src/node/**/*.test.ts",
  "packages/builtins/src/node/{script-contents,workspace-state}.security.test.ts",
  "packages/bundles/src/node/{install-bundle.test,tampered.security.test}.ts",
  "packages/builtins/src/node/sandbox/cgroups.test.ts",
  "packages/codemode/src/node/{background-clock,checked-globals,choose-slot,type-stripper.conformance}.test.ts",
  "packages/codemode/src/node/typescript/*.test.ts",
  "packages/embedder/src/node/download-model.test.ts",
  "packages/memory/src/node/{common-terms,file-source,note-files,open-sqlite-store}.test.ts",
  "packages/search/src/node/open-vector-file.test.ts",
  "packages/source-openapi/src/node/read-spec.test.ts",
  "packages/tools/src/node/{examples,load-plugin}.test.ts",
  "packages/tools/src/node/plugins/module-graph.security.test.ts",
  "packages/workspace/src/node/{git-names*,local-*}.test.ts",
];

/** These run threads in their own process, count what it holds, or kill: each has a process of its own. */
const APART = globSync(
  [
    "e2e/*/**/*.test.ts",
    "packages/*/src/node/**/*.test.ts",
    "packages/gateway/src/{robustness,ws/socket}.security.test.ts",
    "packages/world/src/queue/dispatcher.test.ts",
  ],
  { cwd: import.meta.dirname, exclude: SHARING },
);

/**
 * For processes that make much and keep little: a larger space for new objects is collected less often, and threads that
 * help with it only take the cores from other files. A tenth less of the processor.
 */
const FEW_COLLECTIONS = ["--single-threaded-gc", "--max-semi-space-size=64"];

/**
 * Packages are found as Node finds them. Vitest would add the condition `development`, under which some are sources that
 * Node does not load; what a configuration sets is only added to that.
 */
const asNode = {
  name: "as-node-finds-packages",
  configResolved({ ssr }: { readonly ssr: { readonly resolve?: { readonly conditions?: string[] } } }): void {
    ssr.resolve?.conditions?.splice(0, Infinity, "node");
  },
};

const shared = {
  // They end a test that hangs, never one that is slow because the machine is busy.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: PATIENCE_MS } },
  pool: "forks" as const,
  // Node runs the sources itself and keeps what it has compiled: nothing is transformed, and nothing is mocked.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  setupFiles: ["./e2e/compile-cache.ts", "./e2e/fixed-seed.ts", "./e2e/patient-waits.ts"],
};

export default defineConfig({
  test: {
    globalSetup: "./e2e/global-setup.ts",
    reporters: ["default", "./e2e/summary-reporter.ts"],
    // Two more than there are cores: a file whose processes wait for each other leaves its core to another.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongFirst },
    projects: [
      { plugins: [asNode], test: { ...shared, name: "apart", include: APART, exclude: STARTING } },
      { plugins: [asNode], test: { ...shared, name: "starting", include: STARTING, isolate: false } },
      {
        plugins: [asNode],
        test: {
          ...shared,
          name: "together",
          include: ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.ts", "evals/**/*.test.ts"],
          exclude: [...APART, ...STARTING],
          // As those that start processes, they leave nothing behind: file after file in the same process, with every
          // module loaded once.
          isolate: false,
          execArgv: FEW_COLLECTIONS,
        },
      },
    ],
  },
});
