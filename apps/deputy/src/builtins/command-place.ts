import { join } from "node:path";
import type { CommandPlace, SandboxAudit } from "@deputy/builtins";
import type { OuterShell } from "@deputy/contained-shell/node";
import {
  chooseSandbox,
  createOuterShell,
  createSandboxRecord,
  placeTerms,
} from "@deputy/builtins/node/sandbox";
import { CodedError } from "@deputy/kit";
import { ToolsError } from "@deputy/tools";
import { commandLimits } from "../config/sandbox-schema.ts";
import type { Home } from "../home.ts";
import { openOwnSandbox } from "./own-sandbox.ts";
import { locateDirectory } from "./workspace-directory.ts";

const SANDBOX_RECORD = "sandbox";

/**
 * Where commands of a home run, as the settings choose it: the sandbox is tried, an adapter of the user's own is loaded
 * before. Rejects with `sandbox_unavailable`.
 */
export async function openCommandPlace(
  home: Pick<Home, "directory" | "config">,
  bubblewrap = "bwrap",
  /** `look`: nothing is promised to anybody by it. */
  why: "run" | "look" = "run",
): Promise<CommandPlace> {
  const { directory, config } = home;
  const { sandbox: chosen, network, limits } = config.tools.bash;
  const { additionalReadDirs, additionalWriteDirs } = config.security;
  const locate = (path: string): string => locateDirectory(directory, path);
  const record = createSandboxRecord(join(directory, SANDBOX_RECORD));
  const open = (choice: Parameters<typeof chooseSandbox>[0]): CommandPlace =>
    chooseSandbox(choice, {
      terms: placeTerms({
        network: network ? "host" : "none",
        readable: additionalReadDirs.map(locate),
        writable: additionalWriteDirs.map(locate),
        hidden: [directory],
        limits: commandLimits(limits),
      }),
      bubblewrap,
      isRoot: process.getuid?.() === 0,
      record: why === "run" ? record : { ...record, promise: () => undefined },
    });
  if (chosen === "auto" || chosen === "none" || chosen === "bubblewrap") return open(chosen);
  let own;
  try {
    own = await openOwnSandbox(home, chosen);
  } catch (cause) {
    if (!(cause instanceof CodedError)) throw cause;
    throw new ToolsError("sandbox_unavailable", cause.message, {
      cause,
      ...(cause.hint !== undefined && { hint: cause.hint }),
    });
  }
  return open({ own });
}

/** The sandbox of scripts, if the settings want one; it is that of commands. What it gives rejects as that does. */
export function outerShell(
  home: Pick<Home, "directory" | "config">,
  audit: SandboxAudit,
): (() => Promise<OuterShell>) | undefined {
  if (home.config.tools.shell.sandbox === "none") return undefined;
  return async () => {
    const place = await openCommandPlace(home);
    if (place.name === "none")
      throw new ToolsError(
        "sandbox_unavailable",
        "Scripts may only run in a sandbox, and there is none here",
        {
          hint: 'tools.shell.sandbox "none" runs them in threads of Deputy, where they reach nothing either.',
        },
      );
    return createOuterShell(place, audit);
  };
}
