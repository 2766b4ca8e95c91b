// Plays the model of the everyday tasks by hand; README.md beside it says how.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { answerFile, countRequests, doneFile, type HandAnswer, requestFile } from "./hand-model.ts";
import { showRequest } from "./show-request.ts";
import { pickTasks } from "./tasks/index.ts";

const USAGE = `Usage: node evals/played/hand.ts FOLDER [COMMAND]
  start TASKS        starts to play: names with commas, or a share such as 1/4; shows the first request
                     (without a command: shows the open request, or waits for the next)
  text   < ANSWER    answers the user in text, and shows the next request
  code   < PROGRAM   calls run_code, and shows the next request
  NAME   < JSON      calls another function with these arguments
  report             shows how it went
`;
const LOOK_MS = 200;
const MOST_MS = 540_000;
const RUN = fileURLToPath(new URL("../run.ts", import.meta.url));

const [folder, command, share] = process.argv.slice(2);
if (folder === undefined || folder.startsWith("-")) fail(USAGE);
const reportFile = join(folder, "report.txt");
const processFile = join(folder, "process");
if (command === "report") process.stdout.write(readReport());
else {
  if (command === "start") start(share);
  else if (command !== undefined) await answer(command);
  await showNext();
}

/** In a process of its own, which ends with the last task. */
function start(tasks: string | undefined): void {
  if (countRequests(folder ?? "") > 0 || existsSync(processFile))
    fail(`${folder} has been played in. Take another folder.\n`);
  const ids = pickTasks(tasks).map(({ id }) => id);
  mkdirSync(folder ?? "", { recursive: true });
  const report = openSync(reportFile, "w");
  const playing = spawn(process.execPath, [RUN, "played"], {
    env: { ...process.env, PLAYED_HAND: folder, PLAYED_TASKS: ids.join(","), PLAYED_BASE_URL: "" },
    stdio: ["ignore", report, report],
    detached: true,
  });
  playing.unref();
  writeFileSync(processFile, String(playing.pid));
  process.stdout.write(`${ids.length} tasks, one after the other.\n`);
}

async function answer(how: string): Promise<void> {
  const open = openRequest();
  if (open === undefined) fail("No request waits for an answer.\n");
  writeFileSync(answerFile(folder ?? "", open), JSON.stringify(answerOf(how, await readText(process.stdin))));
}

async function showNext(): Promise<void> {
  const until = Date.now() + MOST_MS;
  for (;;) {
    const open = openRequest();
    if (open !== undefined) {
      const [request, before] = [open, open - 1].map(readRequest);
      process.stdout.write(`Request ${open}\n${showRequest(request ?? {}, before)}\n`);
      return;
    }
    if (existsSync(doneFile(folder ?? ""))) {
      process.stdout.write("Nothing more is asked: all tasks were played.\n");
      return;
    }
    if (hasEnded()) fail(`The evaluation has ended early:\n${readReport()}`);
    if (Date.now() > until) fail("No request came; ask again.\n");
    await sleep(LOOK_MS);
  }
}

/** The newest request, unless it was answered. */
function openRequest(): number | undefined {
  const number = countRequests(folder ?? "");
  return number === 0 || existsSync(answerFile(folder ?? "", number)) ? undefined : number;
}

function readRequest(number: number): object | undefined {
  if (number === 0) return undefined;
  return JSON.parse(readFileSync(requestFile(folder ?? "", number), "utf8")) as object;
}

function answerOf(kind: string, said: string): HandAnswer {
  if (kind === "text") return { text: said.trim() };
  if (kind === "code") return { calls: [{ name: "run_code", arguments: { code: said } }] };
  try {
    return { calls: [{ name: kind, arguments: JSON.parse(said === "" ? "{}" : said) as unknown }] };
  } catch {
    return fail(`The arguments of ${kind} are no JSON. Nothing was answered.\n`);
  }
}

/** True if it was started from here and is gone. */
function hasEnded(): boolean {
  if (!existsSync(processFile)) return false;
  try {
    return !process.kill(Number(readFileSync(processFile, "utf8")), 0);
  } catch {
    return true;
  }
}

function readReport(): string {
  return existsSync(reportFile) ? readFileSync(reportFile, "utf8") : "There is no report yet.\n";
}

function fail(why: string): never {
  process.stderr.write(why);
  process.exit(2);
}
