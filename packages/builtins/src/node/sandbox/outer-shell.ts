import { spawn } from "node:child_process";
import type { OuterShell } from "@deputy/contained-shell/node";
import type { CommandPlace } from "../../sandbox/command-place.ts";
import type { SandboxAudit } from "../../sandbox/sandbox-audit.ts";
import { handOver } from "./hand-over.ts";

/** A place for commands as the contained shell needs one: its scripts see the workspace there, to read. */
export function createOuterShell(place: CommandPlace, audit: SandboxAudit): OuterShell {
  return {
    prepare: async (folder, signal) => await handOver(place, folder, signal),
    start({ file, args, mounts }) {
      const { command } = place.start({
        file,
        args,
        env: { PATH: "/usr/bin:/bin" },
        cwd: "/",
        mounts,
        // Scripts are to reach nothing but the workspace, whatever commands may.
        terms: "none",
      });
      const child = spawn(command.file, command.args, {
        cwd: command.cwd,
        env: command.env,
        stdio: ["pipe", "pipe", "pipe"],
        // A process group of its own, so that all of it can be ended at once.
        detached: true,
      });
      return { child, ended: () => command.ended?.() ?? [] };
    },
    nameOf: place.nameOf,
    note: ({ script, mounts, ...ended }) =>
      audit({
        what: "script",
        line: script,
        session: undefined,
        place: place.name,
        order: { mounts, network: "none", limits: place.limits },
        ...ended,
      }),
  };
}
