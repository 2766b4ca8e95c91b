import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CallRecord, readLines } from "./judge-log.ts";
import { openTrial, pause, runTrials, type Trial } from "./trial.ts";

const POISON_PLUGIN = fileURLToPath(new URL("poison-plugin.ts", import.meta.url));
const BOTTLES = ["a", "b", "c"] as const;
/** For schedules and what is reported: their runs may be stopped, so that receipts differ. */
const LATER = "later";
const WAYS = ["read", "repeat", "write"] as const;

/** What the receipt of each says. One that names no crash leaves its process alone. */
const CRASHES: Readonly<Record<string, RegExp>> = {
  exit0: /ended its process \(exit code 0\)/,
  exit1: /ended its process \(exit code 1\)/,
  memory: /ran out of memory/,
  stray: /threw an error that nothing caught: boom/,
  rejection: /left a rejected promise unhandled: to nobody/,
  kill: /was ended by SIGKILL/,
  abort: /was ended by SIGABRT/,
  hangUp: /closed its way to Deputy/,
  garbage: /wrote something that is not a message into its channel to Deputy/,
  orphan: /ended its process \(exit code 1\)/,
};
const FAILURES: Readonly<Record<string, RegExp>> = {
  loop: /It took longer than 200 ms/,
  microtasks: /It took longer than 200 ms/,
  getter: /./,
  strange: /./,
  nothing: /./,
  huge: /./,
};
const HARMLESS = ["lines", "longLine", "afterwards"];
const POISONS = [...Object.keys(CRASHES), ...Object.keys(FAILURES), ...HARMLESS];

export interface PoisonFigures {
  readonly sips: number;
}

/**
 * A daemon with plugins that do whatever a plugin can do wrong, several at a time, while honest work goes on; some
 * daemons are killed meanwhile. None ends by itself; each call has a receipt that says what happened, and is not made
 * twice unless a kill came between; what comes after it in its program is done.
 */
export const poisonRuns = runTrials<PoisonFigures>(async (rounds, seed) => {
  await using trial = await openTrial(seed, (scratch) => {
    const home = join(scratch, "home");
    mkdirSync(home, { mode: 0o700 });
    const first = `await tools.${LATER}.repeat.exit1({ what: "later" }).catch(String);`;
    return { home, plugins: [...BOTTLES, LATER].map((name) => fillBottle(scratch, name)), first };
  });
  const deck: string[] = [];
  let sips = 0;
  for (let round = 0; round < rounds && trial.faults.length === 0; round++)
    sips += await runRound(trial, deck, round, round % 2 === 0 ? "apart" : "together");
  await endLoops(trial);
  const record = await trial.finish();
  judgeSips(trial, record.calls);
  return { trial, record, figures: { sips } };
});

/** Each is a plugin of its own, with a process of its own. */
function fillBottle(scratch: string, name: string): string {
  const file = join(scratch, `bottle-${name}.ts`);
  writeFileSync(
    file,
    `import { bottle } from ${JSON.stringify(POISON_PLUGIN)};\nexport default { ${name}: bottle };\n`,
  );
  return file;
}

/** `apart`: the calls of a plugin come one after the other, so that each has the receipt of what it does itself. */
async function runRound(
  trial: Trial,
  deck: string[],
  round: number,
  how: "apart" | "together",
): Promise<number> {
  const { lives, work, random, scratch } = trial;
  const until = `go-${round}`;
  const isKilled = round > 0 && random(2) === 0;
  const name = (n: number): string => `${isKilled ? "killed" : how}-${round}-${n}`;
  // All of them, in an order of their own, before any comes again.
  if (deck.length === 0) deck.push(...POISONS);
  const cards = Array.from({ length: how === "apart" ? deck.length : 4 + random(5) }, (_, n) => {
    if (deck.length === 0) deck.push(...POISONS);
    const [poison = ""] = deck.splice(random(deck.length), 1);
    const kind = (["task", "program", "chat"] as const)[random(3)] ?? "task";
    const tool = `${WAYS[random(WAYS.length)]}.${poison}`;
    return { name: name(n), kind, bottle: BOTTLES[n % BOTTLES.length], tool, waitMs: random(1_000) };
  });
  const sip = async ({ name: what, kind, bottle, tool }: (typeof cards)[number]): Promise<boolean> => {
    const code = `const said = await tools.${bottle}.${tool}({ what: "${what}" }).catch((error) => error.message);
return [said, await tools.effects.add({ what: "${what}.then" })];`;
    const { said } = await work.run(kind, what, code, [`${what}.then`]);
    return said === "yes";
  };
  const sipOneByOne = async (bottle: string): Promise<void> => {
    for (const card of cards.filter((one) => one.bottle === bottle))
      if (!(await sip(card)) || !(await trial.untilEffect(`${card.name}.then`))) return;
  };
  const sips =
    how === "apart"
      ? BOTTLES.map(sipOneByOne)
      : cards.map(async (card) => {
          await pause(card.waitMs);
          await sip(card);
        });
  const honest = Array.from({ length: 3 }, () => work.give(until));
  writeFileSync(join(scratch, until), "");
  if (isKilled) {
    await pause(random(4_000));
    await lives.end(random(3) === 0 ? "SIGTERM" : "SIGKILL");
    if (how === "together") await Promise.all(sips);
    await lives.start();
  }
  await Promise.all([...sips, ...honest]);
  await trial.settle();
  return cards.length;
}

/** A tool that loops for ever leaves everything else usable, ends with its task, and keeps no shutdown waiting. */
async function endLoops(trial: Trial): Promise<void> {
  const { lives, work, faults } = trial;
  const loop = async (name: string): Promise<string> => {
    const code = `return await tools.a.endless({ what: "${name}" });`;
    const { id = "" } = await work.run("program", name, code, []);
    await trial.untilWritten("loops", name, 1);
    return id;
  };
  const cancel = async (id: string): Promise<void> => {
    const cancelled = await lives.client.post(`/api/tasks/${id}/cancel`, {});
    if (!cancelled.ok) faults.push(`${id} could not be cancelled: ${await cancelled.text()}`);
    await trial.settle();
  };
  const first = await loop("endless-1");
  await work.run("program", "beside", `return await tools.effects.add({ what: "beside" });`, ["beside"]);
  await trial.untilEffect("beside");
  await cancel(first);
  const second = await loop("endless-2");
  await lives.end("SIGTERM");
  await lives.start();
  await trial.untilWritten("loops", "endless-2", 2);
  await lives.end("SIGKILL");
  await lives.start();
  await cancel(second);
}

function judgeSips({ scratch, faults }: Trial, calls: ReadonlyMap<string, CallRecord>): void {
  const sips = readLines(join(scratch, "sips")).map((line) => line.split(" ")[0] ?? "");
  for (const [id, { toolPath, what, settled }] of calls) {
    const [bottle = "", way, poison = ""] = toolPath.split(".");
    if (!BOTTLES.some((name) => name === bottle) || poison === "") continue;
    const times = sips.filter((sip) => sip === id).length;
    if (times > (way === "write" || !what.startsWith("killed") ? 1 : 2))
      faults.push(`${toolPath} ran ${times} times`);
    const wasKilled = what.startsWith("killed");
    const others = what.startsWith("apart") ? LATE : ANOTHER;
    const fault = judgeReceipt({ poison, onlyReads: way === "read", settled, others, wasKilled });
    if (fault !== undefined) faults.push(`${what} (${toolPath}): ${fault} ${JSON.stringify(settled)}`);
  }
}

/** The process was ended by another call of the same plugin, … */
const ANOTHER = /bottle-[abc]\.ts/;
/** … or by one that had its result already. */
const LATE = /exit code 7/;

function judgeReceipt(deps: {
  readonly poison: string;
  readonly onlyReads: boolean;
  readonly settled: CallRecord["settled"];
  readonly others: RegExp;
  readonly wasKilled: boolean;
}): string | undefined {
  const { poison, onlyReads, settled: { status = "missing", error } = {}, others, wasKilled } = deps;
  const message = error?.message ?? "";
  if (wasKilled && (status === "unknown" || status === "denied")) return undefined;
  const wasOthers = others.test(message);
  const words = CRASHES[poison] ?? FAILURES[poison];
  if (words === undefined) return status === "succeeded" || wasOthers ? undefined : "should have succeeded";
  if (!words.test(message) && !wasOthers) return `should have said ${String(words)}`;
  if (poison in CRASHES && !/bottle-[abc]\.ts/.test(message)) return "should have named the plugin";
  const wanted = onlyReads ? "failed" : poison in FAILURES ? "failed or unknown" : "unknown";
  return wanted.includes(status) || wasOthers ? undefined : `should have been ${wanted}`;
}
