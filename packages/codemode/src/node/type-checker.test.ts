import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { createFakeClock, describeTypeChecker } from "@deputy/testing";
import { createNodeTypeChecker, type NodeTypeCheckerOptions } from "./type-checker.ts";

describeTypeChecker("TypeScript's native checker", createNodeTypeChecker);

const signal = new AbortController().signal;
const BOMB = `type Row<N extends number, All extends 1[] = []> = All["length"] extends N ? All : Row<N, [...All, 1]>;
${Array.from({ length: 400 }, (_, n) => `const f${n} = (x: [Row<${900 + (n % 90)}>, ${n}]): [Row<${800 + (n % 90)}>, ${n}] => x;`).join("\n")}`;
const catalogue = (name: string) => `declare const tools: { readonly ${name}: () => Promise<number> };`;

/** What a process has computed, in hundredths of a second. */
function ticksOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ", 2)[1]?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

/** A checker, and the processes it has started. */
function setup(options: NodeTypeCheckerOptions = {}) {
  const before = childrenOf(process.pid);
  const checker = createNodeTypeChecker(options);
  return {
    check: (code: string, declarations = "", by = signal) => checker.check({ code, declarations }, by),
    processes: () => childrenOf(process.pid).filter((pid) => !before.includes(pid)),
    [Symbol.asyncDispose]: () => checker[Symbol.asyncDispose](),
  };
}

test("[C22] starts nothing before the first check; if its process dies, it rejects and then works again", async () => {
  await using world = setup();
  expect(world.processes()).toEqual([]);
  await world.check("");
  const [child, ...others] = world.processes();
  if (child === undefined) throw new Error("The checker started no process");
  expect(others).toEqual([]);
  const running = world.check(BOMB);
  setTimeout(() => process.kill(child, "SIGKILL"), 50);
  await expect(running).rejects.toMatchObject({ code: "checker_crashed" });
  expect(await world.check("missing")).toMatchObject([{ code: "TS2304" }]);
});

test("[C22] a process that dies while idle fails no check", async () => {
  await using world = setup();
  await world.check("");
  const [child] = world.processes();
  if (child === undefined) throw new Error("The checker started no process");
  process.kill(child, "SIGKILL");
  await vi.waitFor(() => expect(world.processes()).toEqual([]));
  expect(await world.check("missing")).toMatchObject([{ code: "TS2304" }]);
});

test("[C22] giving up while it still reads its files leaves no unhandled error", async () => {
  const strays: unknown[] = [];
  const onStray = (error: unknown): void => void strays.push(error);
  process.on("unhandledRejection", onStray);
  onTestFinished(() => void process.off("unhandledRejection", onStray));
  for (let timeoutMs = 100; timeoutMs < 600; timeoutMs += 50) {
    await using world = setup({ timeoutMs });
    await world.check("return 1", catalogue("a")).catch(() => undefined);
  }
  expect(strays).toEqual([]);
});

test("[C22] an idle checker does not keep the process alive, in any working directory", async () => {
  const entry = new URL("./index.ts", import.meta.url).href;
  const script = `const { createNodeTypeChecker } = await import(${JSON.stringify(entry)});
    const found = await createNodeTypeChecker().check({ code: "missing", declarations: "" }, new AbortController().signal);
    process.stdout.write(found[0].code);`;
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
    cwd: "/",
    timeout: 120_000,
  });
  expect(await run).toEqual({ stdout: "TS2304", stderr: "" });
});

test("[C83] a list that is filled in a function, and a variable that is set in one, are no errors", async () => {
  await using world = setup();
  const code = `const done = [], failed = [];
let last;
for (const n of [1, 2]) { const note = () => { done.push(n); last = n; }; note(); }
return { done: done.map((n) => n + 1), failed: failed.length, last };`;
  expect(await world.check(code)).toEqual([]);
  expect(await world.check(`missing;\n${code}`)).toMatchObject([{ code: "TS2304", line: 1 }]);
});

test("[C20] also gives up on a checker that grows too large, and the next check works", async () => {
  await using world = setup({ maxMemoryBytes: 200 * 1024 * 1024, timeoutMs: 120_000 });
  await expect(world.check(BOMB)).rejects.toMatchObject({ code: "checker_crashed" });
  expect(await world.check("return 1")).toEqual([]);
});

test.runIf(process.platform === "linux")(
  "[C20] a process that gets no processor has not computed: its check goes on, for six times as long",
  async () => {
    const clock = createFakeClock();
    await using world = setup({ clock, timeoutMs: 10_000 });
    await world.check("");
    const [child = 0] = world.processes();

    process.kill(child, "SIGSTOP");
    const starved = world.check("missing");
    // In steps, so that the check has begun before most of them.
    for (let second = 0; second < 59; second++) await clock.advance(1_000);
    process.kill(child, "SIGCONT");
    expect(await starved).toMatchObject([{ code: "TS2304" }]);

    process.kill(child, "SIGSTOP");
    const given = world.check("return 1").catch((error: unknown) => error);
    for (let second = 0; second < 70; second++) await clock.advance(1_000);
    expect(await given).toMatchObject({ code: "checker_timeout" });
  },
);

test("[C21] an aborted check keeps its process if it ends soon, and otherwise replaces it", async () => {
  const clock = createFakeClock();
  await using world = setup({ clock, maxProcesses: 1 });
  await world.check("return 1");
  const [child] = world.processes();
  const stop = new AbortController();
  const running = world.check("return 2", "", stop.signal);
  stop.abort();
  await expect(running).rejects.toMatchObject({ name: "AbortError" });
  expect(await world.check("return 3")).toEqual([]);
  expect(world.processes()).toEqual([child]);

  const stopBomb = new AbortController();
  const bomb = world.check(BOMB, "", stopBomb.signal);
  const computed = ticksOf(child);
  await vi.waitFor(() => expect(ticksOf(child)).toBeGreaterThan(computed + 20));
  stopBomb.abort();
  await expect(bomb).rejects.toMatchObject({ name: "AbortError" });
  await clock.advance(1_000);
  expect(await world.check("return 4")).toEqual([]);
  expect(world.processes()).not.toContain(child);
});

test("[C73] consecutive checks need one process, for any catalogues", async () => {
  await using world = setup();
  for (const name of ["a", "b", "c", "a", "b"]) {
    expect(await world.check(`return tools.${name}()`, catalogue(name))).toEqual([]);
  }
  expect(world.processes().length).toBe(1);
});

test("[C73] concurrent sessions have several, up to the limit", async () => {
  await using world = setup({ maxProcesses: 2 });
  const stop = new AbortController();
  const bombs = ["a", "b", "c"].map((name) => world.check(BOMB, catalogue(name), stop.signal));
  const ended = Promise.allSettled(bombs);
  await vi.waitFor(() => expect(world.processes().length).toBe(2));
  const waiting = world.check("return tools.d()", catalogue("d"));
  expect(world.processes().length).toBe(2);
  stop.abort();
  await ended;
  expect(await waiting).toEqual([]);
});

test("[C74] checks each catalogue correctly even if there are more than fit", async () => {
  await using world = setup({ maxCatalogues: 2 });
  for (const name of ["a", "b", "c", "a", "c", "b"]) {
    expect(await world.check(`return tools.${name}()`, catalogue(name))).toEqual([]);
    expect(await world.check("return tools.x()", catalogue(name))).toMatchObject([{ code: "TS2339" }]);
  }
});

test("[C75] ends a process that is idle for a while; the next check starts a new one", async () => {
  const clock = createFakeClock();
  await using world = setup({ clock, idleMs: 60_000 });
  await world.check("return 1");
  await clock.advance(59_000);
  await world.check("return 2");
  await clock.advance(59_000);
  const [child] = world.processes();
  expect(child).toBeDefined();
  await clock.advance(1_000);
  await vi.waitFor(() => expect(world.processes()).toEqual([]));
  expect(await world.check("missing")).toMatchObject([{ code: "TS2304" }]);
});

test("[C75] replaces a process that has grown large after its check, which succeeds", async () => {
  const member = (n: number) =>
    `t${n}: (input: { id: ${n}; a: string; b?: "x${n}" | "y${n}" }) => Promise<{ n: ${n} }>;`;
  const large = `declare const tools: { ${Array.from({ length: 8_000 }, (_, n) => member(n)).join("\n")} };`;
  // Without the catalogue a process holds some 26 MB, with it some 68 MB.
  await using world = setup({ maxMemoryBytes: 100 * 1024 * 1024, maxProcesses: 1 });
  await world.check("return 1");
  const [child] = world.processes();
  expect(await world.check("return 2")).toEqual([]);
  expect(world.processes()).toEqual([child]);
  expect(await world.check("return tools.t1({ id: 1, a: '' })", large)).toEqual([]);
  await vi.waitFor(() => expect(world.processes()).toEqual([]));
  expect(await world.check("missing")).toMatchObject([{ code: "TS2304" }]);
});

test("[C75] disposing ends all processes, and rejects running and waiting checks", async () => {
  const world = setup({ maxProcesses: 2 });
  const checks = ["a", "b", "c"].map((name) => world.check(BOMB, catalogue(name)));
  const ended = Promise.allSettled(checks);
  await vi.waitFor(() => expect(world.processes().length).toBe(2));
  await world[Symbol.asyncDispose]();
  expect(world.processes()).toEqual([]);
  for (const result of await ended) expect(result).toMatchObject({ reason: { name: "AbortError" } });
  await expect(world.check("return 1")).rejects.toMatchObject({ name: "AbortError" });
  expect(world.processes()).toEqual([]);
});

test("[C75] disposing also ends a process that was only just requested", async () => {
  const world = setup();
  const check = world.check("return 1");
  const ended = Promise.allSettled([check]);
  await world[Symbol.asyncDispose]();
  expect(await ended).toMatchObject([{ reason: { name: "AbortError" } }]);
  expect(world.processes()).toEqual([]);
});

test("[C76] refuses a check beyond a hundred waiting ones; the others are answered", async () => {
  await using world = setup({ maxProcesses: 1 });
  const all = Array.from({ length: 102 }, (_, n) => world.check(`return ${n}`));
  const results = await Promise.allSettled(all);
  expect(results.slice(0, 101).map(({ status }) => status)).not.toContain("rejected");
  expect(results.at(-1)).toMatchObject({ reason: { code: "checker_busy" } });
});

/** Linux only, like the rest of the test machine. */
function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" "))
    .filter((child) => child.trim() !== "" && isChecker(child))
    .map(Number);
}

/** Not the shell that makes sure that the checker ends. */
function isChecker(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8") !== "sh\n";
  } catch {
    return false;
  }
}
