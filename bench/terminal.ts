import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { openPacedModel, type PacedModel } from "../e2e/paced-model.ts";
import { KEYS, openTerminal, pty } from "../e2e/pseudo-terminal.ts";
import { LAUNCHER, scratchDirectory, startDeputy, waitForOutput } from "../e2e/run-deputy.ts";
import { readProcessTree } from "./process-stats.ts";
import { median, reportLimit } from "./report.ts";
import { sized } from "./sized.ts";

const VERSION_CPU_SECONDS = 0.12;
const OVER_PLAIN = 1.5;
const EXTRA_SECONDS = 1;
const PIECE_MS = sized(10, 1);
const RUNS = sized(3, 1);
const END = "The end.";

/**
 * The cost of drawing an answer of 8 kB as it streams in, compared with printing it; and of printing the
 * version.
 */
export async function benchTerminal(): Promise<void> {
  await benchVersion();
  if (pty === undefined) {
    console.log("terminal: skipped, there is no pseudo-terminal on this machine");
    return;
  }
  const drawn: number[] = [];
  const printed: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    printed.push(await printAnswer());
    drawn.push(await drawAnswer());
  }
  const limit = OVER_PLAIN * median(printed) + EXTRA_SECONDS;
  console.log(`plain stdout: CPU of a chat with an answer of 8 kB  ${median(printed).toFixed(2)} s`);
  reportLimit("drawn: CPU of the same (limit 1.5 × plain + 1 s)", median(drawn), "s", limit);
}

/** Its whole process, which prints the CPU it took as it ends. */
async function benchVersion(): Promise<void> {
  const cpu: number[] = [];
  for (let run = 0; run < 2 * RUNS; run++) cpu.push(await cpuOf([LAUNCHER, "--version"]));
  reportLimit("deputy --version: CPU", median(cpu), "s", VERSION_CPU_SECONDS);
}

async function cpuOf(args: readonly string[]): Promise<number> {
  const report =
    "data:text/javascript,process.on('exit',()=>{const{user,system}=process.cpuUsage();process._rawDebug(user%2Bsystem)})";
  const child = spawn(process.execPath, ["--import", report, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  return Number(await text(child.stderr)) / 1e6;
}

async function drawAnswer(): Promise<number> {
  using home = scratchDirectory();
  await using model = await openPacedModel();
  await using terminal = openTerminal(["--home", home.path], { env: model.env, columns: 100, rows: 40 });
  await terminal.see("/help shows");
  terminal.type(`go${KEYS.enter}`);
  await stream(model);
  await terminal.see(END);
  await terminal.quiet();
  return readProcessTree(terminal.pid).cpuSeconds;
}

async function printAnswer(): Promise<number> {
  using home = scratchDirectory();
  await using model = await openPacedModel();
  const child = startDeputy(["--home", home.path], { env: model.env, input: "" });
  child.stderr?.resume();
  const shown = waitForOutput(child, END);
  child.stdin?.write("go\n");
  await stream(model);
  await shown;
  await sleep(PIECE_MS);
  const { cpuSeconds } = readProcessTree(child.pid ?? 0);
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("exit", resolve));
  return cpuSeconds;
}

/** 8 kB of Markdown in the pieces and at the pace of a quick model. */
async function stream(model: PacedModel): Promise<void> {
  const answer = await model.asked();
  const paragraph =
    "## Part\n\nSome **bold** words and `code`, as models write them, in lines of a usual length.\n\n- one\n- two\n\n";
  const whole = paragraph.repeat(Math.ceil(8_192 / paragraph.length)) + END;
  for (const piece of whole.match(/[\s\S]{1,24}/g) ?? []) {
    answer.write(piece);
    await sleep(PIECE_MS);
  }
  answer.end();
}
