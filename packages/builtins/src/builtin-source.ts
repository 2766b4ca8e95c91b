import type { Workspace } from "@deputy/workspace";
import type { ToolSource } from "@deputy/tools";
import { bashTools } from "./bash/bash-tool.ts";
import { browserTools, type BrowserToolsDeps } from "@deputy/browser";
import { type ExecDeps, execTool, processTools } from "./exec/exec-tools.ts";
import { filesTools } from "./files/files-tools.ts";
import { cronTools } from "./office/cron-tools.ts";
import { memoryTools } from "./office/memory-tools.ts";
import type { OfficeDeps } from "./office/office.ts";
import { sessionTools } from "./office/session-tools.ts";
import { slashCommandTools } from "./office/slash-command-tools.ts";
import { taskTools } from "./office/task-tools.ts";
import { todoTools } from "./office/todo-tools.ts";
import { type WebDeps, webTools } from "./web/web-tools.ts";
import { createWorkspaceLane } from "@deputy/workspace/lane";
import { workspaceTools } from "./files/workspace-tools.ts";

/** The tools that every installation has. What they work on is opened when one of them is first called. */
export function builtinSource(deps: {
  readonly workspace: () => Promise<Workspace>;
  readonly bash: ExecDeps;
  readonly browsers: BrowserToolsDeps["browsers"];
  readonly web: WebDeps;
  readonly office: OfficeDeps;
}): ToolSource {
  const lane = createWorkspaceLane();
  return {
    source: "Deputy's own tools",
    tree: {
      files: filesTools(deps.workspace, lane),
      workspace: workspaceTools(deps.workspace, lane),
      bash: bashTools(deps.bash, lane),
      exec: execTool(deps.bash, lane),
      process: processTools(deps.bash),
      tasks: taskTools(() => deps.office.office().tasks),
      cron: cronTools(() => deps.office.office().reminders),
      memory: memoryTools(),
      sessions: sessionTools(() => deps.office.office().sessions),
      todo: todoTools((session, signal) => deps.office.office().todo(session, signal)),
      slash_command: slashCommandTools(deps.office.slashCommands),
      browser: browserTools(deps, lane),
      web: webTools(deps.web),
    },
  };
}
