import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WorkspaceLimits } from "../workspace-limits.ts";
import { createLocalFileTree } from "./local-file-tree.ts";
import { openLocalWorkspace } from "./open-local-workspace.ts";

/** A home with a workspace in it, beside an empty folder of a user. */
export function openScratchWorkspace(limits?: WorkspaceLimits) {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "deputy-workspace-")));
  const home = join(scratch, "home");
  const root = join(scratch, "real");
  mkdirSync(home);
  mkdirSync(root);
  const reopen = () =>
    openLocalWorkspace({
      directory: join(home, "workspace"),
      apart: [home],
      now: Date.now,
      ...(limits === undefined ? {} : { limits }),
    });
  return {
    scratch,
    home,
    root,
    real: createLocalFileTree(root),
    workspace: reopen(),
    reopen,
    async [Symbol.asyncDispose]() {
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}
