import type { ModelEvent } from "@deputy/model";
import type { CanonicalEvent, StoredEvent } from "@deputy/protocol";
import { readEvent } from "@deputy/protocol";
import { defineTool, ToolsError, type ToolTree } from "@deputy/tools";
import { expect, test } from "vitest";
import { z } from "zod";
import { readAll, SECRET, sha256 } from "../agent.fixture.ts";
import { buildHistory } from "../history/history.ts";
import { plainText } from "../ingress/labelled-text.ts";
import { disagreements, program, rewrite, say, setUpRecording } from "./recording.fixture.ts";
import { endProgramPartsAfterwards } from "../program-parts.fixture.ts";

endProgramPartsAfterwards();

const extra: ToolTree = {
  jobs: {
    start: defineTool({
      description: "Starts a job",
      approval: "auto",
      effect: "write",
      critical: [],
      args: z.object({}),
      run: () => ({ processId: "p-17" }),
    }),
    look: defineTool({
      description: "Looks after a job",
      approval: "auto",
      effect: "read",
      args: z.object({}),
      run: () => {
        throw new ToolsError("request_invalid", "The text is too long", {
          hint: "Read it in parts, with offset and limit.",
          quotes: [],
        });
      },
    }),
  },
};

/** What the model was told of its program, which also has to replay as it was. */
async function toldOf(code: string): Promise<string> {
  const { start, replay, log, stream } = setUpRecording([program(code), say("Done.")] as ModelEvent[][], {
    extra,
  });
  await start();
  expect((await replay()).summary).toMatchObject({ diverged: 0 });
  const events = (await readAll(log, stream)).flatMap((stored): CanonicalEvent[] => {
    const read = readEvent(stored);
    return read.kind === "known" ? [read.event] : [];
  });
  return buildHistory(events)
    .flatMap((message) => (message.role === "tool" ? message.results : []))
    .map(({ text }) => plainText(text))
    .join("\n");
}

test("[A235] of a long list whole items are shown, and before them how many there are and how to get the rest", async () => {
  const told = await toldOf(
    'return Array.from({ length: 500 }, (_, id) => ({ id, title: `No "${id}", ${"x".repeat(90)}` }));',
  );
  const [notice = "", result = ""] = told.split("\n");
  const [, shown] =
    /^The result has \d+ characters; here is only (\d+) of 500 items\. For the rest return less: some items, some fields, or a count\.$/.exec(
      notice,
    ) ?? [];
  const items = JSON.parse(result.replace(/^Result: /, "")) as { id: number; title: string }[];
  expect(items).toHaveLength(Number(shown));
  expect(items.length).toBeGreaterThan(100);
  expect(items.at(-1)?.id).toBe(items.length - 1);
});

test("[A235] a long text is cut as text, and a long object to members that are whole", async () => {
  expect(await toldOf('return "line\\n".repeat(9000);')).toMatch(
    /^The result has \d+ characters; here is only its beginning\.[^\n]*\nResult: "line\\nline/,
  );
  const [notice = "", result = ""] = (
    await toldOf('return { first: 1, rows: Array(9000).fill("row"), last: 2 };')
  ).split("\n");
  const told = JSON.parse(result.replace(/^Result: /, "")) as { rows: readonly string[] };
  expect(told).toEqual({ first: 1, rows: told.rows.map(() => "row"), last: 2 });
  expect(notice).toContain(`only a part of it (rows: ${told.rows.length} of 9000 items).`);
});

/** A page of a list, as many servers give it. */
const PAGE = `const rows = Array.from({ length: 3000 }, (_, id) => ({ id, title: "T".repeat(id % 40), tags: ["a", { b: id }] }));`;

test("[A265] every row of a cut list is whole, also where the row does not fit by a little", async () => {
  for (const code of ["return rows;", "return { total: 3000, items: rows, next: 'p2' };"]) {
    const [notice = "", result = ""] = (await toldOf(`${PAGE}\n${code}`)).split("\n");
    const told = JSON.parse(result.replace(/^Result: /, "")) as { items: unknown } | unknown[];
    const rows = (Array.isArray(told) ? told : told.items) as unknown[];
    const expected = rows.map((_, id) => ({ id, title: "T".repeat(id % 40), tags: ["a", { b: id }] }));
    expect(rows).toEqual(expected);
    expect(rows.length).toBeGreaterThan(150);
    expect(notice).toContain(`${rows.length} of 3000 items`);
    if (!Array.isArray(told)) expect(told).toEqual({ total: 3000, items: expected, next: "p2" });
  }
});

test("[A265] several long lists share the room, each with its count, and a cut text ends in a mark", async () => {
  const [notice = "", result = ""] = (
    await toldOf(`${PAGE}\nreturn { a: { rows }, b: rows, text: "é\\n".repeat(40000), last: true };`)
  ).split("\n");
  const told = JSON.parse(result.replace(/^Result: /, "")) as {
    a: { rows: unknown[] };
    b: unknown[];
    text: string;
    last: boolean;
  };
  expect(told.last).toBe(true);
  expect(told.text).toMatch(/^(é\n)+é?…$/);
  expect(notice).toContain(`a.rows: ${told.a.rows.length} of 3000 items`);
  expect(notice).toContain(`b: ${told.b.length} of 3000 items`);
  expect(notice).toContain(`text: ${told.text.length - 1} of 80000 characters`);
  expect(result.length).toBeLessThan(17_000);
  expect(result.length).toBeGreaterThan(14_000);
});

test("[A265] a log that is not whole says so before its first line", async () => {
  const told = await toldOf(
    'for (let n = 0; n < 9000; n++) console.log("line " + n + " of the log");\nreturn 1;',
  );
  expect(told).toMatch(
    /^Result: 1\nLog \(here are its first \d+ of \d+ lines; it became full, and what followed was left out; log less, or return it\):\n {2}line 0 of the log\n/,
  );
  expect(told.length).toBeLessThan(30_000);
});

test("[A235] a cut result with a secret in it replays as well", async () => {
  const told = await toldOf(
    `return Array.from({ length: 500 }, (_, id) => ({ id, key: "${SECRET}", x: "y".repeat(90) }));`,
  );
  expect(told).toContain("of 500 items");
  expect(told).not.toContain(SECRET);
});

test("[A236] when a program fails, what its calls gave before is told, and what whoever refused one advises", async () => {
  const told = await toldOf(
    "const { processId } = (await tools.jobs.start({})) as any;\nawait tools.jobs.look({});\nreturn processId;",
  );
  expect(told).toMatch(
    /^It failed at line 2: .*The text is too long \[request_invalid\] \(threw\) Hint: Read it in parts, with offset and limit\.\n/,
  );
  expect(told).toMatch(/\n {2}1\. jobs\.start succeeded \(\d+ ms\), gave \{"processId":"p-17"\}\n/);
  expect(told).toMatch(
    /\n {2}2\. jobs\.look failed \(\d+ ms\): The text is too long Hint: Read it in parts, with offset and limit\.$/,
  );
});

test("[A237] a program's last expression is its result, as in a console", async () => {
  expect(await toldOf("const n = 20;\nn + 1")).toBe("Result: 21");
  expect(await toldOf("async function main() { return 7; }\nmain();")).toBe("Result: 7");
  expect(await toldOf("async () => {\n  return 8;\n}")).toBe("Result: 8");
});

test("[A238] [A237] a script replays as it was recorded, with what stands around it", async () => {
  const text = "First.\n<script>const n = 20;\nn + 1</script>\nThen:\n```ts\nconst open = 1;";
  const { start, replay, log, stream } = setUpRecording([say(text), say("Done.")], { mode: "script" });
  await start();
  expect((await replay()).summary).toMatchObject({ diverged: 0 });
  const texts = (await readAll(log, stream)).flatMap(({ type, data }) =>
    type === "assistant.message" ? [(data as { text: string }).text] : [],
  );
  expect(texts).toEqual(["First.\n\nThen:\n```ts\nconst open = 1;", "Done."]);
});

const write = defineTool({
  description: "Writes a file",
  approval: "auto",
  effect: "write",
  critical: [],
  args: z.object({ path: z.string(), content: z.string() }),
  run: () => ({ written: 1 }),
});

test("[A268] a script's calls agree by either of their names, as earlier versions recorded them", async () => {
  const text = `First.\n<script>await writeFile("a.md", "x");</script>`;
  const { start, replay } = setUpRecording([say(text), say("Done.")], {
    mode: "script",
    extra: { files: { write } },
  });
  await start();
  expect((await replay()).summary).toMatchObject({ cells: 1, diverged: 0 });
  const names = [
    { fn: "writeFile", args: ["a.md", "x"] },
    { fn: "files.write", args: [{ path: "a.md", content: "x" }] },
  ];
  for (const name of names)
    expect(
      disagreements((await replay({ asRead: (event) => beforeApart(event, text, name) })).turns),
    ).toEqual([]);
  const { turns } = await replay({
    asRead: (event) => beforeApart(event, text, { fn: "writeFile", args: ["b.md", "x"] }),
  });
  expect(disagreements(turns)).toMatchObject([
    { divergence: { what: expect.stringContaining("operations[0]") } },
  ]);
});

test.each([
  ["an item of its own", true, { fn: "shell", args: ["pwd"] }],
  ["in the message, called by its path", false, { fn: "bash.run", args: [{ command: "pwd" }] }],
  ["in the message, called by its name", false, { fn: "shell", args: ["pwd"] }],
])("[A296] a script whose shell() was bash.run replays as it was recorded: %s", async (_, isApart, call) => {
  const [direct, then] = ['await tools.bash.run({ command: "pwd" });', 'await shell("pwd");'];
  const run = defineTool({
    description: "Runs a command",
    approval: "auto",
    effect: "write",
    critical: [],
    args: z.object({ command: z.string() }),
    run: () => ({ exitCode: 0 }),
  });
  const recording = setUpRecording([say(`First.\n<script>${direct}</script>`), say("Done.")], {
    mode: "script",
    extra: { bash: { run } },
  });
  await recording.start();
  expect((await recording.replay()).summary).toMatchObject({ cells: 1, diverged: 0 });
  const [from, to] = [JSON.stringify(direct).slice(1, -1), JSON.stringify(then).slice(1, -1)];
  const [cellId = expect.unreachable()] = await recording.cellIds();
  await recording.tamper(cellId, (entries) =>
    entries.map((entry) =>
      new TextDecoder().decode(entry.bytes).includes(from) ? rewrite(entry, from, to) : entry,
    ),
  );
  const asRead = (event: StoredEvent): StoredEvent => {
    const data = event.data as Record<string, unknown>;
    const written =
      event.type === "cell.submitted"
        ? { ...event, data: { ...data, code: then, sha256: sha256(then) } }
        : event;
    if (!isApart) return beforeApart(written, `First.\n<script>${then}</script>`, call);
    return event.type === "cell.completed" ? beforeApart(event, "", call) : written;
  };
  expect(disagreements((await recording.replay({ asRead })).turns)).toEqual([]);
});

/** The event as versions wrote it that left scripts in the message. */
function beforeApart(event: StoredEvent, text: string, name: object): StoredEvent {
  const data = event.data as Record<string, unknown>;
  if (event.type === "cell.submitted") {
    const { apart: _apart, ...rest } = data;
    return { ...event, data: rest };
  }
  if (event.type === "cell.completed") {
    const [operation] = data["operations"] as readonly object[];
    return { ...event, data: { ...data, operations: [{ ...operation, ...name }] } };
  }
  if (event.type === "assistant.message" && data["text"] === "First.\n")
    return { ...event, data: { ...data, text } };
  return event;
}

test("[A269] a program that had not awaited its calls replays also as earlier versions told of it", async () => {
  const { start, replay } = setUpRecording([program("void tools.jobs.start({});\nreturn 1;"), say("Done.")], {
    extra,
  });
  await start();
  const then = "The code ended before these calls did: jobs.start. Await every call.";
  const asRead = (event: StoredEvent): StoredEvent => {
    const { error, ...data } = event.data as { error?: object };
    return error === undefined ? event : { ...event, data: { ...data, error: { ...error, message: then } } };
  };
  for (const options of [{}, { asRead }]) expect(disagreements((await replay(options)).turns)).toEqual([]);
});

test("[A270] a script without its end tag is no part of the message either, and replays so or as it was before", async () => {
  const script = "<script>await tools.jobs.start({});\nreturn 1;";
  const { start, replay, log, stream } = setUpRecording([say(`First.\n${script}`), say("Done.")], {
    mode: "script",
    extra,
  });
  await start();
  const events = await readAll(log, stream);
  const texts = events.flatMap(({ type, data }) =>
    type === "assistant.message" ? [(data as { text: string }).text] : [],
  );
  expect(texts).toEqual(["First.\n", "Done."]);
  const known = events.flatMap((stored): CanonicalEvent[] => {
    const read = readEvent(stored);
    return read.kind === "known" ? [read.event] : [];
  });
  // The model sees what it wrote, and why nothing came of it.
  expect(JSON.stringify(buildHistory(known))).toContain(JSON.stringify(script).slice(1, -1));
  const before = (event: StoredEvent): StoredEvent => {
    const { apart: _apart, unclosed: _unclosed, ...data } = event.data as Record<string, unknown>;
    return data["text"] === "First.\n"
      ? { ...event, data: { ...data, text: `First.\n${script}` } }
      : { ...event, data };
  };
  for (const options of [{}, { asRead: before }])
    expect(disagreements((await replay(options)).turns)).toEqual([]);
});

test("[A271] a call that nothing awaits and that would never run is told before anything does, with its line", async () => {
  expect(await toldOf("const n = 1;\ntools.jobs.start({});\nreturn n;")).toBe(
    "The program does not typecheck; nothing was run.\nline 2, column 1 (not_awaited): Nothing awaits this call, so it would not run: write await before it.",
  );
});
