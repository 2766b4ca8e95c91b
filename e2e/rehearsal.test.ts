import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TaskEvent } from "@deputy/protocol";
import { taskEventSchema } from "@deputy/protocol/wire";
import { describe, expect, test } from "vitest";
import { REHEARSAL_PROMPTS } from "../apps/web/src/page/views/example-prompts.ts";
import { readServerSentEvents } from "../packages/client/src/server-sent-events.ts";
import { playExample } from "../packages/model/src/rehearsal/play-example.ts";
import { launchChromium, noBrowser } from "./chromium.ts";
import { closedIssues } from "./demo-tracker.ts";
import { ROOT } from "./repository.ts";
import { say, signIn } from "./page-world.ts";
import {
  type Daemon,
  homeWithoutEmbedder,
  jsonLines,
  PLUGIN,
  runDeputy,
  scratchDirectory,
  startDaemon,
} from "./run-deputy.ts";

const PROMPT = "Close all issues older than 90 days";

/** One question for all three. */
const CLOSED = ["approval_request", "approval_resolved", "tool_result", "tool_result", "tool_result"];
const OLD = ["acme/website#1", "acme/website#2", "acme/website#3"];

test.each(REHEARSAL_PROMPTS)("[E485] the rehearsal plays what the page offers: $prompt", ({ prompt }) => {
  expect(playExample(prompt, "", [])?.call?.name).toBe("search_tools");
});

/** `deputy run` on a home; its events, and what it said last. */
async function play(home: string, prompt: string, args: readonly string[], input?: string) {
  const options = input === undefined ? {} : { input };
  const ran = await runDeputy(["run", prompt, "--home", home, "--json", ...args], options);
  const events = jsonLines(ran.stdout).map((line) => taskEventSchema.parse(line));
  return { code: ran.code, events, said: lastWords(events) };
}

const lastWords = (events: readonly TaskEvent[]): string =>
  events.findLast((event) => event.type === "agent_message")?.text ?? "";
const asked = (events: readonly TaskEvent[]) => events.filter((event) => event.type === "approval_request");

test("[E70] plays the example to its end on a fresh home: catches a mistake, the rest is approved", async () => {
  using home = scratchDirectory();
  const { code, events, said } = await play(home.path, PROMPT, ["--approve", "all"]);
  expect(code).toBe(0);
  expect(events.map((event) => event.type).filter((type) => type !== "status")).toEqual([
    "agent_message",
    "tool_result",
    "tool_result",
    "agent_message",
    "code_generated",
    "agent_message",
    "code_generated",
    "tool_result",
    ...CLOSED,
    "agent_message",
    "completed",
  ]);
  const statuses = events.flatMap((event) => (event.type === "status" ? [event.message] : []));
  expect(statuses).toContainEqual(
    "The code did not typecheck (attempt 1): Operator '<' cannot be applied to types 'string' and 'number'.",
  );
  expect(said).toContain("acme/website had 7 open issues; 3 are older than 90 days.\nClosed 3:\n- #1 Search");
  expect(closedIssues(home.path)).toEqual(OLD);

  const again = await play(home.path, PROMPT, ["--approve", "all"]);
  expect(again.code).toBe(0);
  expect(again.said).toContain("had 4 open issues; none is older than 90 days.\nNothing was closed.");
  rmSync(join(home.path, "demo"), { recursive: true });
  expect((await play(home.path, PROMPT, ["--approve", "all"])).said).toContain("Closed 3:");
});

test("[E70] plays the first example of the design word for word", async () => {
  using home = homeWithoutEmbedder();
  const prompt = "On AnswerOverflow/AnswerOverflow, close all issues older than 30 days";
  const { code, said } = await play(home.path, prompt, ["--approve", "all"]);
  expect(code).toBe(0);
  expect(said).toContain("AnswerOverflow/AnswerOverflow had 4 open issues; 3 are older than 30 days.");
  expect(closedIssues(home.path)).toEqual(
    [1, 2, 3].map((number) => `AnswerOverflow/AnswerOverflow#${number}`),
  );
});

test("[E70] prints the transcript in docs/demo.md", async () => {
  using home = homeWithoutEmbedder();
  const { stdout, stderr } = await runDeputy(["run", PROMPT, "--home", home.path], {
    input: "1,3 still wanted\n",
  });
  const undated = (text: string): readonly string[] =>
    text.replaceAll(/\d{4}-\d\d-\d\d/g, "DATE").split("\n");
  const printed = undated(stdout + stderr);
  const page = readFileSync(join(ROOT, "docs/demo.md"), "utf8");
  const block = page.split("```").find((text) => text.includes(`deputy run "${PROMPT}"`)) ?? "";
  const shown = undated(block)
    .filter((line) => line.trim() !== "" && !line.startsWith("$ "))
    // Typed input is not printed, and long text is cut.
    .map((line) => line.replace(/(?<=3-5: ).*|…$/, "").trimEnd());
  expect(shown.length).toBeGreaterThan(20);
  for (const line of shown)
    expect(
      printed.some((other) => other.startsWith(line)),
      line,
    ).toBe(true);
});

test("[E71] denied issues stay open, and the summary says so", async () => {
  using home = homeWithoutEmbedder();
  const none = await play(home.path, PROMPT, ["--approve", "none"]);
  expect(none.code).toBe(3);
  expect(none.said).toContain(
    "Left open 3:\n- #1 Search finds nothing on Safari: Denied by --approve none.\n- #2",
  );
  expect(closedIssues(home.path)).toEqual([]);
  const some = await play(home.path, PROMPT, [], "1,3 still wanted\n");
  expect(some.code).toBe(3);
  expect(some.said).toMatch(
    /Closed 2:\n- #1 .*\n- #3 .*\nLeft open 1:\n- #2 Typo on the pricing page: still wanted\n/,
  );
  expect(closedIssues(home.path)).toEqual(["acme/website#1", "acme/website#3"]);
});

test("[E71] the rest does not ask once approved for the session", async () => {
  using home = homeWithoutEmbedder();
  const { code, events, said } = await play(home.path, PROMPT, [], "s\n");
  expect(code).toBe(0);
  expect(asked(events)).toHaveLength(1);
  expect(said).toContain("Closed 3:");
});

test("[E72] a repository that the demo does not have fails the program, and the answer says why", async () => {
  using home = homeWithoutEmbedder();
  const { code, said } = await play(home.path, "Close stale issues in acme/shop", ["--approve", "all"]);
  expect(code).toBe(0);
  expect(said).toContain("The program did not finish.");
  expect(said).toContain("The demo tracker has no repository acme/shop; it has acme/website,");
});

test("[E73] the demo gives way to the user's tools, and is not part of the user's own programs", async () => {
  using home = homeWithoutEmbedder();
  const { code, events, said } = await play(home.path, PROMPT, ["--tools", PLUGIN, "--approve", "all"]);
  expect(code).toBe(0);
  expect(asked(events)).toEqual([]);
  expect(said).toContain("only on the built-in demo tracker, and it is not available");
  const cell = join(home.path, "own.ts");
  writeFileSync(cell, 'return await tools.github.issues.list({ owner: "acme", repo: "website" });');
  for (const command of ["exec", "check"]) {
    const { code: exit, stdout } = await runDeputy([command, cell, "--home", home.path]);
    expect({ command, exit }).toEqual({ command, exit: 1 });
    expect(stdout).toContain("TS2339");
  }
  const fenced = await play(home.path, `\`\`\`ts\n${readFileSync(cell, "utf8")}\n\`\`\``, []);
  expect(fenced.said).toContain("Dark mode flickers");
});

test("[E74] answers anything else with what it is and how to connect a model", async () => {
  using home = homeWithoutEmbedder();
  const { code, events, said } = await play(home.path, "Delete all issues older than 90 days", []);
  expect(code).toBe(0);
  expect(events.some((event) => event.type === "tool_result")).toBe(false);
  expect(said).toContain("no language model is connected");
  expect(said).toContain("DEPUTY_MODEL");
  expect(existsSync(join(home.path, "demo"))).toBe(false);
});

async function* follow(daemon: Daemon, taskId: string): AsyncGenerator<TaskEvent> {
  const response = await daemon.fetch(`/api/tasks/${taskId}/events`);
  for await (const { data } of readServerSentEvents(response)) yield taskEventSchema.parse(JSON.parse(data));
}

async function startTask(daemon: Daemon): Promise<string> {
  const response = await daemon.post("/api/tasks", { prompt: PROMPT });
  return ((await response.json()) as { id: string }).id;
}

/** Every question of the task is answered with yes; ends where `until` says, or with the task. */
async function approve(
  daemon: Daemon,
  taskId: string,
  until: (event: TaskEvent) => boolean = () => false,
): Promise<TaskEvent[]> {
  const events: TaskEvent[] = [];
  for await (const event of follow(daemon, taskId)) {
    events.push(event);
    if (until(event)) break;
    if (event.type === "approval_request")
      await daemon.post(`/api/approvals/${event.id}`, { decision: "approved" });
  }
  return events;
}

const moments: readonly (readonly [string, (event: TaskEvent) => boolean])[] = [
  ["it looks for tools", (event) => event.type === "status" && event.message.includes("search_tools")],
  ["its program was rejected", (event) => event.type === "status" && event.message.includes("not typecheck")],
  ["the first close waits", (event) => event.type === "approval_request"],
  ["an issue was closed", (event) => event.type === "tool_result" && event.toolPath.endsWith("close")],
];

test.each(moments)(
  "[E75] kill -9 when %s: the next start continues to the same end",
  async (_when, until) => {
    using home = homeWithoutEmbedder();
    let taskId = "";
    {
      await using daemon = await startDaemon(home.path);
      taskId = await startTask(daemon);
      await approve(daemon, taskId, until);
      await daemon.end("SIGKILL");
    }
    await using daemon = await startDaemon(home.path);
    const events = await approve(daemon, taskId);
    expect(events.at(-1)).toEqual({ type: "completed" });
    expect(lastWords(events)).toContain("had 7 open issues; 3 are older than 90 days.\nClosed 3:");
    expect(asked(events)).toMatchObject([
      { toolPath: "plan", input: { calls: [1, 2, 3].map((issueNumber) => ({ input: { issueNumber } })) } },
    ]);
    expect(closedIssues(home.path)).toEqual(OLD);
  },
);

describe.skipIf(noBrowser)("in a real browser", () => {
  test("[E76] the page plays it too, and what is not chosen on its card stays open", async () => {
    using home = homeWithoutEmbedder();
    await using daemon = await startDaemon(home.path);
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await page.goto(daemon.url);
      await signIn(page);
      await say(page, PROMPT);
      const card = page.getByRole("region", { name: "Close 3 issues in acme/website" });
      await card.getByLabel("#2 Typo on the pricing page").uncheck();
      await card.getByLabel("Reason for the others").fill("still wanted");
      await card.getByRole("button", { name: "Approve 2" }).click();
      await page.getByRole("log").getByText("#2 Typo on the pricing page: still wanted").waitFor();
      expect(closedIssues(home.path)).toEqual(["acme/website#1", "acme/website#3"]);
    } finally {
      await browser.close();
    }
  });
});
