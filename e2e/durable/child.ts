import { canonicalJson } from "@deputy/policy";
import { type PendingApproval, readPlanCard } from "@deputy/protocol";
import { type Engine, openEngine } from "../../apps/deputy/src/engine.ts";
import { openHome } from "../../apps/deputy/src/home.ts";
import { createRandom } from "../crash-run.ts";
import { programOf } from "./program.ts";
import { answerTo, openWorld } from "./world.ts";

// One process of the kill test: goes on with what an earlier one left, starts what is missing, answers
// what is asked, and prints how every task ended. Dies where the seed says.
const [homeDirectory = "", worldDirectory = "", seedText = "", tasksText = "", dieText = ""] =
  process.argv.slice(2);
const random = createRandom(Number(seedText));
const world = openWorld(worldDirectory);
const never = new AbortController().signal;

const die = (): void => void process.kill(process.pid, "SIGKILL");
const [phase, amount] = dieText.split(":");
if (phase === "start") setTimeout(die, Number(amount));

await using engine = await openEngine({
  home: openHome(homeDirectory, () => undefined),
  env: process.env,
  plugins: [process.env["DURABLE_PLUGIN"] ?? ""],
  secrets: [],
  signal: never,
  warn: () => undefined,
  onBug: (error) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(70);
  },
});
if (phase === "event") void dieAtEvent(engine, Number(amount));
await engine.tasks.goOn((_task, error) => {
  throw error;
});
const isModel = process.env["DURABLE_MODE"] === "model";
const names = Array.from({ length: Number(tasksText) }, (_, n) => `task ${n}`);
const promptOf = (name: string): string => (isModel ? `\`\`\`ts\n${programOf(name)}\n\`\`\`` : name);
const existing = new Set((await engine.tasks.list()).map((task) => task.prompt));
for (const name of names) {
  const prompt = promptOf(name);
  if (existing.has(prompt)) continue;
  const program = { code: programOf(name), language: "javascript" as const };
  await engine.tasks.create(isModel ? { prompt } : { prompt, program });
}
await Promise.race([answerAll(engine), untilDone(engine)]);
for (const task of await engine.tasks.list()) {
  const name = names.find((one) => promptOf(one) === task.prompt);
  process.stdout.write(
    `${JSON.stringify({ task: name, status: task.status, result: await resultOf(engine, task.stream) })}\n`,
  );
}
process.exit(0);

/** A little after the n-th event of this process, however fast the machine is. */
async function dieAtEvent({ log }: Engine, count: number): Promise<void> {
  let after = 0;
  for await (const { position } of log.readAll()) after = position;
  for await (const { position } of log.subscribeAll({ after }, never)) {
    if (position < after + count) continue;
    setTimeout(die, random(15));
    return;
  }
}

async function untilDone({ log, tasks }: Engine): Promise<void> {
  const isOver = async (): Promise<boolean> =>
    (await tasks.list()).every(({ status }) => status !== "running" && status !== "waiting");
  if (await isOver()) return;
  for await (const _ of log.subscribeAll({ types: ["task.completed"] }, never)) if (await isOver()) return;
}

/** Answers as somebody who can look at the world would. */
async function answerAll({ approvals, log }: Engine): Promise<void> {
  for await (const _ of log.subscribeAll({ types: ["approval.requested"] }, never))
    for (const asked of await approvals.pending()) {
      await new Promise((resolve) => setTimeout(resolve, random(8)));
      await approvals.resolve(asked.id, answer(asked), "harness");
    }
}

function answer(asked: PendingApproval): Parameters<Engine["approvals"]["resolve"]>[1] {
  if (asked.unknownCall !== undefined) {
    const effect = world.done(asked.unknownCall);
    return effect === undefined
      ? { decision: "approved" }
      : { decision: "denied", result: { value: answerTo(effect.what) } };
  }
  const card = readPlanCard(asked);
  if (card === undefined)
    return isRefused(asked) ? { decision: "denied", reason: "not that one" } : { decision: "approved" };
  const approved = card.calls.filter((call) => !isRefused(call)).map(({ callId }) => callId);
  if (approved.length === 0) return { decision: "denied", reason: "not that one" };
  return { decision: "approved", calls: approved, reason: "not that one" };
}

function isRefused({ toolPath, input }: { readonly toolPath: string; readonly input: unknown }): boolean {
  return canonicalJson(input).includes('"n":2,') && toolPath === "world.close";
}

async function resultOf({ log }: Engine, stream: Parameters<Engine["log"]["read"]>[0]): Promise<object> {
  const types: string[] = [];
  let completed: unknown;
  for await (const { type, data } of log.read(stream)) {
    types.push(type);
    if (type === "cell.completed") completed = data;
  }
  const count = (type: string): number => types.filter((one) => one === type).length;
  const record = {
    turns: count("turn.started"),
    cells: count("cell.submitted"),
    answers: count("assistant.message"),
  };
  return { ...(completed as object), record };
}
