import { createAcpAgent } from "@deputy/acp";
import { openEditorHost } from "../chat/open-editor-host.ts";
import { openStdioStream } from "@deputy/acp";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { catchStrayErrors } from "../process/stray-errors.ts";
import { VERSION } from "../version.ts";

/** `deputy acp`: an editor talks to Deputy over stdin and stdout, until it hangs up. */
export async function acp(invocation: Invocation, options: { readonly agent?: string }): Promise<ExitCode> {
  const { signal, warn, onBug } = invocation;
  if ("isTTY" in invocation.stdin && invocation.stdin.isTTY === true)
    invocation.announce("An editor should start this command: docs/editors.md explains how. Ctrl-C ends it.");
  const stream = openStdioStream();
  using stray = catchStrayErrors({ tell: invocation.onBug, shutDown: invocation.shutDown });
  const home = openHome(invocation.homeDirectory, warn);
  const gone = new AbortController();
  await using host = openEditorHost(invocation, home, gone.signal);
  const connection = createAcpAgent({
    host: host.open,
    agentId: options.agent ?? home.config.agents.default,
    version: VERSION,
    workspaceFolder: async () => {
      const { openWorkspace } = await import("../builtins/workspace-directory.ts");
      return await (await openWorkspace(home)).root(gone.signal);
    },
    warn,
    onBug,
    gone: gone.signal,
  }).connect(stream);
  const hangUp = (): void => connection.close();
  signal.addEventListener("abort", hangUp, { once: true });
  if (signal.aborted) hangUp();
  connection.signal.addEventListener("abort", () => gone.abort(), { once: true });
  await connection.closed;
  return stray.fatal() ? EXIT.failed : EXIT.done;
}
