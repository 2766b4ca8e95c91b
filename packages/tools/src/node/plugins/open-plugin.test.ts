import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { AnsweredError } from "../../tools-error.ts";
import type { Catalogue } from "../../catalogue.ts";
import { createCatalogue } from "../../create-catalogue.ts";
import { JsonResult } from "../../json-result.ts";
import type { ToolContext } from "../../tool.ts";
import { ToolsError } from "../../tools-error.ts";
import { type OpenPlugin, openPlugin } from "./open-plugin.ts";
import type { HostLimits } from "./plugin-host.ts";

const directory = mkdtempSync(join(tmpdir(), "deputy-plugin-host-"));
afterAll(() => rmSync(directory, { recursive: true }));
const printed: string[] = [];

const PLUGIN = `import { AnsweredError, defineTool, ToolsError } from "@deputy/tools";
import { z } from "zod";
const tool = (run, more = {}) =>
  defineTool({ description: "Does it", approval: "auto", effect: "read", args: z.object({}), run, ...more });
const until = (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
let calls = 0;
let looks = 0;
export default {
  count: tool(() => (calls += 1)),
  context: tool((_input, { idempotencyKey, sessionKey, session, approvedBy, ask, attach, progress, log }) => {
    progress("half"); log("a line"); console.log("printed"); process.stderr.write("printed, too\\n");
    return { idempotencyKey, sessionKey, session, approvedBy, has: [typeof ask, typeof attach] };
  }),
  services: tool(async (_input, { ask, attach, credentials }) => [
    await ask({ title: "Which?", input: { n: 1 } }),
    await attach({ bytes: new TextEncoder().encode("bytes"), mimeType: "text/plain", name: "a.txt" }),
    await credentials.get("key"),
    await credentials.get("other").catch(({ code, message }) => [code, message]),
  ], { credentials: { key: "For the lock" } }),
  typed: tool((input) => ({ ...input, kinds: [input.at instanceof Date, input.link instanceof URL, input.tags instanceof Set] }), {
    approval: "required", effect: "write", idempotent: true, critical: ["name"], grantable: "input", trust: "trusted",
    limits: { timeoutMs: 5_000 }, examples: [{ input: { name: "ada" }, note: "a name" }],
    args: z.object({
      name: z.string().refine((name) => name !== "eve", "not eve"),
      n: z.number().default(() => 7),
      at: z.iso.datetime().transform((text) => new Date(text)).optional(),
      link: z.string().transform((text) => new URL(text)).optional(),
      tags: z.array(z.string()).transform((list) => new Set(list)).optional(),
    }),
    returns: z.object({ name: z.string(), kinds: z.array(z.boolean()) }),
    terms: ({ name }) => (name === "ada" ? { approval: "auto" } : undefined),
    source: ({ name }) => "of " + name,
    circumstances: () => String(looks += 1),
    formatApproval: ({ name, at }) => ({ title: "Greet " + name, details: at?.toISOString() }),
  }),
  wrong: tool(() => ({ n: "one" }), { returns: z.object({ n: z.number() }) }),
  large: tool(() => "x".repeat(9 * 1024 * 1024)),
  none: tool(() => () => 1),
  answered: tool(() => { throw new AnsweredError("http_conflict", "Taken", { status: 409, body: { by: "ada" } }); }),
  coded: tool(() => { throw new ToolsError("text_not_found", "Not there", { hint: "Look", quotes: ["a"] }); }),
  plain: tool(() => { throw new TypeError("a plain one"); }),
  getter: tool(() => { throw Object.defineProperty(new Error(), "message", { get() { throw new Error("no"); } }); }),
  stops: tool((_input, { signal, progress }) => { progress("begun"); return until(signal); }),
  waits: tool((_input, { progress }) => { progress("begun"); return new Promise(() => setInterval(() => {}, 1_000)); }),
  exit: tool(() => process.exit(0)),
  write: tool(() => process.exit(3), { effect: "write" }),
  loop: tool((_input, { progress }) => { progress("begun"); for (;;); }),
  microtasks: tool(async (_input, { progress }) => { progress("begun"); for (;;) await 0; }),
  memory: tool(() => { const kept = []; for (;;) kept.push(new Array(1_000).fill(1.5).map(String)); }),
  stray: tool(() => { setTimeout(() => { throw new Error("boom"); }); return new Promise(() => {}); }),
  rejection: tool(() => { void Promise.reject(new Error("to nobody")); return new Promise(() => {}); }),
  kill: tool(() => process.kill(process.pid, "SIGKILL")),
  unparsed: tool(() => 1, { args: z.object({ n: z.number().refine(() => { for (;;); }) }) }),
  babble: tool((_input, { progress }) => { for (let n = 0; n < 20_000; n++) progress("x"); return "done"; }),
  send: tool(() => typeof process.send),
  garble: tool(async (_input, { progress }) => {
    progress("begun");
    const { writeSync } = await import("node:fs");
    writeSync(3, Buffer.from(process.env.GARBAGE ?? "no message at all, and longer than a header"));
    return new Promise(() => {});
  }),
  hangUp: tool(async () => {
    const { closeSync } = await import("node:fs");
    closeSync(3);
    return new Promise(() => setInterval(() => {}, 1_000));
  }),
  orphan: tool(async () => {
    const { spawn } = await import("node:child_process");
    spawn("sleep", ["60"], { detached: true, stdio: "inherit" });
    process.exit(3);
  }),
  line: tool(async () => {
    const { writeSync } = await import("node:fs");
    for (let n = 0; n < 16; n++) writeSync(1, "é".repeat(1 << 16));
    writeSync(1, " and its end\\r\\nanother\\n");
    return "done";
  }),
};`;

const write = (name: string, text: string): string => {
  const file = join(directory, name);
  writeFileSync(file, text);
  return file;
};

const never = new AbortController().signal;
const open = (file: string, limits: Partial<HostLimits> = {}, signal = never): Promise<OpenPlugin> =>
  openPlugin(file, { env: process.env, print: (line) => void printed.push(line), signal, limits });

let plugin: OpenPlugin;
let catalogue: Catalogue;
beforeAll(async () => {
  plugin = await open(write("plugin.ts", PLUGIN), { graceMs: 50, questionMs: 1_000, memoryMb: 64 });
  catalogue = createCatalogue([{ source: "plugin", tree: plugin.tree }]);
});
afterAll(() => plugin[Symbol.asyncDispose]());

const toolAt = (path: string, of = catalogue) => {
  const tool = of.get(path);
  if (tool === undefined) throw new Error(`There is no ${path}`);
  return tool;
};

/** Parses and runs like the gate; `more` is what the gate adds. */
async function call(path: string, raw: unknown = {}, more: Partial<ToolContext> = {}, of = catalogue) {
  const tool = toolAt(path, of);
  const parsed = await tool.parseInput(raw);
  if (parsed.kind === "invalid") throw new Error(parsed.message);
  const context: ToolContext = {
    signal: never,
    idempotencyKey: "key",
    sessionKey: "main",
    approvedBy: "terms",
    progress: () => undefined,
    log: () => undefined,
    ...more,
  };
  const result = await tool.run(parsed.input, context);
  expect(result).toBeInstanceOf(JsonResult);
  const { text, chars } = result as JsonResult;
  return text === undefined ? { chars } : (JSON.parse(text) as unknown);
}

test("[T60] a tool's static facts are data, and its process answers about a call", async () => {
  const tool = toolAt("typed");
  expect(tool).toMatchObject({
    description: "Does it",
    approval: "required",
    effect: "write",
    idempotent: true,
    critical: ["name"],
    grantable: "input",
    trust: "trusted",
    limits: { timeoutMs: 5_000 },
    examples: [{ input: { name: "ada" }, note: "a name" }],
    inputSchema: { type: "object", required: ["name"] },
    outputSchema: { type: "object", required: ["name", "kinds"] },
  });
  const input = { name: "ada", n: 7 };
  expect(await tool.termsOf?.(input)).toEqual({ approval: "auto", effect: "write", critical: ["name"] });
  expect(await tool.sourceOf?.(input)).toBe("of ada");
  expect([await tool.circumstancesOf?.(input), await tool.circumstancesOf?.(input)]).toEqual(["1", "2"]);
  expect(await tool.preview(input)).toEqual({ title: "Greet ada" });
  expect(await toolAt("count").preview({})).toEqual({ title: "count", details: "{}" });
  expect(toolAt("count")).not.toHaveProperty("termsOf");
});

test("[T60] a tool's code is identified by the plugin's current file", async () => {
  const file = write("own.ts", PLUGIN);
  await using own = await open(file, {});
  const tool = createCatalogue([{ source: "own", tree: own.tree }]).get("count");
  const before = tool?.identity;
  expect(before).toContain(file);
  expect(tool?.identity).toBe(before);
  write("own.ts", `${PLUGIN}\n// another`);
  expect(tool?.identity).not.toBe(before);
});

test("[T60] the plugin's own schema parses input: defaults, refinements and transforms, with the same messages", async () => {
  const tool = toolAt("typed");
  expect(await tool.parseInput({ name: "eve" })).toEqual({ kind: "invalid", message: "name: not eve" });
  expect(await tool.parseInput({ name: "ada" })).toEqual({ kind: "ok", input: { name: "ada", n: 7 } });
  const at = "2026-01-02T03:04:05Z";
  const parsed = await tool.parseInput({ name: "ada", at, tags: ["a"] });
  expect(parsed).toMatchObject({ input: { at: new Date(at), tags: new Set(["a"]) } });
  if (parsed.kind === "ok")
    expect(await tool.preview(parsed.input)).toEqual({
      title: "Greet ada",
      details: "2026-01-02T03:04:05.000Z",
    });
  // A URL cannot leave the process: it is parsed there again.
  const raw = { name: "ada", at, tags: ["a"], link: "https://a.example/" };
  expect(await call("typed", raw)).toMatchObject({ name: "ada", kinds: [true, true, true] });
});

test("[T60] a call has its context: keys, session, progress and log lines; its output is passed on", async () => {
  const told: string[] = [];
  const more = {
    session: "ses_1",
    progress: (text: string) => void told.push(`progress ${text}`),
    log: (text: string) => void told.push(`log ${text}`),
  };
  expect(await call("context", {}, more)).toEqual({
    idempotencyKey: "key",
    sessionKey: "main",
    session: "ses_1",
    approvedBy: "terms",
    has: ["undefined", "undefined"],
  });
  expect(told).toEqual(["progress half", "log a line"]);
  await expect.poll(() => printed).toEqual(expect.arrayContaining(["printed", "printed, too"]));
  expect(await call("send")).toBe("undefined");
});

test("[T60] a call can ask, attach, and get the credentials that it declares", async () => {
  const attached: string[] = [];
  const result = await call(
    "services",
    {},
    {
      ask: async ({ title }) => ({ kind: "accepted", value: title }),
      attach: async ({ bytes, name }) => {
        attached.push(`${name}: ${new TextDecoder().decode(bytes)}`);
        return { blobId: "b1" };
      },
      credential: async (name) => `secret of ${name}`,
    },
  );
  expect(result).toEqual([
    { kind: "accepted", value: "Which?" },
    { blobId: "b1" },
    "secret of key",
    ["credential_refused", "services does not declare the credential “other”"],
  ]);
  expect(attached).toEqual(["a.txt: bytes"]);
  const refusal = new ToolsError("credential_missing", "Set it", { quotes: [] });
  await expect(
    call(
      "services",
      {},
      {
        ask: async () => ({ kind: "declined", reason: "no" }),
        attach: async () => ({ blobId: "b" }),
        credential: () => Promise.reject(refusal),
      },
    ),
  ).rejects.toMatchObject({ code: "credential_missing", message: "Set it", quotes: [] });
});

test("[T60] checks results in the process and sends them as JSON; too large ones stay there", async () => {
  await expect(call("wrong")).rejects.toMatchObject({ code: "invalid_output" });
  expect(await call("large")).toEqual({ chars: 9 * 1024 * 1024 + 2 });
  expect(await call("none")).toEqual({ chars: 0 });
});

test("[T60] errors arrive with their code, hint, status and body", async () => {
  const answered = await call("answered").catch((error: unknown) => error);
  expect(answered).toBeInstanceOf(AnsweredError);
  expect(answered).toMatchObject({
    code: "http_conflict",
    message: "Taken",
    status: 409,
    body: { by: "ada" },
  });
  await expect(call("coded")).rejects.toMatchObject({
    code: "text_not_found",
    message: "Not there",
    hint: "Look",
    quotes: ["a"],
  });
  const plain = await call("plain").catch((error: unknown) => error);
  expect(plain).toMatchObject({ name: "TypeError", message: "a plain one" });
  expect(plain).not.toBeInstanceOf(ToolsError);
  await expect(call("getter")).rejects.toThrow("The tool failed without a message.");
});

test("[T60] a call is told to stop, and its process continues", async () => {
  // However busy the machine is, it is not ended for being slow to stop.
  await using patient = await open(write("patient.ts", PLUGIN), { graceMs: 60_000 });
  const of = createCatalogue([{ source: "patient", tree: patient.tree }]);
  const before = (await call("count", {}, {}, of)) as number;
  const stop = new AbortController();
  const progress = () => stop.abort(new Error("enough"));
  await expect(call("stops", {}, { signal: stop.signal, progress }, of)).rejects.toThrow("enough");
  expect(await call("count", {}, {}, of)).toBe(before + 1);
});

const ENDS = [
  ["exit", "ended its process (exit code 0)"],
  ["memory", "ran out of memory (it may have 64 MB)"],
  ["stray", "threw an error that nothing caught: boom"],
  ["rejection", "left a rejected promise unhandled: to nobody"],
  ["kill", "was ended by SIGKILL"],
  ["garble", "wrote something that is not a message into its channel to Deputy"],
  ["hangUp", "closed its way to Deputy"],
  // What it has started lives on, with its pipes.
  ["orphan", "ended its process (exit code 3)"],
] as const;

test.each(ENDS)(
  "[T61] %s ends the process and its calls with a message; the next call starts another",
  async (path, what) => {
    const other = call("waits").catch((error: unknown) => error);
    await call("count");
    const error = await call(path).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "plugin_crashed" });
    expect((error as Error).message).toContain(
      `While ${path} ran, the plugin ${join(directory, "plugin.ts")} ${what}`,
    );
    expect(await other).toMatchObject({ code: "plugin_crashed" });
    expect(await call("count")).toBe(1);
  },
);

test("[T61] the outcome of a call that may have had an effect is unknown", async () => {
  await expect(call("write")).rejects.toMatchObject({
    code: "outcome_unknown",
    message: expect.stringContaining("exit code 3"),
  });
});

test.each(["loop", "microtasks", "waits"])(
  "[T62] %s does not stop when told to, so its process is ended",
  async (path) => {
    const stop = new AbortController();
    const progress = () => stop.abort(new Error("enough"));
    await expect(call(path, {}, { signal: stop.signal, progress })).rejects.toMatchObject({
      code: "plugin_crashed",
      message: expect.stringContaining(`${path} did not stop within 0.05 s of being told to`),
    });
    expect(await call("count")).toBe(1);
  },
);

test("[T62] a looping schema refuses the input after a while, and the next call works", async () => {
  expect(await toolAt("unparsed").parseInput({ n: 1 })).toMatchObject({
    kind: "invalid",
    code: "plugin_unresponsive",
  });
  expect(await call("count")).toBe(1);
});

test("[T63] if the process cannot answer, defaults are safe: ask, a plain card, no earlier yes", async () => {
  const file = write("gone.ts", PLUGIN);
  await using other = await open(file);
  const tool = toolAt("typed", createCatalogue([{ source: "x", tree: other.tree }]));
  await other.rest();
  write("gone.ts", "export default {");
  const input = { name: "ada" };
  expect(await tool.termsOf?.(input)).toEqual({ approval: "required", effect: "write", critical: ["name"] });
  expect(await tool.preview(input)).toEqual({ title: "typed", details: JSON.stringify(input, null, 2) });
  expect(await tool.sourceOf?.(input)).toBeUndefined();
  expect(await tool.circumstancesOf?.(input)).not.toBe(await tool.circumstancesOf?.(input));
  expect(await tool.parseInput(input)).toMatchObject({ kind: "invalid", code: "plugin_failed" });
});

test("[T60] passes on an endless line in pieces", async () => {
  printed.length = 0;
  expect(await call("line")).toBe("done");
  await expect.poll(() => printed.at(-1)).toBe("another");
  expect(printed.join("")).toBe(`${"é".repeat(1 << 20)} and its endanother`);
  expect(Math.max(...printed.map((line) => line.length))).toBeLessThanOrEqual(64 * 1024);
});

test("[T61] cuts off a call's endless output, and the call still returns its result", async () => {
  let lines = 0;
  expect(await call("babble", {}, { progress: () => void lines++ })).toBe("done");
  expect(lines).toBe(10_000);
});

test.each([
  ["exit", "process.exit(0);", /could not be loaded: it ended its process \(exit code 0\)/],
  ["loop", "for (;;);", /was ended, since it was still loading after 1 s/],
  [
    "throw",
    "setTimeout(() => { throw new Error('late'); });\nawait new Promise(() => setInterval(() => 0, 99));",
    /nothing caught: late/,
  ],
  ["syntax", "const n: number = 1;\nexport default {", /\(.*syntax\.ts:2\)/],
])("[T64] reports a plugin that fails to load (%s) by name", async (name, text, message) => {
  const file = write(`${name}.ts`, text);
  // The others end by themselves, on a busy machine later than after a second.
  await expect(open(file, name === "loop" ? { loadMs: 1_000 } : {})).rejects.toMatchObject({
    code: "plugin_failed",
    message: expect.stringMatching(message),
    hint: expect.stringContaining("deputy tools remove"),
  });
});

test("[T64] loading ends at once when Deputy stops", async () => {
  const file = write("slow.ts", "await new Promise(() => setInterval(() => 0, 99));\nexport default {};");
  await expect(open(file, {}, AbortSignal.timeout(10))).rejects.toMatchObject({ name: "TimeoutError" });
});

test("[T14] each process loads the current file and its imports; a call for changed tools is refused", async () => {
  const tools = (
    says: string,
    run: string,
  ) => `import { defineTool } from "@deputy/tools"; import { z } from "zod";
    import { n } from "./lib.mjs";
    export default { it: defineTool({ description: "${says}", approval: "auto", args: z.object({}), run: () => ${run} }) };`;
  write("lib.mjs", "export const n = 1;");
  await using one = await open(write("edited.ts", tools("Says", "n")));
  const of = createCatalogue([{ source: "x", tree: one.tree }]);
  expect(await call("it", {}, {}, of)).toBe(1);
  write("lib.mjs", "export const n = 2;");
  expect(await call("it", {}, {}, of)).toBe(1);
  await one.rest();
  expect(await call("it", {}, {}, of)).toBe(2);
  await one.rest();
  write("edited.ts", tools("Says something else", "n"));
  await expect(call("it", {}, {}, of)).rejects.toThrow("its tools are not those that this turn began with");
});

test("[T65] an idle process ends by itself, and with its plugin", async () => {
  const file = write("idle.ts", `process.on("exit", () => console.log("idle.ts ends"));\n${PLUGIN}`);
  const ends = () => printed.filter((line) => line === "idle.ts ends").length;
  await using unused = await open(file, { unusedMs: 10 });
  await expect.poll(ends).toBe(1);
  const of = createCatalogue([{ source: "x", tree: unused.tree }]);
  expect(await call("count", {}, {}, of)).toBe(1);
  expect(await call("count", {}, {}, of)).toBe(2);
  await unused[Symbol.asyncDispose]();
  await expect.poll(ends).toBe(2);
  await expect(call("count", {}, {}, of)).rejects.toThrow("has been closed");
  onTestFinished(() => void printed.splice(0));
});
