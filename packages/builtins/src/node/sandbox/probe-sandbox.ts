import { existsSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPlace, type PlaceTerms } from "../../sandbox/command-place.ts";
import type { CommandLimits, OuterSandbox } from "@deputy/tools";

/** The workspace's path inside. */
export const WORKSPACE = "/workspace";

export type Probed =
  /** `unkept`: limits that are not kept here. */
  | { readonly kind: "holds"; readonly unkept: ReadonlySet<string> }
  | { readonly kind: "fails"; readonly why: string };

const PROBE_MS = 10_000;
const MADE = "made-by-the-probe";

/** Small enough to be reached in a moment, and enough for a shell. */
const PROBE_LIMITS: CommandLimits = {
  cpuMs: 1_000_000,
  memoryBytes: 128 * 1024 * 1024,
  processes: 500,
  fileBytes: 64 * 1024,
};

/**
 * Tries, as a command would, everything that a sandbox is said to prevent, and what it is said to allow. What it finds
 * it says, and ends. It writes to the kernel only what stands there already, so that nothing happens where that is not
 * refused. Its arguments: the number of folders to be hidden, those, then places that must not be writable.
 */
const VIEW = `
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
`;

/** Says of each limit that is not kept its name. */
const LIMITS = `
echo held
[ "$(ulimit -t)" = 1000 ] || echo unkept cpu
dd if=/dev/zero of=/dev/null bs=300000000 count=1 2>/dev/null && echo unkept memory
(head -c 200000 /dev/zero > big) 2>/dev/null; [ "$(wc -c < big)" -le 65536 ] || echo unkept files
[ "$(ulimit -u)" = 500 ] || echo unkept processes
`;

const MUST_NOT_BE_WRITABLE: readonly string[] = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt"];

/**
 * Whether a sandbox holds here what it promises, which takes a fraction of a second. Whatever a card says about a
 * sandbox, this has seen.
 */
export function probeSandbox(sandbox: OuterSandbox, terms: PlaceTerms): Probed {
  const view = sandbox.promises.files === "view";
  return inScratch((folder) => {
    const said = runProbe(sandbox, terms, folder, view ? VIEW + LIMITS : LIMITS);
    if ("why" in said) return { kind: "fails", why: said.why };
    const why = view ? lookAtMade(join(folder, MADE)) : undefined;
    return why === undefined ? { kind: "holds", unkept: said.unkept } : { kind: "fails", why };
  });
}

/** Which limits are not kept without a sandbox. */
export function probeLimits(sandbox: OuterSandbox, terms: PlaceTerms): ReadonlySet<string> {
  const found = probeSandbox(sandbox, terms);
  return found.kind === "holds" ? found.unkept : new Set(["cpu", "memory", "files", "processes"]);
}

function inScratch<T>(use: (folder: string) => T): T {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "deputy-probe-")));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runProbe(
  sandbox: OuterSandbox,
  terms: PlaceTerms,
  folder: string,
  script: string,
): { readonly unkept: ReadonlySet<string> } | { readonly why: string } {
  const place = createPlace(sandbox, { ...terms, limits: PROBE_LIMITS });
  const hand = place.handOver?.(folder);
  const handed = hand === undefined ? undefined : start({ ...hand, cwd: "/", env: {} });
  if (handed !== undefined && "why" in handed) return handed;
  const { command } = place.start({
    file: "bash",
    args: ["-c", script, "probe", String(terms.hidden.length), ...terms.hidden, ...MUST_NOT_BE_WRITABLE],
    env: { PATH: "/usr/bin:/bin", NETWORK: terms.network },
    cwd: place.nameOf(folder, WORKSPACE),
    mounts: [{ from: folder, at: WORKSPACE, access: "write" }],
  });
  const done = start(command);
  command.ended?.();
  if ("why" in done) return done;
  const lines = done.text.split("\n");
  // Nothing of it has run, whatever the exit code.
  if (lines[0] !== "held") return { why: "a command does not run in it" };
  return { unkept: new Set(lines.flatMap((line) => (line.startsWith("unkept ") ? [line.slice(7)] : []))) };
}

function start({
  file,
  args,
  cwd,
  env,
}: {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}): { readonly text: string } | { readonly why: string } {
  // Loaded when a command is first asked about: a daemon that runs none does without.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { error, status, stdout, stderr } = spawnSync(file, args, {
    cwd,
    env,
    timeout: PROBE_MS,
    encoding: "utf8",
  });
  if (error !== undefined)
    return {
      why: "code" in error && error.code === "ENOENT" ? `${file} is not installed` : error.message,
    };
  if (status === 0) return { text: stdout };
  return { why: (stdout || stderr).trim().slice(0, 300) || `it ended with ${status}` };
}

/** Whose file it is out here shows who wrote it in there, as the kernel sees it. */
function lookAtMade(file: string): string | undefined {
  if (!existsSync(file)) return "a command cannot write into the workspace";
  return statSync(file).uid === 0 ? "a command is root for the kernel" : undefined;
}
