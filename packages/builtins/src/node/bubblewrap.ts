import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, sep } from "node:path";
import { throwIfAborted } from "@deputy/kit";
import { ToolsError } from "@deputy/tools";
import type { HostCommand, OuterSandbox } from "../bash/outer-sandbox.ts";

export interface BubblewrapOptions {
  readonly program: string;
  readonly network: "none" | "host";
  /** Paths that are visible in addition to the system's own, to read or to write. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Always hidden, whatever else is visible: Deputy's home. */
  readonly hidden: readonly string[];
  /** Whether Deputy itself is root. */
  readonly isRoot: boolean;
}

/** The workspace's path inside the sandbox. */
export const WORKSPACE = "/workspace";
const SYSTEM: readonly string[] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt"];
/**
 * The parts of `/etc` that programs need to start, to resolve names and to check certificates. None of them holds
 * secrets.
 */
const SETTINGS: readonly string[] = [
  "/etc/alternatives",
  "/etc/ca-certificates",
  "/etc/group",
  "/etc/hosts",
  "/etc/ld.so.cache",
  "/etc/ld.so.conf",
  "/etc/ld.so.conf.d",
  "/etc/localtime",
  "/etc/nsswitch.conf",
  "/etc/passwd",
  "/etc/pki",
  "/etc/resolv.conf",
  "/etc/ssl",
];
/** Where the kernel takes orders. A new `/proc` has them; `/sys` is not there at all. */
const ORDERS: readonly string[] = [
  "/proc/acpi",
  "/proc/bus",
  "/proc/fs",
  "/proc/irq",
  "/proc/scsi",
  "/proc/sys",
  "/proc/sysrq-trigger",
];
/** The user and group that a command is, where Deputy is root. Every system calls them `nobody`. */
const NOBODY = 65_534;

/**
 * Linux namespaces through `bwrap`: its own processes, the system to read, the workspace to write, no network. Where
 * Deputy is root, a command is `nobody`: the kernel lets root change its settings even without any capability.
 */
export function createBubblewrap(options: BubblewrapOptions): OuterSandbox {
  const { isRoot } = options;
  const isAlone = options.readable.length + options.writable.length === 0;
  const others = isAlone
    ? ""
    : `, and the folders that your settings add${isRoot ? " as far as nobody may" : ""}`;
  const network = options.network === "none" ? "no network" : "the network";
  const who = isRoot ? "it runs as the user nobody, " : "it ";
  return {
    level: {
      name: "bubblewrap",
      reach: `In a sandbox (bubblewrap): ${who}can read the system's programs, change only the workspace${others}, and use ${network}.`,
      // In a folder that the settings add, there may be a socket of another program.
      contains: isAlone && options.network === "none",
      endsProcesses: true,
    },
    async prepare(folder, signal) {
      if (!isRoot) return;
      const { execFile } = process.getBuiltinModule("node:child_process");
      const { promisify } = process.getBuiltinModule("node:util");
      const { file, args } = handOver(options, folder);
      try {
        await promisify(execFile)(file, args, { env: {}, signal });
      } catch (cause) {
        throwIfAborted(signal);
        throw new ToolsError(
          "sandbox_unavailable",
          "The files of the workspace could not be given to the user that commands run as",
          { cause },
        );
      }
    },
    wrap: (command) => wrap(options, command),
  };
}

export function wrap(options: BubblewrapOptions, command: HostCommand): HostCommand {
  const hidden = options.hidden.map(real);
  const isHidden = (path: string): boolean =>
    hidden.some((place) => path === place || path.startsWith(place + sep));
  /** Hidden folders inside a visible one are covered by an empty folder. */
  const cover = (path: string): string[] =>
    hidden.flatMap((place) => (place.startsWith(path + sep) ? ["--tmpfs", place] : []));
  const show = (flag: "--ro-bind" | "--bind", paths: readonly string[]): string[] =>
    paths
      .map(real)
      .filter((path) => existsSync(path) && !isHidden(path))
      .flatMap((path) => [...foldersAbove(path), flag, path, path].concat(cover(path)));
  const inside = {
    ...command.env,
    HOME: "/tmp",
    TMPDIR: "/tmp",
    USER: "deputy",
    LOGNAME: "deputy",
  };
  const cwd = command.cwd === "" ? WORKSPACE : `${WORKSPACE}/${command.cwd}`;
  const args = [
    ...namespaces(options),
    "--die-with-parent",
    "--new-session",
    "--cap-drop",
    "ALL",
    ...(options.isRoot ? ["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"] : []).flatMap((name) => [
      "--cap-add",
      name,
    ]),
    "--clearenv",
    ...Object.entries(inside).flatMap(([name, value]) => ["--setenv", name, value]),
    ...systemArgs(),
    ...ORDERS.flatMap((path) => (existsSync(path) ? ["--ro-bind", path, path] : [])),
    "--dev",
    "/dev",
    ...["/dev/shm", "/tmp"].flatMap((path) => ["--perms", "1777", "--tmpfs", path]),
    ...show("--ro-bind", options.readable),
    ...show("--bind", options.writable),
    "--bind",
    command.folder,
    WORKSPACE,
    "--chdir",
    options.isRoot ? "/" : cwd,
    "--",
    ...(options.isRoot ? [...BECOME_NOBODY, ...ENTER, cwd] : []),
    command.file,
    ...command.args,
  ];
  return { file: options.program, args, folder: "/", cwd: "", env: {} };
}

/**
 * All but a user namespace: in one of its own, a process could become nobody else, and would still be root for the
 * kernel.
 */
const NAMESPACES_OF_ROOT: readonly string[] = [
  "--unshare-ipc",
  "--unshare-pid",
  "--unshare-uts",
  "--unshare-cgroup-try",
];

function namespaces({ isRoot, network }: BubblewrapOptions): readonly string[] {
  if (isRoot) return network === "none" ? [...NAMESPACES_OF_ROOT, "--unshare-net"] : NAMESPACES_OF_ROOT;
  return network === "none" ? ["--unshare-all"] : ["--unshare-all", "--share-net"];
}

const BECOME_NOBODY: readonly string[] = [
  "/usr/bin/setpriv",
  `--reuid=${NOBODY}`,
  `--regid=${NOBODY}`,
  "--clear-groups",
  "--inh-caps=-all",
  "--ambient-caps=-all",
  "--bounding-set=-all",
  "--no-new-privs",
  "--",
];

/** Only nobody may enter folders that are nobody's alone, so it is done after becoming it. */
const ENTER: readonly string[] = ["/bin/sh", "-c", 'cd "$0" && exec "$@"'];

/**
 * Makes everything in a folder nobody's. It runs in a sandbox that sees nothing else of the disk to write: a command in
 * the background may put a link in its way at any moment.
 */
export function handOver({ program }: BubblewrapOptions, folder: string): Pick<HostCommand, "file" | "args"> {
  const own = [`${NOBODY}:${NOBODY}`, "{}", "+"];
  const args = [
    ...NAMESPACES_OF_ROOT,
    "--unshare-net",
    "--die-with-parent",
    "--new-session",
    "--cap-drop",
    "ALL",
    ...["CAP_CHOWN", "CAP_DAC_READ_SEARCH"].flatMap((name) => ["--cap-add", name]),
    ...systemArgs(),
    "--bind",
    folder,
    WORKSPACE,
    "--",
    "/usr/bin/find",
    WORKSPACE,
    "-xdev",
    "!",
    "-uid",
    String(NOBODY),
    "-exec",
    "/bin/chown",
    "-h",
    ...own,
  ];
  return { file: program, args };
}

/** The system to read, and a `/proc` of its own. */
function systemArgs(): string[] {
  return [
    ...SYSTEM.flatMap(showSystem),
    ...foldersAbove("/etc/passwd"),
    ...SETTINGS.flatMap((path) => (existsSync(path) ? ["--ro-bind", path, path] : [])),
    "--proc",
    "/proc",
  ];
}

/** Bubblewrap would make them so that only root may enter. Those that are there stay as they are. */
function foldersAbove(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [] : [...foldersAbove(above), "--perms", "0755", "--dir", above];
}

/** Many systems have `/bin` as a link to `usr/bin`. */
function showSystem(path: string): readonly string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
