// A sandbox for Deputy's commands from what every Linux has: `unshare` and `setpriv` of util-linux, and `mount`.
// `docs/sandboxes.md` says how it is used. Of Deputy it imports nothing but types.
import { existsSync, lstatSync } from "node:fs";
import type { CreateSandbox, SandboxOrder } from "@deputy/tools";

/** Of the machine's disk, what programs need. */
const SYSTEM = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/etc/ld.so.cache",
  "/etc/passwd",
  "/etc/group",
];
const NOBODY = "65534";

/**
 * Runs in namespaces of its own, so nothing that it mounts is seen outside. Its arguments: the number of what follows
 * three by three (`ro`, `rw`, `link` or `empty`, from, at), those, how to become nobody, the folder, the command.
 */
const SET_UP = `
set -e
new=/mnt
mount --make-rprivate /
mount -t tmpfs -o mode=755 sandbox $new
n=$1; shift
while [ "$n" -gt 0 ]; do
  how=$1 from=$2 at=$new$3; shift 3; n=$((n - 1))
  case $how in
    link) ln -s "$from" "$at"; continue ;;
    empty) mkdir -p "$at"; mount -t tmpfs -o mode=755 sandbox "$at"; continue ;;
    open) mkdir -p "$at"; mount -t tmpfs -o mode=1777 sandbox "$at"; continue ;;
  esac
  mkdir -p "$(dirname "$at")"
  if [ -d "$from" ]; then mkdir -p "$at"; else [ -e "$at" ] || : > "$at"; fi
  mount --rbind "$from" "$at"
  [ $how = rw ] || mount -o remount,bind,ro "$at" 2>/dev/null || mount -o remount,bind,ro,nosuid,nodev "$at"
done
mkdir -p $new/proc
mount -t proc proc $new/proc
mount -o remount,bind,ro $new 2>/dev/null || true
exec "$(PATH=/usr/sbin:/sbin:/usr/bin:/bin command -v chroot)" $new "$@"
`;

const createUnshareSandbox: CreateSandbox = ({ name }) => {
  if (process.platform !== "linux") throw new Error("it needs the namespaces of Linux");
  const isRoot = process.getuid?.() === 0;
  return {
    name,
    promises: {
      files: "view",
      network: "as_ordered",
      endsProcesses: true,
      together: [],
      countsApart: true,
      ...(isRoot && { note: "it runs as the user nobody" }),
    },
    // What Deputy writes is root's, and a command is not.
    ...(isRoot && {
      handOver: (folder: string) => ({
        file: "chown",
        args: ["-hR", `${NOBODY}:${NOBODY}`, "--", folder],
      }),
    }),
    enter(order) {
      const become = ["--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all", "--no-new-privs"];
      const nobody = isRoot ? [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"] : [];
      const mounts = mountsOf(order);
      return {
        file: "unshare",
        args: [
          ...(isRoot ? [] : ["--user", "--map-root-user"]),
          "--mount",
          "--pid",
          "--ipc",
          "--uts",
          "--fork",
          "--kill-child",
          ...(order.network === "none" ? ["--net"] : []),
          "sh",
          "-c",
          SET_UP,
          "sandbox",
          String(mounts.length),
          ...mounts.flat(),
          "setpriv",
          ...nobody,
          ...become,
          "sh",
          "-c",
          'cd "$0" && exec "$@"',
          order.cwd,
          order.file,
          ...order.args,
        ],
        cwd: "/",
        env: order.env,
      };
    },
  };
};

export default createUnshareSandbox;

function mountsOf({ mounts, hidden }: SandboxOrder): readonly (readonly [string, string, string])[] {
  return [
    ...SYSTEM.filter((path) => existsSync(path)).map((path) =>
      lstatSync(path).isSymbolicLink()
        ? (["link", `usr${path}`, path] as const)
        : (["ro", path, path] as const),
    ),
    ...["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"].map((path) => ["rw", path, path] as const),
    ["open", "", "/tmp"],
    ...mounts.flatMap(({ from, at, access }) => [
      [access === "read" ? "ro" : "rw", from, at] as const,
      ...hidden
        .filter((place) => place.startsWith(`${from}/`))
        .map((place) => ["empty", "", at + place.slice(from.length)] as const),
    ]),
  ];
}
