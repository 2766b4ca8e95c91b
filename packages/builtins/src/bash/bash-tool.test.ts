import { expect, test } from "vitest";
import { openBuiltins } from "../builtins.fixture.ts";

const judge = (command: string) => {
  if (command.startsWith("ls")) return { verdict: "allow", reasons: [] } as const;
  if (command.startsWith("rm -rf /")) return { verdict: "deny", reasons: ["it reaches for /"] } as const;
  return { verdict: "ask", reasons: [`${command} is not allowed`] } as const;
};

test("[TB11] every command asks, and the card says what it is, where it runs and what it can reach", async () => {
  const { toolAt } = await openBuiltins({});
  const bash = toolAt("bash.run");
  expect(bash).toMatchObject({
    approval: "required",
    effect: "destructive",
    idempotent: false,
    critical: "all",
  });
  const { title, details } = await bash.preview({ command: "make\nmake install", cwd: "sub" });
  expect(title).toBe("Run make …");
  expect(details).toContain("make\nmake install");
  expect(details).toContain("sub of the workspace");
  expect(details).toContain("It can reach the moon.");
});

test("[TB11] a yes for longer is for the same command line, never for a shell that runs any (GC32)", async () => {
  const { toolAt } = await openBuiltins({});
  expect(toolAt("bash.run").grantable).toBe("input");
});

test("[TB20] a yes is also to the workspace as it was, and to what a command can reach (GC28)", async () => {
  let files = "one";
  const { toolAt } = await openBuiltins({}, { state: async (command, cwd) => `${cwd}/${command} ${files}` });
  for (const path of ["bash.run", "exec"]) {
    const now = () => toolAt(path).circumstancesOf?.({ command: "sh run.sh", cwd: "sub" });
    const before = await now();
    expect(before).toContain("It can reach the moon.");
    expect(before).toContain("sub/sh run.sh one");
    files += "!";
    expect(await now()).not.toBe(before);
  }
});

test("[TB25] the user may allow commands for a conversation whatever their lines, contained or not", async () => {
  const { toolAt } = await openBuiltins({});
  for (const path of ["bash.run", "exec"])
    expect(toolAt(path)).toMatchObject({ grantable: "input", anyValues: true });
});

test("[TB11] a judge clears what it understands, asks about the rest with its reasons, and denies for good", async () => {
  const { toolAt, call, ran, progress } = await openBuiltins({}, { judge });
  const bash = toolAt("bash.run");
  const terms = (command: string) => bash.termsOf?.({ command, cwd: "" });
  expect(await terms("ls -l")).toMatchObject({ approval: "auto", effect: "write", critical: [] });
  expect(await terms("make")).toMatchObject({ approval: "required", effect: "destructive", critical: "all" });
  expect((await bash.preview({ command: "make", cwd: "" })).details).toContain("make is not allowed");
  expect((await terms("rm -rf /"))?.approval).toBe("auto");
  await expect(call("bash.run", { command: "rm -rf /" })).rejects.toMatchObject({
    code: "command_denied",
    message: "It may not run: it reaches for /",
  });
  expect(ran).toEqual([]);
  expect(await call("bash.run", { command: "ls" })).toMatchObject({ stdout: "out", exitCode: 0 });
  expect({ ran, progress }).toEqual({ ran: ["ls"], progress: ["ran ls"] });
});

test("[TB11] a command may take less time than the limit, never more", async () => {
  const { toolAt } = await openBuiltins({});
  const { parseInput } = toolAt("bash.run");
  expect(parseInput({ command: "x" })).toMatchObject({ kind: "ok", input: { timeoutMs: 120_000, cwd: "" } });
  expect((await parseInput({ command: "x", timeoutMs: 120_001 })).kind).toBe("invalid");
  expect((await parseInput({ command: "" })).kind).toBe("invalid");
});

test("[TB37] where the settings say so, a contained command runs without asking, unless it is denied", async () => {
  const runs: string[] = [];
  const runner = (isContained: boolean) => ({
    reach: async () => "The workspace.",
    isContained: async () => isContained,
    run: async ({ command }: { readonly command: string }) => {
      runs.push(command);
      const cut = { stdout: 0, stderr: 0 };
      const common = { stdout: "", stderr: "", exitCode: 0, timedOut: false, cut, durationMs: 1 };
      return { ...common, sandbox: "bubblewrap" };
    },
  });
  const terms = async (isContained: boolean, allowContained: boolean, command: string) => {
    const { toolAt } = await openBuiltins({}, { judge, allowContained, runner: runner(isContained) });
    return (await toolAt("bash.run").termsOf?.({ command, cwd: "" }))?.approval;
  };
  expect(await terms(true, true, "make")).toBe("auto");
  expect(await terms(false, true, "make")).toBe("required");
  expect(await terms(true, false, "make")).toBe("required");
  const { call } = await openBuiltins({}, { judge, allowContained: true, runner: runner(true) });
  await call("bash.run", { command: "make" });
  await expect(call("bash.run", { command: "rm -rf /" })).rejects.toMatchObject({
    code: "command_denied",
  });
  expect(runs).toEqual(["make"]);
  // Cleared when it was judged, and contained no more when its turn comes.
  let isContained = true;
  const losing = { ...runner(true), isContained: async () => isContained };
  const lost = await openBuiltins({}, { judge, allowContained: true, runner: losing });
  const bash = lost.toolAt("bash.run");
  const parsed = await bash.parseInput({ command: "make" });
  isContained = false;
  const context = { idempotencyKey: "k", sessionKey: "s", progress: () => {}, log: () => {} };
  const late = bash.run(parsed.kind === "invalid" ? {} : parsed.input, {
    ...context,
    signal: new AbortController().signal,
    approvedBy: "terms",
  });
  await expect(late).rejects.toMatchObject({ code: "command_not_cleared" });
});
