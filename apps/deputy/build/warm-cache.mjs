// After `npm ci`: strips and compiles the sources once, into the cache that bin/deputy.mjs uses, so that
// already the first start of the daemon is quick and holds no TypeScript compiler in memory. It is only
// that: where it cannot be done (an older Node, nothing installed yet), the first start does it.
import * as nodeModule from "node:module";
import { fileURLToPath } from "node:url";

try {
  nodeModule.enableCompileCache(
    fileURLToPath(new URL("../../../node_modules/.cache/deputy", import.meta.url)),
  );
  // What a daemon loads sooner or later: at its start, with the first page, the first turn and the first search.
  await import("../src/main.ts");
  await import("../src/invocation.ts");
  await import("../src/process/stop-signal.ts");
  await import("../src/commands/serve.ts");
  await import("../src/open-turns.ts");
  await import("../src/memory/home-memory.ts");
  await import("../src/memory/describe-memory.ts");
  await import("../src/memory/own-memory.ts");
  await import("../src/memory/recall-from-memory.ts");
  await import("../src/embedders/home-embedders.ts");
  await import("../src/channels/open-notifications.ts");
  await import("../src/setup-door/create-setup-door.ts");
  await import("../../../packages/embedder/src/node/open-minilm.ts");
  await import("../../../packages/engine/src/turns/assemble-turns.ts");
  await import("../../../packages/gateway/src/ws/socket-server.ts");
  await import("../../../packages/tasks/src/retention/keep-retention.ts");
  await import("../../../packages/tools/src/node/plugins/serve-plugin.ts");
  nodeModule.flushCompileCache();
} catch {
  process.stdout.write("Deputy's first start will take a moment longer.\n");
}
