import { defineConfig } from "vitest/config";

/** The tests by which mutants of the policy are judged. */
export default defineConfig({
  test: {
    include: ["packages/policy/src/rules/**/*.test.ts", "packages/policy/src/provenance/**/*.test.ts"],
  },
});
