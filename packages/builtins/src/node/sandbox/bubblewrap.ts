import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { dirname, sep } from "node:path";
import type { OuterSandbox, SandboxedCommand, SandboxMount, SandboxOrder } from "@deputy/tools";
import type { Cgroups } from "./cgroups.ts";

export interface BubblewrapOptions {
  readonly program: string;
  /** Whether Deputy itself is root. */
  readonly isRoot: boolean;
  /** Where limits for all processes of a command together can be had. */
  readonly cgroups?: Cgroups | undefined;
}

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
 * Linux namespaces through `bwrap`: its own processes, the system to read, what is mounted, no network. Where Deputy is
 * root, a command is `nobody`: the kernel lets root change its settings even without any capability.
 */
export function createBubblewrap(options: BubblewrapOptions): OuterSandbox {
  const { isRoot, cgroups, program } = options;
  return {
    name: "bubblewrap",
    promises: {
      files: "view",
      network: "as_ordered",
      endsProcesses: true,
      together: cgroups === undefined ? [] : ["memory", "processes"],
      countsApart: true,
      ...(isRoot && { note: "it runs as the user nobody" }),
    },
    ...(isRoot && { handOver: (folder: string) => handOver(program, folder) }),
    enter(order) {
      const command = wrap(options, order);
      const group = cgroups?.open(order.limits);
      if (group === undefined) return command;
      return {
        ...command,
        file: "/bin/sh",
        args: ["-c", 'echo $$ > "$0" && exec "$@"', group.procs, command.file, ...command.args],
        ended: () => group.close(),
      };
    },
  };
}

function wrap(options: BubblewrapOptions, order: SandboxOrder): SandboxedCommand {
  /** Hidden folders inside a visible one are covered by an empty folder. */
  const cover = ({ from, at }: SandboxMount): readonly string[] =>
    order.hidden.flatMap((place) =>
      place.startsWith(from + sep) ? ["--tmpfs", at + place.slice(from.length)] : [],
    );
  const args = [
    ...namespaces(options, order),
    "--die-with-parent",
    "--new-session",
    "--cap-drop",
    "ALL",
    ...(options.isRoot ? ["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"] : []).flatMap((name) => [
      "--cap-add",
      name,
    ]),
    "--clearenv",
    ...Object.entries(order.env).flatMap(([name, value]) => ["--setenv", name, value]),
    ...systemArgs(),
    ...ORDERS.flatMap((path) => (existsSync(path) ? ["--ro-bind", path, path] : [])),
    "--dev",
    "/dev",
    ...["/dev/shm", "/tmp"].flatMap((path) => ["--perms", "1777", "--tmpfs", path]),
    ...order.mounts.flatMap((mount) => [
      ...foldersAbove(mount.at),
      mount.access === "read" ? "--ro-bind" : "--bind",
      mount.from,
      mount.at,
      ...cover(mount),
    ]),
    "--chdir",
    options.isRoot ? "/" : order.cwd,
    "--",
    ...(options.isRoot ? [...BECOME_NOBODY, ...ENTER, order.cwd] : []),
    order.file,
    ...order.args,
  ];
  return { file: options.program, args, cwd: "/", env: {} };
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

function namespaces(
  { isRoot }: BubblewrapOptions,
  { network }: Pick<SandboxOrder, "network">,
): readonly string[] {
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

const HANDED = "/workspace";

/**
 * Makes everything in a folder nobody's. It runs in a sandbox that sees nothing else of the disk to write: a command in
 * the background may put a link in its way at any moment.
 */
function handOver(program: string, folder: string): Pick<SandboxedCommand, "file" | "args"> {
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
    HANDED,
    "--",
    "/usr/bin/find",
    HANDED,
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
