import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox, TypeChecker } from "@deputy/codemode";
import { createNodeTypeChecker, createWorkerSandbox } from "@deputy/codemode/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readyOrigins } from "../agent.fixture.ts";
import type { AgentMode } from "../turn/offer.ts";
import { calls, type IngressOptions, runs, says, setUpIngress, strangersTool } from "./ingress.fixture.ts";
import { ours, plainText, textBy } from "./labelled-text.ts";
import { labelsOf, standingParts } from "./prompt.ts";
import { takeApart } from "./whole-prompt.fixture.ts";

let engine: { readonly checker: TypeChecker; readonly sandbox: Sandbox };

beforeAll(() => {
  engine = { checker: createNodeTypeChecker(), sandbox: createWorkerSandbox() };
});

afterAll(async () => {
  await engine.checker[Symbol.asyncDispose]();
  await engine.sandbox[Symbol.asyncDispose]();
});

const skill = (name: string, description: string) => ({
  [`${name}/SKILL.md`]: `---\nname: ${name}\ndescription: ${description}\n---\nDo it.`,
});
const script = (code: string) => says(`Let me see. <script>${code}</script>`);
const DENY = 'return await tools.shell.run({ command: "rm x" });';
const WRONG = "return await tools.nothing.there({});";

const ANSWERS: Readonly<Record<AgentMode, NonNullable<IngressOptions["answers"]>>> = {
  code: [
    [
      { kind: "reasoning", text: "Hm" },
      { kind: "reasoning_done", opaque: "o" },
      ...calls("search_tools", { query: "weather" }),
    ],
    calls("describe_tools", { paths: ["weather.forecast"] }),
    runs(WRONG),
    runs(DENY),
    runs('console.log("seen"); throw new Error("own");'),
    calls("unknown_function", {}),
    says("Done."),
  ],
  script: [
    script("return await tools.files.list({});"),
    script(WRONG),
    script(DENY),
    says("<script>cut"),
    says("Done."),
  ],
  functions: [
    calls("files_list", {}),
    calls("shell_run", { command: "rm x" }),
    calls("nothing", {}),
    says("Done."),
  ],
};

const everything = (mode: AgentMode): IngressOptions => ({
  mode,
  files: { "main/AGENTS.md": "Reports go to boss@own.example.", "main/MEMORY.md": "Ada is ada@own.example." },
  skills: skill("own", "For own@own.example"),
  foundSkills: skill("found", "For found@strange.example"),
  others: [strangersTool("Mail tool@strange.example", ["plain"])],
  answers: ANSWERS[mode],
});

const FILE = { blobId: "b1", name: 'a "file" for\u202e name@strange.example', mimeType: "x/y", size: 5 };

/** Where each address in the test comes from, as provenance must know it. */
const ORIGINS: Readonly<Record<string, string>> = {
  "me@own.example": "user",
  "no@own.example": "user",
  "boss@own.example": "configuration",
  "ada@own.example": "configuration",
  "own@own.example": "configuration",
  "found@strange.example": "untrusted",
  "name@strange.example": "untrusted",
  "mail@strange.example": "untrusted",
};

test.each(["code", "script", "functions"] as const)(
  "[A174] in %s mode every character that a model is told has an author, and provenance knows the same",
  async (mode) => {
    const compaction = {
      thresholdTokens: Number.POSITIVE_INFINITY,
      maxMessages: 8,
      keepMessages: 4,
      keepExchanges: 1,
      summaryTokens: 50,
    };
    const world = setUpIngress(engine, { ...everything(mode), compaction });
    const { say, asked, log, stream } = world;
    const told = { channel: "mail", sender: "eve", trust: "untrusted" as const };
    await say("I am mail@strange.example", told, ["no, ask no@own.example"]);
    await say("I am me@own.example", { attachments: [FILE] }, [
      "no, ask no@own.example",
      "no, ask no@own.example",
    ]);
    for (const n of [1, 2, 3]) await say(`And ${n}`);
    expect(asked.length).toBeGreaterThan(6);
    expect(
      asked.some(({ system }) => system.startsWith("You summarise")),
      "summaries too",
    ).toBe(true);
    for (const request of asked) expect(takeApart(request).unlabelled).toEqual([]);

    const shown = asked.flatMap((request) => standingParts(labelsOf(request) ?? { system: [], tools: [] }));
    const { origins } = await readyOrigins(log).of(stream, { get: () => undefined }, shown);
    const text = JSON.stringify(asked);
    for (const [value, kind] of Object.entries(ORIGINS)) {
      expect(text, `${value} is in some prompt`).toContain(value);
      expect(origins.trace(value), value).toMatchObject({ kind });
    }
  },
);

test("[A174] no address in a prompt has two authors of different trust", async () => {
  const { say, asked } = setUpIngress(engine, everything("code"));
  await say("I am me@own.example", { attachments: [FILE] }, ["no, ask no@own.example"]);
  for (const { text, by } of asked.flatMap((request) => takeApart(request).parts)) {
    if (text.includes("@strange.example")) expect(["other", "derived"]).toContain(by.kind);
    if (by.kind === "deputy") expect(text).not.toContain("@");
  }
});

test("[A174] Deputy's words are literal text; what is inserted has to have an author", () => {
  // @ts-expect-error -- an unlabelled string is no part of a prompt
  expect(ours`Say ${"this"}`).toBeDefined();
  // @ts-expect-error -- nobody else speaks as Deputy
  expect(textBy({ kind: "deputy" }, "this")).toBeDefined();
  const told = ours`Say ${textBy({ kind: "user" }, "this")} ${2} times`;
  expect(plainText(told)).toBe("Say this 2 times");
  expect(told.map(({ by }) => by.kind)).toEqual(["deputy", "user", "deputy", "deputy", "deputy"]);
});

test("[A174] a request reaches a model from one place only", () => {
  const root = join(import.meta.dirname, "../../../..");
  const files = ["packages", "apps"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  );
  const others = /node_modules|\.test\.ts$|fixture|^packages.(?:model|testing)\b/;
  const senders = files
    .filter((file) => file.endsWith(".ts") && !others.test(file))
    .filter((file) => /model\.stream\(/i.test(readFileSync(join(root, file), "utf8")));
  // The doctor asks a model whether it is there, and whether it sees, in words of its own; nothing else comes of it.
  expect(senders).toEqual([
    join("packages", "agent", "src", "ingress", "prompt.ts"),
    join("apps", "deputy", "src", "doctor", "probe-model.ts"),
    join("apps", "deputy", "src", "doctor", "probe-sight.ts"),
  ]);
});
