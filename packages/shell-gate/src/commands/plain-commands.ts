import { textOf } from "../words/argument.ts";
import type { CommandSpec, CommandTable } from "../command-spec.ts";
import { MAX_MADE_LINES } from "../limits.ts";

const anything: CommandSpec = { anyWord: true, operands: "data" };
const nothing: CommandSpec = { operands: "none" };

const shortVersion = (letter: string): CommandSpec => ({
  flags: letter,
  operands: "none",
  also: (context, { options }) => {
    if (options.length === 0) context.ask(`\`${context.name}\` runs what it is given`);
  },
});

/** Commands that touch no files. */
export const plainCommands: CommandTable = {
  echo: (context, words) => {
    if (words.some((word) => word.kind === "pipe")) context.ask("`echo` is given a process substitution");
  },
  true: anything,
  false: anything,
  ":": anything,
  yes: { ...anything, also: (context) => context.endless("`yes` has no end", "lines") },
  sleep: anything,
  basename: { flags: "az", values: { s: "data" }, anyWord: true, operands: "data" },
  dirname: { flags: "z", anyWord: true, operands: "data" },
  expr: anything,
  seq: {
    flags: "w",
    values: { s: "data", f: "data" },
    long: "equal-width",
    takesNumber: true,
    operands: "data",
    also: (context, { operands }) => {
      const numbers = operands.map((word) => Number(textOf(word)));
      const [from, step, to] =
        numbers.length < 3 ? [numbers.length === 1 ? 1 : numbers[0], 1, numbers.at(-1)] : numbers;
      const lines = Math.abs(Number(to) - Number(from)) / Math.abs(step ?? 0);
      if (!(lines <= MAX_MADE_LINES)) context.endless("`seq` prints very many lines", "lines");
    },
  },
  pwd: { flags: "LP", operands: "none" },
  whoami: nothing,
  id: { flags: "ugnrGaz", operands: "data" },
  groups: nothing,
  logname: nothing,
  tty: nothing,
  arch: nothing,
  nproc: { long: "all", operands: "none" },
  uname: { flags: "asnrvmpio", long: "all", operands: "none" },
  hostname: { flags: "sf", operands: "none" },
  uptime: { flags: "ps", operands: "none" },
  free: { flags: "bkmghtw", operands: "none" },
  cal: { flags: "1371ymj", operands: "data" },
  df: {
    flags: "ahHiklPT",
    long: "all human-readable inodes local portability print-type total",
    operands: "look at",
  },
  which: { flags: "as", anyWord: true, operands: "data" },
  type: { flags: "tapPf", anyWord: true, operands: "data" },
  wait: nothing,
  jobs: { flags: "lprs", operands: "none" },
  exit: { operands: ["data"] },
  date: {
    flags: "uR",
    values: { d: "data", r: "look at", f: "read" },
    optional: "I",
    long: "utc universal rfc-email debug",
    longValues: { date: "data", "rfc-3339": "data", reference: "look at", file: "read" },
    longOptional: "iso-8601",
    operands: (context, { operands }) => {
      for (const word of operands) {
        const isFormat = word.kind === "known" && word.text.startsWith("+");
        if (!isFormat) context.ask("`date` may set the clock");
      }
    },
  },
  bc: {
    flags: "lq",
    long: "mathlib quiet",
    operands: "read",
    also: (context) => context.endless("`bc` calculates for ever if it is told so"),
  },
  node: shortVersion("v"),
  npm: shortVersion("v"),
  python3: shortVersion("V"),
  python: shortVersion("V"),
  make: {
    operands: "none",
    also: (context, { options }) => {
      if (options.length === 0) context.ask("`make` runs what its file says");
    },
  },
};
