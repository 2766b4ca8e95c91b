import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import {
  type Daemon,
  jsonLines,
  PLUGIN,
  runDeputy,
  scratchDirectory,
  startDaemon,
  TOKEN,
} from "./run-deputy.ts";

const CLOSE = `const closed: number[] = [];
for (const issueNumber of [1, 2, 3])
  try {
    await tools.github.issues.close({ owner: "acme", repo: "demo", issueNumber });
    closed.push(issueNumber);
  } catch {}
return closed;`;

/** A home; processes in it are ended with the test. */
async function setup() {
  const home = scratchDirectory();
  const running = new Set<Daemon>();
  const start = async (...tools: readonly string[]): Promise<Daemon> => {
    const daemon = await startDaemon(
      home.path,
      [PLUGIN, ...tools].flatMap((file) => ["--tools", file]),
    );
    running.add(daemon);
    return daemon;
  };
  const deputy = (...args: readonly string[]) =>
    runDeputy([...args, "--home", home.path], { env: { DEPUTY_TOKEN: TOKEN } });
  const json = async (...args: readonly string[]) => {
    const { code, stdout } = await deputy(...args, "--json");
    expect(code, stdout).toBe(0);
    return jsonLines(stdout);
  };
  const refused = async (...args: readonly string[]) => {
    const { code, stdout } = await deputy(...args, "--json");
    return [code, jsonLines(stdout).at(-1)?.["code"]];
  };
  const ask = async (daemon: Daemon, code: string) => {
    const response = await daemon.post("/api/tasks", { prompt: `\`\`\`ts\n${code}\n\`\`\`` });
    const { id } = (await response.json()) as { id: string };
    const [approval] = await vi.waitFor(
      async () => {
        const answer = await daemon.fetch("/api/approvals?status=pending");
        const { approvals } = (await answer.json()) as { approvals: { id: string }[] };
        expect(approvals).toHaveLength(1);
        return approvals;
      },
      { timeout: 90_000, interval: 50 },
    );
    return { task: id, approval: approval?.id ?? "" };
  };
  const ended = async (daemon: Daemon, task: string) => {
    await vi.waitFor(
      async () => {
        const { status } = (await (await daemon.fetch(`/api/tasks/${task}`)).json()) as { status: string };
        expect(status).not.toMatch(/running|waiting/);
      },
      { timeout: 90_000, interval: 50 },
    );
    const [detail] = await json("tasks", "show", task);
    return detail;
  };
  return {
    path: (name: string) => join(home.path, name),
    start,
    deputy,
    json,
    refused,
    ask,
    ended,
    [Symbol.asyncDispose]: async () => {
      for (const daemon of running) await daemon[Symbol.asyncDispose]();
      home[Symbol.dispose]();
    },
  };
}

test("[E210] lists what waits, shows it whole, and answers it through the daemon, a plan call by call", async () => {
  await using it = await setup();
  const daemon = await it.start();
  const { task, approval } = await it.ask(daemon, CLOSE);
  expect(await it.json("approvals")).toMatchObject([{ id: approval, toolPath: "plan" }]);
  const shown = await it.deputy("approvals", "show", approval);
  expect(shown.stdout).toMatch(
    /^\? Close 3 issues in acme\/demo\n {2}github\.issues\.close\n {2}1\. Close acme\/demo#1/,
  );
  expect(shown.stdout).toContain("issueNumber: 3");
  expect(shown.stdout).toContain("waits for your answer");

  expect(await it.refused("approvals", "approve", approval, "--calls", "2-4")).toEqual([2, "usage"]);
  expect(await it.refused("approvals", "approve", approval, "--expires", "30m")).toEqual([2, "usage"]);
  const some = ["approvals", "approve", approval, "--calls", "1,3", "--reason", "still wanted"];
  const { code, stdout } = await it.deputy(...some);
  expect([code, stdout]).toEqual([0, "approved, 2 of 3 calls: Close 3 issues in acme/demo\n"]);
  expect(await it.ended(daemon, task)).toMatchObject({
    status: "succeeded",
    message: expect.stringContaining("Result: [1,3]"),
  });

  expect((await it.deputy(...some)).code, "the same again").toBe(0);
  expect(await it.refused("approvals", "deny", approval)).toEqual([1, "already_decided"]);
  expect(await it.refused("approvals", "deny", task)).toEqual([1, "not_found"]);
  const [after] = await it.json("approvals", "show", approval);
  expect(after).toMatchObject({ status: "approved", answer: { by: "owner", reason: "still wanted" } });
  expect(await it.json("approvals")).toEqual([]);
});

test("[E211] without a daemon, writes an answer to the log, and the next start continues with it", async () => {
  await using it = await setup();
  const first = await it.start();
  const { task, approval } = await it.ask(first, CLOSE);
  await first.end("SIGKILL");
  expect(await it.json("approvals", "list")).toMatchObject([{ id: approval }]);
  expect(await it.json("tasks")).toMatchObject([{ id: task, status: "waiting" }]);
  const { code, stderr } = await it.deputy("approvals", "approve", approval);
  expect([code, stderr]).toEqual([0, expect.stringContaining("`deputy serve` will continue the work")]);
  expect(await it.refused("approvals", "deny", approval)).toEqual([1, "already_decided"]);
  const next = await it.start();
  expect(await it.ended(next, task)).toMatchObject({ status: "succeeded" });
  expect(await it.json("approvals")).toEqual([]);
  expect((await it.deputy("audit", "verify")).code).toBe(0);
});

test("[E212] without a daemon, cancels a task, and nothing of it waits or runs any more", async () => {
  await using it = await setup();
  const first = await it.start();
  const { task, approval } = await it.ask(first, CLOSE);
  await first.end("SIGKILL");
  expect((await it.deputy("tasks", "cancel", task)).stdout).toBe(`cancelled: ${task}\n`);
  expect((await it.deputy("tasks", "cancel", task)).code, "again").toBe(0);
  expect(await it.json("approvals")).toEqual([]);
  expect(await it.refused("approvals", "approve", approval)).toEqual([1, "already_decided"]);
  await it.start();
  expect(await it.json("tasks", "show", task)).toMatchObject([{ status: "cancelled" }]);
  expect(await it.json("tasks", "show", task.slice(-6).toLowerCase()), "by its end").toMatchObject([
    { id: task },
  ]);
  expect((await it.json("audit", "show", "--type", "call.started")).length).toBe(0);
  expect(await it.refused("tasks", "cancel", "tsk_nowhere")).toEqual([1, "not_found"]);
});

const ODD = `import { defineTool } from "@deputy/tools";
import { z } from "zod";
const tool = (returns) => defineTool({ description: "Odd", approval: "required", critical: [],
  args: z.object({ to: z.string() }), returns, run: ({ to }) => to + "!",
  formatApproval: ({ to }) => ({ title: "Send to " + to }) });
export default { odd: { first: tool(z.string()), second: tool(z.string()) } };`;

test("[E213] lists grants until they are revoked, or their task has ended", async () => {
  await using it = await setup();
  writeFileSync(it.path("odd.ts"), ODD);
  const daemon = await it.start(it.path("odd.ts"));
  // Each question depends on the result before it, so it is not a plan.
  const code = `const got = await tools.odd.first({ to: "a" });
const more = await tools.odd.second({ to: got + "b" });
return await tools.odd.first({ to: more + "c" });`;
  const { task, approval } = await it.ask(daemon, code);
  const yes = (id: string, ...more: readonly string[]) => it.deputy("approvals", "approve", id, ...more);
  expect((await yes(approval, "--scope", "session", "--expires", "30m")).code).toBe(0);
  const nextAsked = async () => {
    await vi.waitFor(
      async () => {
        const answer = await daemon.fetch("/api/approvals?status=pending");
        expect(((await answer.json()) as { approvals: unknown[] }).approvals).toHaveLength(1);
      },
      { timeout: 90_000, interval: 50 },
    );
    const [asked] = await it.json("approvals");
    return asked;
  };
  const second = await nextAsked();
  expect(second).toMatchObject({ toolPath: "odd.second", input: { to: "a!b" } });
  const [grant] = await it.json("approvals", "grants");
  expect(grant).toMatchObject({
    scope: "session",
    bindings: [{ toolPath: "odd.first", values: { to: ["a"] } }, { toolPath: "odd.first" }],
  });
  expect(Date.parse(String(grant?.["expiresAt"])) - Date.now()).toBeLessThan(30 * 60_000 + 1);
  const id = String(grant?.["id"]);
  expect(await it.json("approvals", "revoke", id)).toEqual([{ id, revoked: true }]);
  expect((await it.deputy("approvals", "revoke", id)).code, "again").toBe(0);
  expect(await it.json("approvals", "grants")).toEqual([]);
  expect(await it.refused("approvals", "revoke", approval)).toEqual([1, "not_found"]);

  await yes(String(second?.["id"]), "--scope", "task", "--expires", "30m");
  const third = await nextAsked();
  expect(third, "revoked, the first asks again").toMatchObject({
    toolPath: "odd.first",
    input: { to: "a!b!c" },
  });
  expect(await it.json("approvals", "grants")).toMatchObject([{ scope: "task" }]);
  await yes(String(third?.["id"]));
  expect(await it.ended(daemon, task)).toMatchObject({ status: "succeeded" });
  expect(await it.json("approvals", "grants"), "its task has ended").toEqual([]);
});

test("[E842] reset takes back everything that was allowed, beside a daemon and without one", async () => {
  await using it = await setup();
  expect(await it.json("approvals", "reset"), "on a new home").toEqual([]);
  writeFileSync(it.path("odd.ts"), ODD);
  const daemon = await it.start(it.path("odd.ts"));
  const code = `const got = await tools.odd.first({ to: "a" });
return await tools.odd.second({ to: got });`;
  const { approval } = await it.ask(daemon, code);
  const allowed = await it.deputy("approvals", "approve", approval, "--scope", "session");
  expect(allowed.code).toBe(0);
  const [grant] = await it.json("approvals", "grants");
  expect(await it.json("approvals", "reset")).toEqual([{ id: grant?.["id"], revoked: true }]);
  expect(await it.json("approvals", "grants")).toEqual([]);
});

test("[E214] nothing in a question is invisible in the terminal", async () => {
  await using it = await setup();
  writeFileSync(it.path("odd.ts"), ODD);
  const daemon = await it.start(it.path("odd.ts"));
  const to = String.raw`"a\u202e\u001b[31m\nb"`;
  const { approval } = await it.ask(daemon, `return await tools.odd.first({ to: ${to} });`);
  for (const args of [["approvals"], ["approvals", "show", approval], ["approvals", "deny", approval]]) {
    const { stdout } = await it.deputy(...args);
    expect(stdout).toContain("Send to a");
    expect(stdout).not.toMatch(/[\u202e\u001b]/);
  }
});

test("[E216] denies a question that is not answered in time, and says so", async () => {
  await using it = await setup();
  writeFileSync(it.path("config.json"), JSON.stringify({ approvals: { expireMinutes: 0.08 } }));
  const daemon = await it.start();
  const { task, approval } = await it.ask(daemon, CLOSE);
  expect(await it.ended(daemon, task)).toMatchObject({
    message: expect.stringContaining("Nobody answered in time."),
  });
  expect(await it.json("approvals", "show", approval)).toMatchObject([{ status: "expired" }]);
  expect(await it.refused("approvals", "approve", approval)).toEqual([1, "already_decided"]);
});

test("[E215] usage sums up turns by day, model and session", async () => {
  await using it = await setup();
  for (const command of ["approvals", "tasks"]) expect(await it.json(command), "on a new home").toEqual([]);
  expect(await it.json("usage")).toMatchObject([{ type: "total", turns: 0 }]);
  expect((await it.deputy("run", "Close all issues older than 90 days", "--approve", "all")).code).toBe(0);
  const total = { turns: 1, modelCalls: 5 };
  expect(await it.json("usage", "--by", "model")).toMatchObject([
    { type: "usage", model: "rehearsal/tour", ...total },
    { type: "total", ...total },
  ]);
  expect((await it.deputy("usage")).stdout).toMatch(/^\s+turns .*\n\d{4}-\d\d-\d\d +1 +5 .*\ntotal +1 +5 /);
  expect(await it.json("usage", "--since", "2090-01-01")).toMatchObject([{ type: "total", turns: 0 }]);
  expect(await it.refused("usage", "--since", "yesterday")).toEqual([2, "usage"]);
});
