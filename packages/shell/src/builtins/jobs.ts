import { ExitShell } from "../run/flow.ts";
import type { Job } from "../run/jobs.ts";
import { sendSignal, signalName, SIGNALS } from "../run/process.ts";
import type { Shell } from "../run/shell.ts";
import { type Task, wait as waitFor } from "../run/task.ts";
import { inQuotes } from "../text/quote.ts";
import { type Builtin, type BuiltinTable, refuse, say } from "./builtin.ts";

const TRAPS = new Set(["EXIT", "ERR", "DEBUG", "RETURN"]);

function trapName(text: string): string | undefined {
  if (text === "0") return "EXIT";
  const upper = text.toUpperCase().replace(/^SIG/, "");
  return TRAPS.has(upper) ? upper : signalName(text);
}

const trap: Builtin = (shell, words) => {
  let args = words.slice(1);
  if (args[0] === "-l") return say(shell, listSignals());
  const isPrint = args[0] === "-p";
  if (isPrint) args = args.slice(1);
  else if (args[0] === "--") args = args.slice(1);
  else if (/^-./.test(args[0] ?? "")) {
    shell.complain(`trap: ${(args[0] ?? "").slice(0, 2)}: invalid option`);
    shell.writeError("trap: usage: trap [-lp] [[arg] signal_spec ...]\n");
    return 2;
  }
  if (isPrint || args.length === 0) {
    const wanted = args.map((arg) => trapName(arg));
    const shown = shell.traps.size === 0 && shell.subshellDepth > 0 ? shell.inheritedTraps : shell.traps;
    const order = ["EXIT", ...Object.keys(SIGNALS), "DEBUG", "ERR", "RETURN"];
    const lines = order
      .filter((name) => shown.has(name) && (wanted.length === 0 || wanted.includes(name)))
      .map((name) => `trap -- ${inQuotes(shown.get(name) ?? "")} ${TRAPS.has(name) ? name : `SIG${name}`}\n`);
    return say(shell, lines.join(""));
  }
  const [first = "", ...rest] = args;
  const resets =
    first === "-" ||
    rest.length === 0 ||
    (/^\d+$/.test(first) &&
      rest.every((each) => trapName(each) !== undefined) &&
      trapName(first) !== undefined);
  const names = first === "-" ? rest : resets ? args : rest;
  if (names.length === 0 || (rest.length === 0 && first !== "-" && trapName(first) === undefined)) {
    shell.writeError("trap: usage: trap [-lp] [[arg] signal_spec ...]\n");
    return 2;
  }
  let status = 0;
  for (const each of names) {
    const name = trapName(each);
    if (name === undefined) {
      shell.complain(`trap: ${each}: invalid signal specification`);
      status = 1;
    } else if (resets) shell.traps.delete(name);
    else shell.traps.set(name, first);
  }
  return status;
};

function listSignals(): string {
  return Object.entries(SIGNALS)
    .map(([name, number], i) => `${String(number).padStart(2)}) SIG${name}${i % 5 === 4 ? "\n" : "\t"}`)
    .join("");
}

const kill: Builtin = (shell, words) => {
  let args = words.slice(1);
  let signal = "TERM";
  const [first = ""] = args;
  if (first === "-l" || first === "-L") {
    if (args.length === 1) return say(shell, listSignals());
    let text = "";
    for (const each of args.slice(1)) {
      const number = Number(each);
      if (number === 0) {
        text += "EXIT\n";
        continue;
      }
      const name = /^\d+$/.test(each)
        ? signalName(String(number > 128 ? number - 128 : number))
        : signalName(each);
      if (name === undefined) return refuse(shell, "kill", `${each}: invalid signal specification`);
      text += /^\d+$/.test(each) ? `${name}\n` : `${String(SIGNALS[name])}\n`;
    }
    return say(shell, text);
  }
  if (first === "-s" || first === "-n") {
    const name = args[1] === "0" ? "0" : signalName(args[1] ?? "");
    if (name === undefined) return refuse(shell, "kill", `${args[1] ?? ""}: invalid signal specification`);
    signal = name;
    args = args.slice(2);
  } else if (/^-./.test(first) && first !== "--") {
    const name = first === "-0" ? "0" : signalName(first.slice(1));
    if (name === undefined) return refuse(shell, "kill", `${first.slice(1)}: invalid signal specification`);
    signal = name;
    args = args.slice(1);
  }
  if (args[0] === "--") args = args.slice(1);
  if (args.length === 0) {
    shell.writeError(
      "kill: usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]\n",
    );
    return 2;
  }
  let status = 0;
  for (const target of args) if (!sendTo(shell, target, signal)) status = 1;
  return status;
};

function sendTo(shell: Shell, target: string, signal: string): boolean {
  const job = target.startsWith("%") ? findJob(shell, target) : undefined;
  if (target.startsWith("%") && job === undefined) {
    refuse(shell, "kill", `${target}: no such job`);
    return false;
  }
  if (job === undefined && !/^-?\d+$/.test(target)) {
    refuse(shell, "kill", `${target}: arguments must be process or job IDs`);
    return false;
  }
  const pid = job?.pid ?? Number(target);
  if (pid === shell.process.pid || (pid === 0 && shell.subshellDepth === 0)) {
    if (signal === "0") return true;
    if (signal !== "KILL" && shell.traps.has(signal)) shell.process.pending.push(signal);
    else if (!["CHLD", "CONT", "URG", "WINCH"].includes(signal))
      throw new ExitShell(128 + (SIGNALS[signal] ?? 0), true);
    return true;
  }
  const process = shell.runtime.processes.get(pid);
  if (process === undefined) {
    refuse(shell, "kill", `(${String(pid)}) - No such process`);
    return false;
  }
  if (signal !== "0") sendSignal(process, signal);
  return true;
}

function findJob(shell: Shell, text: string): Job | undefined {
  const spec = text.replace(/^%/, "");
  const jobs = shell.jobs.filter(({ inherited, waited }) => !inherited && !waited);
  if (spec === "" || spec === "+" || spec === "%") return jobs.at(-1);
  if (spec === "-") return jobs.at(-2) ?? jobs.at(-1);
  if (/^\d+$/.test(spec)) return jobs.find(({ id }) => id === Number(spec));
  return spec.startsWith("?")
    ? jobs.find((job) => job.text.includes(spec.slice(1)))
    : jobs.find((job) => job.text.startsWith(spec));
}

function jobOf(shell: Shell, text: string): Job | undefined {
  if (text.startsWith("%")) return findJob(shell, text);
  return shell.jobs.find(({ inherited, pid }) => !inherited && pid === Number(text));
}

function* wait(shell: Shell, words: readonly string[]): Task<number> {
  const args = words.slice(1).filter((word) => word !== "--" && word !== "-f");
  const mine = (): readonly Job[] => shell.jobs.filter(({ inherited }) => !inherited);
  if (args[0] === "-n") {
    for (const arg of args.slice(1))
      if (jobOf(shell, arg) === undefined) shell.complain(`wait: ${arg}: no such job`);
    const named = args.slice(1).map((arg) => jobOf(shell, arg));
    const open = args.length === 1 ? mine() : named.filter((job) => job !== undefined);
    if (open.length === 0) return 127;
    const first = yield* waitFor(Promise.race(open.map(async (job) => ({ job, status: await job.done }))));
    shell.jobs = shell.jobs.filter((job) => job !== first.job);
    return first.status;
  }
  if (/^-./.test(args[0] ?? "")) return refuse(shell, "wait", `${args[0] ?? ""}: invalid option`, 2);
  if (args.length === 0) {
    for (const job of mine()) yield* waitFor(job.done);
    shell.jobs = [];
    return 0;
  }
  let status = 0;
  for (const arg of args) {
    const job = arg.startsWith("%") ? findJob(shell, arg) : mine().find(({ pid }) => pid === Number(arg));
    if (job === undefined) {
      if (arg.startsWith("%")) shell.complain(`wait: ${arg}: no such job`);
      else if (/^\d+$/.test(arg)) shell.complain(`wait: pid ${arg} is not a child of this shell`);
      else {
        shell.complain(`wait: \`${arg}': not a pid or valid job spec`);
        status = 1;
        continue;
      }
      status = 127;
      continue;
    }
    status = yield* waitFor(job.done);
    // What a signal ended is reported, and then forgotten.
    job.waited = status > 128;
  }
  return status;
}

const jobs: Builtin = (shell, words) => {
  const mine = shell.jobs.filter(({ waited, status }) => !waited && status === undefined);
  const isPids = words[1] === "-p";
  const text = mine.map((job, i) => {
    if (isPids) return `${String(job.pid)}\n`;
    const mark = i === mine.length - 1 ? "+" : i === mine.length - 2 ? "-" : " ";
    return `[${String(job.id)}]${mark}  ${"Running".padEnd(24)}${job.text} &\n`;
  });
  return say(shell, text.join(""));
};

export const jobBuiltins: BuiltinTable = {
  trap,
  kill,
  wait,
  jobs,
  disown: (shell) => {
    shell.jobs = [];
    return 0;
  },
  *fg(shell, words) {
    if (!shell.has("monitor")) return refuse(shell, "fg", "no job control");
    const job = findJob(shell, words[1] ?? "%+");
    if (job === undefined) return refuse(shell, "fg", `${words[1] ?? "current"}: no such job`);
    const said = say(shell, `${job.text}\n`);
    if (typeof said !== "number") yield* said;
    const status = yield* waitFor(job.done);
    shell.jobs = shell.jobs.filter((each) => each !== job);
    return status;
  },
  bg: (shell) => refuse(shell, "bg", "no job control"),
  suspend: (shell) => refuse(shell, "suspend", "cannot suspend: no job control"),
  times: (shell) => say(shell, "0m0.000s 0m0.000s\n0m0.000s 0m0.000s\n"),
};
