import { beforeAll, expect, test } from "vitest";
import { openBuiltins } from "../builtins.fixture.ts";

// Loaded before: what waits must wait for its turn, not for these.
beforeAll(async () => {
  await Promise.all([import("./edit-text.ts"), import("../patch/apply-patch.ts")]);
});

type Verdict = "allow" | "ask" | "deny";

/** Commands that run until they are told to end, and a judge who says what the test has it say. */
async function setup(files: Readonly<Record<string, string>> = {}) {
  const state: { verdict: Verdict } = { verdict: "allow" };
  const running: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const result = { stdout: "", stderr: "", exitCode: 0, timedOut: false, durationMs: 1, sandbox: "none" };
  const opened = await openBuiltins(files, {
    judge: () => ({ verdict: state.verdict, reasons: ["its settings run a program"] }),
    runner: {
      reach: async () => "",
      isContained: async () => true,
      run: async ({ command }) => {
        running.push(command);
        const end = Promise.withResolvers<void>();
        ends.set(command, end);
        await end.promise;
        return { ...result, cut: { stdout: 0, stderr: 0 } };
      },
    },
  });
  const start = (command: string) => opened.call("bash.run", { command });
  const end = (command: string): void => ends.get(command)?.resolve();
  /** Long enough for whatever does not wait for its turn. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
  };
  return { ...opened, state, running, start, end, settle };
}

const PATCH = "*** Begin Patch\n*** Update File: a\n@@\n-a\n+patched\n*** End Patch";

test.each([
  ["files.write", { path: "a", content: "swapped" }],
  ["files.edit", { path: "a", find: "a", replace: "edited" }],
  ["files.applyPatch", { patch: PATCH }],
  ["files.remove", { path: "a" }],
  ["workspace.revert", {}],
])("[TB12] while a cleared command runs, %s waits", async (path, input) => {
  const { start, end, settle, running, call, textOf } = await setup({ a: "real\n" });
  await call("files.write", { path: "a", content: "a\n" });
  const command = start("git status");
  await settle();
  const change = call(path, input);
  await settle();
  expect(running).toEqual(["git status"]);
  expect(await textOf("a")).toBe("a\n");
  expect(await call("files.read", { path: "a" })).toMatchObject({ content: "a\n" });
  end("git status");
  await command;
  await change;
  expect(await textOf("a").catch(() => "removed")).not.toBe("a\n");
});

test("[TB12] a commit, which may merge into the workspace, waits as well", async () => {
  const { start, end, settle, call, realText } = await setup({ a: "a\n" });
  await call("files.write", { path: "a", content: "b\n" });
  const { changeSet } = await call("workspace.status", {});
  const command = start("git status");
  await settle();
  const commit = call("workspace.commit", { changeSet });
  await settle();
  expect(await realText("a")).toBe("a\n");
  end("git status");
  await Promise.all([command, commit]);
  expect(await realText("a")).toBe("b\n");
});

test("[TB12] one that is no longer cleared when its turn comes does not run, and says so", async () => {
  const { start, end, settle, running, state } = await setup();
  const first = start("git status");
  const second = start("git log");
  await settle();
  state.verdict = "ask";
  end("git status");
  await first;
  await expect(second).rejects.toMatchObject({
    code: "command_not_cleared",
    message: expect.stringContaining("its settings run a program"),
  });
  expect(running).toEqual(["git status"]);
});

test("[TB12] one that is denied when its turn comes does not run either", async () => {
  const { start, end, settle, running, state } = await setup();
  const first = start("git status");
  const second = start("git log");
  await settle();
  state.verdict = "deny";
  end("git status");
  await first;
  await expect(second).rejects.toMatchObject({ code: "command_denied" });
  expect(running).toEqual(["git status"]);
});

test("[TB12] what the user said yes to holds nobody up, and runs whatever the judge has said", async () => {
  const { start, end, settle, running, state, call, textOf } = await setup();
  state.verdict = "ask";
  const long = start("make watch");
  await settle();
  await call("files.write", { path: "a", content: "meanwhile" });
  expect(await textOf("a")).toBe("meanwhile");
  expect(running).toEqual(["make watch"]);
  end("make watch");
  await long;
});

test("[TB12] a stop ends the wait, and what waited never happens", async () => {
  const { start, end, settle, call, workspace } = await setup();
  const stop = new AbortController();
  const command = start("git status");
  await settle();
  const change = call("files.write", { path: "a", content: "x" }, stop.signal);
  await settle();
  stop.abort(new Error("enough"));
  await expect(change).rejects.toThrow("enough");
  end("git status");
  await command;
  expect((await workspace.stat("a", new AbortController().signal)).kind).toBe("missing");
});
