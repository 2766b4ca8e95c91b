import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";
import { isStubbed } from "../../../packages/world/src/core/stubs-of.ts";

const stubs = fileURLToPath(new URL("../../../packages/world/src/core/stubs.ts", import.meta.url));

/** Leaves out of the bundle what Workflow DevKit would bring for Worlds that are not ours. */
export const workflowStubs: Plugin = {
  name: "workflow-stubs",
  setup(build) {
    build.onResolve({ filter: /^(@workflow|@vercel|@aws-sdk|\.{1,2})\// }, ({ path, importer }) =>
      isStubbed(path, importer) ? { path: stubs } : undefined,
    );
  },
};
