import type { Workspace } from "@deputy/workspace";
import { isTool, type ToolContext, type ToolSource, type ToolTree } from "@deputy/tools";
import { bashTools } from "./bash/bash-tool.ts";
import { createWorkspaceChanges } from "./bash/workspace-changes.ts";
import { browserTools, type BrowserToolsDeps } from "@deputy/browser";
import { type ExecDeps, execTool, processTools } from "./exec/exec-tools.ts";
import { filesTools } from "./files/files-tools.ts";
import type { FurtherFolders } from "./files/further-folders.ts";
import { cronTools } from "./own-tools/cron-tools.ts";
import { hookTools } from "./own-tools/hook-tools.ts";
import { memoryTools } from "./own-tools/memory-tools.ts";
import type { OwnToolsDeps } from "./own-tools/own-services.ts";
import { sessionTools } from "./own-tools/session-tools.ts";
import { slashCommandTools } from "./own-tools/slash-command-tools.ts";
import { taskTools } from "./own-tools/task-tools.ts";
import { todoTools } from "./own-tools/todo-tools.ts";
import { type TimeDeps, timeTools } from "./time/time-tools.ts";
import { type WebDeps, webTools } from "./web/web-tools.ts";
import { createWorkspaceLane } from "@deputy/workspace/lane";
import { type ShellDeps, shellTools } from "./shell/shell-tools.ts";
import { workspaceTools } from "./files/workspace-tools.ts";

/** The tools that every installation has. What they work on is opened when one of them is first called. */
export function builtinSource(deps: {
  readonly workspace: () => Promise<Workspace>;
  readonly bash: ExecDeps;
  readonly shell: ShellDeps;
  readonly browsers: BrowserToolsDeps["browsers"];
  readonly web: WebDeps;
  readonly own: OwnToolsDeps;
  readonly time: TimeDeps;
  /** Absent where the settings name none. */
  readonly further?: FurtherFolders | undefined;
}): ToolSource {
  const changes = createWorkspaceChanges({
    lane: createWorkspaceLane(),
    state: ({ command, cwd }) => deps.bash.state(command, cwd),
  });
  const { lane } = changes;
  return {
    source: "Deputy's own tools",
    tree: {
      ...snapshotBeforeChange(
        {
          files: filesTools(deps.workspace, lane, deps.further),
          workspace: workspaceTools(deps.workspace, lane),
          shell: shellTools(deps.shell, deps.workspace, lane),
          bash: bashTools(deps.bash, changes),
          exec: execTool(deps.bash, changes),
        },
        deps.workspace,
      ),
      process: processTools(deps.bash),
      tasks: taskTools(() => deps.own.services().tasks),
      cron: cronTools(() => deps.own.services().reminders),
      memory: memoryTools(() => deps.own.services().memory),
      hooks: hookTools(() => deps.own.services().hooks),
      sessions: sessionTools(() => deps.own.services().sessions),
      todo: todoTools((session, signal) => deps.own.services().todo(session, signal)),
      slash_command: slashCommandTools(deps.own.slashCommands),
      browser: browserTools(deps, lane),
      web: webTools(deps.web),
      time: timeTools(deps.time),
    },
  };
}

/** Namespaces of Deputy's own tools: what a document or a server of others names does not take their place. */
export const OWN_NAMESPACES: ReadonlySet<string> = new Set([
  "bash",
  "browser",
  "cron",
  "deputy",
  "exec",
  "files",
  "hooks",
  "memory",
  "process",
  "sessions",
  "shell",
  "skill",
  "slash_command",
  "tasks",
  "time",
  "todo",
  "web",
  "workspace",
]);

/** Turns of which this process knows that there is a snapshot. */
const MOST_TURNS = 200;

/**
 * The same tools; before the first of them that may change files in a turn, the workspace keeps the files as they are.
 * What runs outside a turn is not covered.
 */
function snapshotBeforeChange(tree: ToolTree, workspace: () => Promise<Workspace>): ToolTree {
  const known = new Set<string>();
  const before = async ({ turn, signal }: ToolContext): Promise<void> => {
    if (turn === undefined || known.has(turn)) return;
    await (await workspace()).snapshot(turn, signal);
    known.add(turn);
    const [oldest] = known;
    if (oldest !== undefined && known.size > MOST_TURNS) known.delete(oldest);
  };
  const wrap = (part: ToolTree): ToolTree =>
    Object.fromEntries(
      Object.entries(part).map(([name, entry]) => {
        if (!isTool(entry)) return [name, "kind" in entry ? entry : wrap(entry)];
        const { definition } = entry;
        if (definition.effect === undefined || definition.effect === "read") return [name, entry];
        const run: typeof definition.run = async (input, context) => {
          await before(context);
          return await definition.run(input, context);
        };
        return [name, Object.freeze({ ...entry, definition: { ...definition, run } })];
      }),
    );
  return wrap(tree);
}
