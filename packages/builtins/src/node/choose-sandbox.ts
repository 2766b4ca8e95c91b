import { makeVisible } from "@deputy/kit";
import { ToolsError } from "@deputy/tools";
import type { OuterSandbox } from "../bash/outer-sandbox.ts";
import { type BubblewrapOptions, createBubblewrap, handOver, wrap } from "./bubblewrap.ts";
import { existsSync, writeFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandRunner } from "../bash/command-runner.ts";

/** `auto`: bubblewrap where it works, else none, unless it worked before; `bubblewrap`: that or nothing. */
export type SandboxChoice = "auto" | "bubblewrap" | "none";

/**
 * Chooses the sandbox for commands on this machine by trying it. It is never weaker than an earlier process promised,
 * because the user's old approvals and grants may be used only now. Throws `sandbox_unavailable`.
 */
export function chooseSandbox(
  choice: SandboxChoice,
  options: BubblewrapOptions,
  record: SandboxRecord,
): OuterSandbox {
  if (choice === "none") return createNoSandbox();
  const why = probeBubblewrap(options);
  if (why === undefined) {
    record.promise();
    return createBubblewrap(options);
  }
  if (choice === "auto" && !record.wasPromised()) return createNoSandbox(why);
  throw new ToolsError(
    "sandbox_unavailable",
    `Commands may only run in bubblewrap, which does not work${choice === "auto" ? " any more" : ""}: ${why}`,
    {
      hint: 'Install bubblewrap, or allow commands without it: tools.bash.sandbox "none".',
    },
  );
}

/** No sandbox: a command has all rights of the user. `why`: what keeps this machine from having one. */
export function createNoSandbox(why?: string): OuterSandbox {
  const because = why === undefined ? "" : ` (it does not work here: ${makeVisible(why)})`;
  return {
    level: {
      name: "none",
      reach: `No sandbox${because}: it can read and change everything that you can, Deputy's home included, and use the network.`,
      contains: false,
      endsProcesses: false,
    },
    prepare: async () => undefined,
    wrap: (command) => command,
  };
}

/** Remembers whether commands were promised bubblewrap here. It outlives the process, as answers and grants do. */
interface SandboxRecord {
  wasPromised(): boolean;
  /** Durable enough to be there after a restart. Idempotent. Throws `sandbox_unavailable`. */
  promise(): void;
}

export function createSandboxRecord(file: string): SandboxRecord {
  return {
    wasPromised: () => existsSync(file),
    promise() {
      if (existsSync(file)) return;
      try {
        writeFileSync(file, "Commands were promised bubblewrap.\n", { mode: 0o600 });
      } catch (cause) {
        throw new ToolsError("sandbox_unavailable", "What commands run in could not be noted down", {
          cause,
        });
      }
    },
  };
}

const PROBE_MS = 10_000;
const MADE = "made-by-the-probe";

/**
 * Tries, as a command would, everything that a sandbox is said to prevent, and what it is said to allow. What it finds
 * it says, and ends. It writes to the kernel only what stands there already, so that nothing happens where that is not
 * refused. Its arguments: the number of folders to be hidden, those, then places that must not be writable.
 */
const SCRIPT = `
say() { echo "$1"; exit 1; }
(echo ok > ${MADE}) 2>/dev/null || say "a command cannot write into the workspace"
(echo ok > "$HOME/${MADE}") 2>/dev/null || say "a command cannot write into its home"
hidden=$1; shift
while [ "$hidden" -gt 0 ]; do
  [ -z "$(ls -A "$1" 2>/dev/null)" ] || say "a command can see Deputy's home"
  hidden=$((hidden - 1)); shift
done
for setting in kernel/core_pattern vm/swappiness kernel/hostname fs/suid_dumpable; do
  file=/proc/sys/$setting
  value=$(cat $file 2>/dev/null) || continue
  (printf '%s\\n' "$value" > $file) 2>/dev/null && say "a command can change the kernel's settings ($file)"
done
for place in /proc/sysrq-trigger /sys/power/state /etc/passwd; do
  (: >> $place) 2>/dev/null && say "a command can write to $place"
done
for place in "$@"; do
  [ -d "$place" ] || continue
  (: > "$place/${MADE}") 2>/dev/null && { rm -f "$place/${MADE}"; say "a command can write into $place"; }
done
while read -r name value _; do
  case $name in Cap*) [ "$value" = 0000000000000000 ] || say "a command has capabilities" ;; esac
done < /proc/self/status
if [ "$NETWORK" = none ]; then
  while read -r name _; do
    case $name in Inter-*|face*|lo:*) ;; *) say "a command can see the network" ;; esac
  done < /proc/net/dev
fi
echo held
`;

const MUST_NOT_BE_WRITABLE: readonly string[] = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt"];

/**
 * Undefined when bubblewrap holds here what it is said to; else why it does not. Takes a fraction of a second. Whatever
 * a card says about the sandbox, this has seen.
 */
export function probeBubblewrap(options: BubblewrapOptions): string | undefined {
  // Loaded when a command is first asked about: a daemon that runs none does without.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const start = (file: string, args: readonly string[]): string | undefined => {
    const { error, status, stdout, stderr } = spawnSync(file, args, {
      env: {},
      timeout: PROBE_MS,
      encoding: "utf8",
    });
    if (error !== undefined)
      return "code" in error && error.code === "ENOENT" ? "bubblewrap is not installed" : error.message;
    if (status === 0) return undefined;
    return (stdout || stderr).trim().slice(0, 300) || `it ended with ${status}`;
  };
  const folder = mkdtempSync(join(tmpdir(), "deputy-probe-"));
  try {
    if (options.isRoot) {
      const { file, args } = handOver(options, folder);
      const why = start(file, args);
      if (why !== undefined) return why;
    }
    const { file, args } = wrap(options, {
      file: "/bin/bash",
      args: ["-c", SCRIPT, "probe", ...probed(options)],
      folder,
      cwd: "",
      env: { PATH: "/usr/bin:/bin", NETWORK: options.network },
    });
    return start(file, args) ?? lookAtMade(join(folder, MADE));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function probed({ hidden }: BubblewrapOptions): readonly string[] {
  return [String(hidden.length), ...hidden, ...MUST_NOT_BE_WRITABLE];
}

/** Whose file it is out here shows who wrote it in there, as the kernel sees it. */
function lookAtMade(file: string): string | undefined {
  const made = statSync(file, { throwIfNoEntry: false });
  if (made === undefined) return "a command cannot write into the workspace";
  return made.uid === 0 ? "a command is root for the kernel" : undefined;
}

/** Commands in the workspace. What they run in is chosen once: later commands get no less than the first. */
export function createCommandRunner(deps: {
  /** May throw `sandbox_unavailable`. */
  readonly chooseSandbox: () => OuterSandbox;
  /** The workspace's current folder. */
  readonly folder: (signal: AbortSignal) => Promise<string>;
  readonly env: NodeJS.ProcessEnv;
  readonly maxOutputBytes: number;
}): CommandRunner {
  let chosen: OuterSandbox | undefined;
  const sandboxOf = (): OuterSandbox => (chosen ??= deps.chooseSandbox());
  return {
    reach() {
      try {
        return sandboxOf().level.reach;
      } catch (error) {
        if (error instanceof ToolsError) return `It will not run: ${error.message}`;
        throw error;
      }
    },
    isContained() {
      try {
        return sandboxOf().level.contains;
      } catch (error) {
        if (error instanceof ToolsError) return false;
        throw error;
      }
    },
    async run(order, signal) {
      const sandbox = sandboxOf();
      // Loaded when a command runs: a daemon that runs none does without.
      const { runCommand } = await import("./run-command.ts");
      const { scrubbedEnv } = await import("@deputy/tools/node/env");
      const folder = await deps.folder(signal);
      await sandbox.prepare(folder, signal);
      return await runCommand(
        { ...order, folder, env: scrubbedEnv(deps.env) },
        { sandbox, maxOutputBytes: deps.maxOutputBytes, nowMs: () => performance.now() },
        signal,
      );
    },
  };
}
