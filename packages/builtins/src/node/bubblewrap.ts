import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { sep } from "node:path";
import type { HostCommand, OuterSandbox } from "../bash/outer-sandbox.ts";

export interface BubblewrapOptions {
  readonly program: string;
  readonly network: "none" | "host";
  /** Paths that are visible in addition to the system's own, to read or to write. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Always hidden, whatever else is visible: Deputy's home. */
  readonly hidden: readonly string[];
}

/** The workspace's path inside the sandbox. */
const WORKSPACE = "/workspace";
const PROBE_MS = 5_000;
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

/** Linux namespaces through `bwrap`: its own processes, the system to read, the workspace to write, no network. */
export function createBubblewrap(options: BubblewrapOptions): OuterSandbox {
  const others =
    options.readable.length + options.writable.length === 0 ? "" : ", and the folders that your settings add";
  const network = options.network === "none" ? "no network" : "the network";
  return {
    level: {
      name: "bubblewrap",
      reach: `In a sandbox (bubblewrap): it can read the system's programs, change only the workspace${others}, and use ${network}.`,
      endsProcesses: true,
    },
    wrap: (command) => wrap(options, command),
  };
}

/** Undefined when it works here; else why it does not. Tries it: a kernel may have it, and not let us. */
export function probeBubblewrap(options: BubblewrapOptions): string | undefined {
  const { file, args } = wrap(options, { file: "/bin/true", args: [], folder: "/usr", cwd: "", env: {} });
  // Loaded when a command is first asked about: a daemon that runs none does without.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { error, status, stderr } = spawnSync(file, args, { env: {}, timeout: PROBE_MS, encoding: "utf8" });
  if (error !== undefined) return error.message;
  return status === 0 ? undefined : stderr.trim().slice(0, 300) || `it ended with ${status}`;
}

function wrap(options: BubblewrapOptions, command: HostCommand): HostCommand {
  const hidden = options.hidden.map(real);
  const isHidden = (path: string): boolean =>
    hidden.some((place) => path === place || path.startsWith(place + sep));
  /** Hidden folders inside a visible one are covered by an empty folder. */
  const cover = (path: string): string[] =>
    hidden.flatMap((place) => (place.startsWith(path + sep) ? ["--tmpfs", place] : []));
  const show = (flag: "--ro-bind" | "--bind", paths: readonly string[]): string[] =>
    paths
      .map(real)
      .flatMap((path) => (existsSync(path) && !isHidden(path) ? [flag, path, path].concat(cover(path)) : []));
  const inside = {
    ...command.env,
    HOME: "/tmp",
    TMPDIR: "/tmp",
    USER: "deputy",
    LOGNAME: "deputy",
  };
  const args = [
    "--unshare-all",
    ...(options.network === "host" ? ["--share-net"] : []),
    "--die-with-parent",
    "--new-session",
    "--cap-drop",
    "ALL",
    "--clearenv",
    ...Object.entries(inside).flatMap(([name, value]) => ["--setenv", name, value]),
    ...SYSTEM.flatMap(showSystem),
    ...SETTINGS.flatMap((path) => (existsSync(path) ? ["--ro-bind", path, path] : [])),
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    "--tmpfs",
    "/tmp",
    ...show("--ro-bind", options.readable),
    ...show("--bind", options.writable),
    "--bind",
    command.folder,
    WORKSPACE,
    "--chdir",
    command.cwd === "" ? WORKSPACE : `${WORKSPACE}/${command.cwd}`,
    "--",
    command.file,
    ...command.args,
  ];
  return { file: options.program, args, folder: "/", cwd: "", env: {} };
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
