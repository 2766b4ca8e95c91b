import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Model, ModelEvent } from "@deputy/model";
import { readEvent } from "@deputy/protocol";
import { type Engine, openEngine } from "../../apps/deputy/src/engine.ts";
import { openHome } from "../../apps/deputy/src/home.ts";

// One process of the kill test: `child.ts HOME index|note|forget|look [TEXT]`. Goes on with what an earlier one left,
// does one thing, and prints what there is then.
const [directory = "", action = "look", text = ""] = process.argv.slice(2);
const never = new AbortController().signal;

const answers: ModelEvent[][] = [];
const model: Model = {
  ref: { provider: "test", model: "script" },
  async *stream() {
    yield* (
      answers.shift() ?? [
        { kind: "text", text: "Done." },
        { kind: "stop", reason: "end" },
      ]
    );
  },
};
await using engine = await openEngine({
  home: openHome(directory, () => undefined),
  env: process.env,
  plugins: [],
  embedded: { model },
  secrets: [],
  signal: never,
  warn: (warning) => process.stderr.write(`${warning}\n`),
  onBug: (error) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(70);
  },
});
await engine.conversations.goOn([]);
if (action === "note") await note(engine);
if (action === "forget") await engine.memory?.forget({ text }, "owner", never);
if (action !== "note" && action !== "forget") await index(engine);
if (action === "look") process.stdout.write(`${JSON.stringify(await look(engine))}\n`);

/** Until all notes are there, and everything has its vector: a search on a busy machine does not wait that long. */
async function index({ memory }: Engine): Promise<void> {
  for (;;) {
    const status = await memory?.status(never);
    if (status === undefined || status.problems.length > 0) throw new Error(JSON.stringify(status));
    const { notes = 0, daily = 0 } = status.documents;
    const isThere = notes + daily === readdirSync(join(directory, "agents/main/memory")).length;
    if (isThere && status.embedded === status.pieces) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function note({ sessions, conversations, log }: Engine): Promise<void> {
  const code = `return await tools.memory.remember(${JSON.stringify({ text })});`;
  answers.push([
    { kind: "tool_call", id: "c1", name: "run_code", inputJson: JSON.stringify({ code }) },
    { kind: "stop", reason: "tool_calls" },
  ]);
  const { session } = await sessions.open({ key: "noting", agentId: "main", channel: "cli" }, never);
  const before = (await log.head(session.id))?.seq ?? 0;
  await conversations.send({
    session: session.id,
    text: `Remember that ${text}`,
    channel: "cli",
    sender: "owner",
    trust: "user",
  });
  for await (const item of log.subscribe(session.id, { after: before }, never))
    if (item.kind === "event" && /^turn\.(?:completed|failed|aborted)$/.test(item.event.type)) return;
}

export interface Looked {
  /** All pieces of the index, by their document. */
  readonly pieces: Readonly<Record<string, readonly string[]>>;
  readonly notes: Readonly<Record<string, string>>;
  /** Changes of notes in the log, and how many of them are open. */
  readonly written: number;
  readonly open: number;
  readonly damage: readonly unknown[];
}

async function look({ memory, log }: Engine): Promise<Looked> {
  const pieces: Record<string, readonly string[]> = {};
  for (const { path } of (await memory?.list({}, never))?.documents ?? [])
    pieces[path] = (await memory?.show({ path }, never))?.pieces.map((piece) => piece.text) ?? [];
  const folder = join(directory, "agents/main/memory");
  const names = readdirSync(folder);
  const notes = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
  const changes = (await memory?.changes({ limit: 100 }))?.changes ?? [];
  let open = 0;
  for await (const { event } of log.readAll({ types: ["memory.forgetting"] }))
    if (readEvent(event).kind === "known") open += 1;
  return {
    pieces,
    notes,
    written: changes.filter(({ outcome }) => outcome === "written").length,
    open: open + changes.filter(({ outcome }) => outcome === "pending").length,
    damage: (await log.verify()).damage,
  };
}
