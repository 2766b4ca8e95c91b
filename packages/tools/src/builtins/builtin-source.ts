import type { Workspace } from "@deputy/workspace";
import type { ToolSource } from "../create-catalogue.ts";
import { type BashDeps, bashTools } from "./bash-tool.ts";
import { browserTools, type BrowserToolsDeps } from "./browser/browser-tools.ts";
import { filesTools } from "./files-tools.ts";
import { type WebDeps, webTools } from "./web-tools.ts";
import { createWorkspaceLane } from "./workspace-lane.ts";
import { workspaceTools } from "./workspace-tools.ts";

/** The tools that every installation has. What they work on is opened when one of them is first called. */
export function builtinSource(deps: {
  readonly workspace: () => Promise<Workspace>;
  readonly bash: BashDeps;
  readonly browsers: BrowserToolsDeps["browsers"];
  readonly web: WebDeps;
}): ToolSource {
  const lane = createWorkspaceLane();
  return {
    source: "Deputy's own tools",
    tree: {
      files: filesTools(deps.workspace, lane),
      workspace: workspaceTools(deps.workspace, lane),
      bash: bashTools(deps.bash, lane),
      browser: browserTools(deps, lane),
      web: webTools(deps.web),
    },
  };
}
