import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createBubblewrap } from "./bubblewrap.ts";
import { openCgroups } from "./cgroups.ts";

let own: string;
beforeEach(() => void (own = mkdtempSync(join(tmpdir(), "deputy-cgroup-"))));
afterEach(() => rmSync(own, { recursive: true, force: true }));

const LIMITS = { cpuMs: 1_000, memoryBytes: 123_456, processes: 7, fileBytes: 1_000 };

/** A folder as the kernel fills it: these controllers, handed down or to be handed down, and what was met. */
function kernel(options: {
  readonly controllers: string;
  readonly handed?: string;
  readonly met?: Readonly<Record<string, string>>;
}) {
  writeFileSync(join(own, "cgroup.controllers"), options.controllers);
  writeFileSync(join(own, "cgroup.subtree_control"), options.handed ?? "");
  writeFileSync(join(own, "cgroup.procs"), "");
  const made: string[] = [];
  const makeGroup = (folder: string): void => {
    mkdirSync(folder);
    made.push(basename(folder));
    writeFileSync(join(folder, "cgroup.procs"), "");
    for (const [name, text] of Object.entries(options.met ?? {})) writeFileSync(join(folder, name), text);
  };
  return { makeGroup, made };
}

test("[TB41] without control groups of its own, or without the controllers, there are none, and nothing is left", () => {
  expect(openCgroups(undefined)).toBeUndefined();
  const { makeGroup, made } = kernel({ controllers: "cpu hugetlb" });
  expect(openCgroups(own, makeGroup)).toBeUndefined();
  expect(made).toEqual([]);
  const refused = kernel({ controllers: "memory pids", handed: "memory pids" });
  const no = (): never => {
    throw Object.assign(new Error("EACCES"), { code: "EACCES" });
  };
  expect(openCgroups(own, no)).toBeUndefined();
  expect(refused.made).toEqual([]);
});

test("[TB41] a command gets a group with its limits, and what it met there is told", () => {
  const { makeGroup, made } = kernel({
    controllers: "cpu memory pids",
    handed: "memory pids",
    met: { "memory.events": "low 0\noom 1\noom_kill 2\n", "pids.events": "max 3\n" },
  });
  const cgroups = openCgroups(own, makeGroup);
  const group = cgroups?.open(LIMITS);
  const folder = join(own, made.at(-1) ?? "");
  expect(readFileSync(join(folder, "memory.max"), "utf8")).toBe("123456");
  expect(readFileSync(join(folder, "pids.max"), "utf8")).toBe("7");
  expect(group?.procs).toBe(join(folder, "cgroup.procs"));
  expect(group?.close()).toEqual([
    "more memory than it may have, for which the system ended a process",
    "more processes than it may have",
  ]);
  expect(readFileSync(join(folder, "cgroup.kill"), "utf8")).toBe("1");

  const sandbox = createBubblewrap({ program: "bwrap", isRoot: false, cgroups });
  expect(sandbox.promises.together).toEqual(["memory", "processes"]);
  const order = {
    file: "true",
    args: [],
    env: {},
    cwd: "/",
    mounts: [],
    hidden: [],
    network: "none",
  } as const;
  const { file, args, ended } = sandbox.enter({ ...order, limits: LIMITS });
  expect([file, args.slice(0, 2)]).toEqual(["/bin/sh", ["-c", 'echo $$ > "$0" && exec "$@"']]);
  expect(ended?.()).toHaveLength(2);
});

test("[TB41] where the group's processes are in the way, Deputy moves into one below, or leaves all as it was", () => {
  const { makeGroup, made } = kernel({ controllers: "memory pids" });
  expect(openCgroups(own, makeGroup)).toBeDefined();
  expect(readFileSync(join(own, "cgroup.subtree_control"), "utf8")).toBe("+memory +pids");
  expect(made[0]).toMatch(/^deputy-main-/);
  expect(readFileSync(join(own, made[0] ?? "", "cgroup.procs"), "utf8")).toBe("0");

  const before = kernel({ controllers: "memory pids" });
  rmSync(join(own, "cgroup.subtree_control"));
  mkdirSync(join(own, "cgroup.subtree_control"));
  rmSync(join(own, made[0] ?? ""), { recursive: true });
  expect(openCgroups(own, before.makeGroup)).toBeUndefined();
  expect(readFileSync(join(own, "cgroup.procs"), "utf8")).toBe("0");
});
