import type { Sandbox, TypeChecker } from "@deputy/codemode";
import { createNodeTypeChecker, createWorkerSandbox } from "@deputy/codemode/node";
import type { ModelRequest } from "@deputy/model";
import type { EventData } from "@deputy/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CatalogueTool, createCatalogue, defineTool, ToolsError } from "@deputy/tools";
import { z } from "zod";
import { readAll } from "../agent.fixture.ts";
import { calls, runs, says, setUpIngress, strangersTool } from "../ingress/ingress.fixture.ts";
import { DEFAULT_COMPACTION_LIMITS } from "../compaction/compaction-limits.ts";
import { labelsOf } from "../ingress/prompt.ts";
import { program, say as answer, setUpRecording } from "../replay/recording.fixture.ts";
import type { Surroundings } from "./facts.ts";
import { endProgramPartsAfterwards } from "../program-parts.fixture.ts";

endProgramPartsAfterwards();

let engine: { readonly checker: TypeChecker; readonly sandbox: Sandbox };
beforeAll(() => {
  engine = { checker: createNodeTypeChecker(), sandbox: createWorkerSandbox() };
});
afterAll(async () => {
  await engine.checker[Symbol.asyncDispose]();
  await engine.sandbox[Symbol.asyncDispose]();
});

const MINUTE = 60_000;

/** A user in Vienna, late on a Tuesday evening. */
function vienna(more: Partial<Surroundings> = {}) {
  const time = { now: Date.parse("2026-11-17T23:05:30Z") };
  const hooks = ["builds"];
  const surroundings: Surroundings = {
    zone: "Europe/Vienna",
    user: { name: "Ada", language: "German" },
    now: () => time.now,
    reporters: () => ({ hooks, mailboxes: ["mail"], folders: [] }),
    ...more,
  };
  return { time, hooks, surroundings };
}

const saidTo = ({ messages }: ModelRequest): readonly (string | undefined)[] =>
  messages.map((message) => ("text" in message ? message.text : undefined));

test("[A230] the model is told the user's time and zone, who they are, and what is connected, below their message", async () => {
  const { surroundings } = vienna();
  const { say, asked } = setUpIngress(engine, { surroundings, answers: [says("Hello.")] });
  await say("What is on tomorrow?");
  const [request] = asked;
  expect(saidTo(request as ModelRequest)).toEqual([
    "What is on tomorrow?",
    [
      "Deputy says: it is Wednesday, 2026-11-18, 00:05, UTC+01:00 (Europe/Vienna).",
      "The user's name is Ada.",
      "Their language: German.",
      "Tools by namespace: deputy (2), files (1), mail (1), shell (2), skill (2).",
      "Most used: shell.run (scripts over the workspace).",
      "Hooks that are set up: builds.",
      "Mailboxes: mail.",
    ].join("\n"),
  ]);
});

test("[A231] the prompt before it stays as it was, byte by byte, over the turns of a session, whatever is connected meanwhile", async () => {
  const { surroundings, time, hooks } = vienna();
  const { say, asked } = setUpIngress(engine, {
    surroundings,
    answers: [runs("return 1;"), says("One."), says("Two."), says("Three.")],
  });
  await say("First");
  time.now += 3 * MINUTE;
  hooks.push("payments");
  await say("Second");
  time.now += MINUTE;
  await say("Third");
  for (const [n, request] of asked.entries()) {
    const before = asked[n - 1] ?? request;
    expect(request.system).toBe(before.system);
    expect(JSON.stringify(request.tools)).toBe(JSON.stringify(before.tools));
    expect(request.messages.slice(0, before.messages.length)).toEqual(before.messages);
  }
  const facts = saidTo(asked.at(-1) as ModelRequest).filter((text) => text?.startsWith("Deputy says"));
  expect(facts[1]).toContain("Hooks that are set up: builds, payments.");
  // What was said before is not said again.
  expect(facts[1]).not.toContain("Ada");
  expect(facts[2]).toBe("Deputy says: it is Wednesday, 2026-11-18, 00:09, UTC+01:00 (Europe/Vienna).");
});

test("[A232] a turn that was held up for long is told the time again, behind the results it waited for", async () => {
  const { surroundings, time } = vienna();
  const begun = time.now;
  const { say, asked, log, stream } = setUpIngress(engine, {
    surroundings,
    answers: [
      runs("return await tools.shell.run({ command: 'wait' }).catch(() => 1);"),
      runs("return 2;"),
      says("Done."),
    ],
  });
  Object.defineProperty(time, "now", { get: () => begun + 6 * MINUTE * asked.length });
  await say("Go");
  const roles = (asked.at(-1) as ModelRequest).messages.map(({ role }) => role);
  expect(roles).toEqual(["user", "user", "assistant", "tool", "assistant", "tool", "user"]);
  const facts = (await readAll(log, stream)).filter(({ type }) => type === "turn.facts");
  expect(facts.map(({ data }) => (data as EventData<"turn.facts">).at)).toEqual([
    "2026-11-18T00:05+01:00",
    "2026-11-18T00:17+01:00",
  ]);
});

test("[A233] a name that a stranger chose stays the stranger's, and explains no value", async () => {
  const { surroundings } = vienna();
  const { say, asked } = setUpIngress(engine, {
    surroundings,
    others: [strangersTool("Tells the weather")],
    answers: [calls("search_tools", { query: "weather" }), says("Fine.")],
  });
  await say("How is the weather?");
  const parts = labelsOf(asked[0] as ModelRequest)?.messages.flatMap((message) =>
    message.role === "user" ? message.text : [],
  );
  expect(parts?.find(({ text }) => text === "weather")?.by).toMatchObject({ kind: "other", weight: "names" });
});

test("[A234] a turn with facts runs again as recorded, at another time", async () => {
  const { surroundings } = vienna();
  const { start, replay } = setUpRecording([program("return 1;"), answer("Hello.")], { surroundings });
  expect(await start()).toMatchObject({ kind: "completed" });
  expect((await replay()).summary).toMatchObject({ diverged: 0 });
});

const [reader] = createCatalogue([
  {
    source: "files",
    tree: {
      files: {
        read: defineTool({
          description: "Reads a file",
          approval: "auto",
          effect: "read",
          args: z.object({ path: z.string() }),
          run: () => {
            throw new ToolsError("request_invalid", "There is no such file", {
              hint: "files.list lists all.",
              quotes: [],
            });
          },
        }),
      },
    },
  },
]).list() as [CatalogueTool];

test("[A266] with tools as functions, the model is told what is connected and where files are, and of no program it has not written", async () => {
  const { surroundings } = vienna();
  const { say, asked } = setUpIngress(engine, {
    mode: "functions",
    surroundings: { ...surroundings, reporters: () => ({ hooks: ["builds"], mailboxes: [], folders: [] }) },
    others: [reader],
    answers: [calls("files_read", { path: "nowhere" }), calls("files_read", {}, "c2"), says("Done.")],
  });
  await say("Go");
  const [first, , last] = asked as [ModelRequest, ModelRequest, ModelRequest];
  expect(first.tools.length).toBeGreaterThan(0);
  expect(saidTo(first)[1]).toBe(
    [
      "Deputy says: it is Wednesday, 2026-11-18, 00:05, UTC+01:00 (Europe/Vienna).",
      "The user's name is Ada.",
      "Their language: German.",
      "Hooks that are set up: builds.",
    ].join("\n"),
  );
  expect(first.system).toContain("The files_* functions work on the workspace, a copy of the user's folder.");
  expect(first.system).toContain("What texts call files.read is the function files_read");
  expect(first.system).not.toContain("throws");
  const failures = last.messages.flatMap((message) => (message.role === "tool" ? message.results : []));
  expect(failures.map(({ text }) => text)).toEqual([
    "It failed: There is no such file (request_invalid) Hint: files.list lists all.",
    expect.stringMatching(/^It failed: path: [^\n]* \(invalid_input\)$/),
  ]);
});

test("[A267] what a summary has replaced of the facts is stated again at once, and is never taken for the user's words", async () => {
  const { surroundings } = vienna();
  const long = "return 'x'.repeat(9000);";
  const { say, asked, log, stream } = setUpIngress(engine, {
    surroundings,
    compaction: {
      ...DEFAULT_COMPACTION_LIMITS,
      thresholdTokens: 6_000,
      summaryTokens: 200,
      keepExchanges: 1,
    },
    answers: [runs(long), says("One."), runs(long, "c2"), runs(long, "c3"), runs(long, "c4"), says("Two.")],
  });
  await say("First");
  await say("Second");
  expect((await readAll(log, stream)).some(({ type }) => type === "session.compacted")).toBe(true);
  const isSummary = ({ system }: ModelRequest): boolean => system.startsWith("You summarise");
  const summarised = asked.filter(isSummary);
  for (const request of asked.filter((one) => !isSummary(one)))
    expect(saidTo(request).join("\n")).toMatch(/Tools by namespace: [^]*Hooks that are set up: builds\./);
  expect(summarised.length).toBeGreaterThan(0);
  for (const request of summarised) expect(JSON.stringify(request.messages)).not.toContain("Deputy says");
});
