import { createHash } from "node:crypto";
import { describeWorkspace } from "@deputy/testing";
import { createWorkspace } from "../create-workspace.ts";
import { createMemoryFileTree } from "./memory-file-tree.ts";
import { createMemoryShadowStore } from "./memory-shadow-store.ts";

describeWorkspace("a workspace in memory", async (limits) => {
  const real = createMemoryFileTree();
  const store = createMemoryShadowStore(new Map([["folder", real]]));
  const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
  const reopen = () =>
    createWorkspace({ store, hash, now: Date.now, ...(limits === undefined ? {} : { limits }) });
  return { workspace: reopen(), root: "folder", real, reopen, async [Symbol.asyncDispose]() {} };
});
