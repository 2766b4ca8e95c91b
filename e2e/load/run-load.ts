import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openPacedModel, type PacedModel } from "../paced-model.ts";
import { type Daemon, PLUGIN, runDeputy, scratchDirectory, startDaemon, TOKEN } from "../run-deputy.ts";
import { checkLog } from "./check-log.ts";
import { honestWork, type WorkDeps } from "./honest-work.ts";
import { hostileTraffic } from "./hostile-traffic.ts";
import { createHttpClient, type HttpClient } from "./http-client.ts";
import { type Ledger, openLedger } from "./ledger.ts";
import { type OpenHandles, openHandles } from "./open-handles.ts";
import { createChoices, type Random } from "./random.ts";

export interface LoadReport {
  readonly operations: number;
  readonly acknowledged: { readonly messages: number; readonly tasks: number; readonly blobs: number };
  readonly cuts: number;
  readonly refused: number;
  readonly done: ReadonlyMap<string, number>;
  readonly handles: { readonly before: number; readonly after: number };
  /** What is wrong, in words; empty when everything holds. */
  readonly faults: readonly string[];
}

const CLIENTS = 24;
/** For what has been begun to end, and for connections to be gone. */
const SETTLE_MS = 120_000;
const LOOK_AGAIN_MS = 50;

type Operation = readonly [name: string, carryOut: (deps: WorkDeps) => Promise<void>];

const operations: readonly Operation[] = [
  ...Object.entries(honestWork),
  ...Object.entries(hostileTraffic).map(([name, send]): Operation => [
    name,
    ({ url, random }) => send(url, random),
  ]),
];

/** A real daemon under mixed load of clients that break, lie and leave; `goesOn` says whether there is more to do. */
export async function runLoad(options: {
  readonly seed: number;
  readonly goesOn: (operations: number) => boolean;
  readonly signal: AbortSignal;
}): Promise<LoadReport> {
  using home = scratchDirectory();
  writeFileSync(join(home.path, "config.json"), JSON.stringify({ toolSources: [PLUGIN] }), { mode: 0o600 });
  await using model = await openPacedModel();
  const answering = new AbortController();
  const answered = answerAll(model, createChoices(options.seed), answering.signal);
  await using daemon = await startDaemon(home.path, [], { DEPUTY_TOKEN: TOKEN, ...model.env });
  const bugs = collectBugs(daemon);
  const pid = daemon.child.pid ?? 0;
  const own = openHandles(pid);
  const http = createHttpClient(daemon.url);
  const ledger = openLedger();
  let begun = 0;
  let texts = 0;
  const depsFor = (random: Random): WorkDeps => ({
    url: daemon.url,
    http,
    ledger,
    random,
    unique: () => `message ${options.seed}-${++texts}`,
  });
  const carryOut = async ([name, work]: Operation, deps: WorkDeps): Promise<void> => {
    try {
      await work(deps);
      ledger.done.set(name, (ledger.done.get(name) ?? 0) + 1);
    } catch (error) {
      ledger.faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };

  // Once each, and all at once: whatever is opened at first use, or kept for the next time, is open then.
  await Promise.all(operations.map((operation) => carryOut(operation, depsFor(createChoices(options.seed)))));
  await settle(http, ledger);
  // The process of the model that reads by meaning is started when there is time for it; its channel stays open a while.
  const started = AbortSignal.timeout(SETTLE_MS);
  while (openHandles(pid).toProcesses === own.toProcesses && !started.aborted) await sleep(LOOK_AGAIN_MS);
  const before = await quietHandles(pid, own);
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      const random = createChoices(options.seed + 1 + client);
      while (options.goesOn(begun) && !options.signal.aborted) {
        begun += 1;
        await carryOut(random.pick(operations), depsFor(random));
      }
    }),
  );

  await settle(http, ledger);
  await compareReadings(http, ledger);
  const after = await quietHandles(pid, own);
  if (after.all > before.all || after.connections > own.connections)
    ledger.faults.push(`open now: ${JSON.stringify(after)}, and before: ${JSON.stringify(before)}`);
  const health = await http.send("GET", "/health");
  if (health.status !== 200) ledger.faults.push(`health answered ${health.status}`);
  const code = await daemon.end("SIGTERM");
  if (code !== 0) ledger.faults.push(`the daemon ended with ${code}`);
  answering.abort();
  await answered;
  ledger.faults.push(...bugs, ...(await checkLog(home.path, ledger)));
  const verified = await runDeputy(["audit", "verify", "--home", home.path]);
  if (verified.code !== 0) ledger.faults.push(`audit verify: ${verified.stdout}${verified.stderr}`);
  return {
    operations: begun,
    acknowledged: { messages: ledger.messages.size, tasks: ledger.tasks.size, blobs: ledger.blobs.size },
    cuts: ledger.cuts,
    refused: ledger.refused,
    done: ledger.done,
    handles: { before: before.all, after: after.all },
    faults: ledger.faults,
  };
}

/** Answers whatever is asked, in a few pieces. */
async function answerAll(model: PacedModel, random: Random, signal: AbortSignal): Promise<void> {
  const stopped = new Promise<undefined>((resolve) =>
    signal.addEventListener("abort", () => resolve(undefined), { once: true }),
  );
  for (;;) {
    const asked = await Promise.race([model.asked(), stopped]);
    if (asked === undefined) return;
    for (let pieces = 1 + random.below(4); pieces > 0; pieces--) asked.write("word ");
    setTimeout(() => asked.end(), random.below(100));
  }
}

function collectBugs({ child }: Daemon): readonly string[] {
  const bugs: string[] = [];
  child.stderr?.on("data", (bytes: Buffer) => {
    const text = bytes.toString();
    if (text.includes("a bug")) bugs.push(text.trim());
  });
  return bugs;
}

/** Waits until every run and task that was acknowledged has ended. */
async function settle(http: HttpClient, ledger: Ledger): Promise<void> {
  const deadline = AbortSignal.timeout(SETTLE_MS);
  for (const runId of new Set(ledger.messages.values())) {
    const ended = http.events(`/api/v2/stream/${runId}`, {});
    for await (const _ of ended)
      if (deadline.aborted) return void ledger.faults.push(`${runId} does not end`);
  }
  for (;;) {
    const { tasks } = (await http.send("GET", "/api/tasks")).json() as {
      tasks: { id: string; status: string }[];
    };
    const open = tasks.filter(({ status }) => status === "running" || status === "waiting");
    if (open.length === 0) return;
    if (deadline.aborted) return void ledger.faults.push(`tasks do not end: ${JSON.stringify(open)}`);
    await sleep(LOOK_AGAIN_MS);
  }
}

/** That an item starts is told with its first piece where pieces are told, and with the whole of it otherwise. */
function withoutStarts(told: readonly string[]): string {
  return told.filter((data) => !data.includes('"payload":{"type":"item_start"')).join("\n");
}

/** Whoever read in pieces was told what one reading tells; whatever was kept comes out again. */
async function compareReadings(http: HttpClient, ledger: Ledger): Promise<void> {
  const compare = async (path: string, told: readonly string[]): Promise<void> => {
    const whole = (await Array.fromAsync(http.events(path, {}))).map(({ data }) => data);
    if (withoutStarts(whole) !== withoutStarts(told))
      ledger.faults.push(`${path}: in pieces ${told.join(" ")}, in one ${whole.join(" ")}`);
  };
  for (const [id, told] of ledger.tasks) await compare(`/api/tasks/${id}/events`, told);
  for (const [runId, told] of ledger.runs) await compare(`/api/v2/stream/${runId}`, told);
  for (const [id, bytes] of ledger.blobs) {
    const { body } = await http.send("GET", `/api/blobs/${id}`);
    if (!body.equals(bytes)) ledger.faults.push(`blob ${id} is not what was sent`);
  }
}

/** Handles of the daemon once nobody is connected to it; as they are, when somebody stays. */
async function quietHandles(pid: number, own: OpenHandles): Promise<OpenHandles> {
  const deadline = AbortSignal.timeout(SETTLE_MS);
  for (;;) {
    const handles = openHandles(pid);
    if (handles.connections <= own.connections || deadline.aborted) return handles;
    await sleep(LOOK_AGAIN_MS);
  }
}
