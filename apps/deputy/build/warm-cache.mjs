// After `npm ci`: strips and compiles the sources once, into the cache that bin/deputy.mjs uses, so that
// already the first start of the daemon is quick and holds no TypeScript compiler in memory. It is only
// that: where it cannot be done (an older Node, nothing installed yet), the first start does it.
import * as nodeModule from "node:module";
import { fileURLToPath } from "node:url";

try {
  nodeModule.enableCompileCache(
    fileURLToPath(new URL("../../../node_modules/.cache/deputy", import.meta.url)),
  );
  await import("../src/main.ts");
  await import("../src/invocation.ts");
  await import("../src/stop-signal.ts");
  await import("../src/commands/serve.ts");
  await import("../src/open-turns.ts");
  await import("../../../packages/tools/src/node/plugins/serve-plugin.ts");
  nodeModule.flushCompileCache();
} catch {
  process.stdout.write("Deputy's first start will take a moment longer.\n");
}
