import type { Workspace } from "@deputy/workspace";
import type { ToolSource } from "../create-catalogue.ts";
import { type BashDeps, bashTools } from "./bash-tool.ts";
import { filesTools } from "./files-tools.ts";
import { workspaceTools } from "./workspace-tools.ts";

/** The tools that every installation has. What they work on is opened when one of them is first called. */
export function builtinSource(deps: {
  readonly workspace: () => Promise<Workspace>;
  readonly bash: BashDeps;
}): ToolSource {
  return {
    source: "Deputy's own tools",
    tree: {
      files: filesTools(deps.workspace),
      workspace: workspaceTools(deps.workspace),
      bash: bashTools(deps.bash),
    },
  };
}
