import type { Argument } from "../words/argument.ts";
import { known, textOf } from "../words/argument.ts";
import {
  type CommandContext,
  type CommandSpec,
  type CommandTable,
  hasOption,
  type ReadArguments,
  valuesOf,
} from "../command-spec.ts";
import { isSmall, readSize } from "../endless-output.ts";
import { MAX_MADE_LINES } from "../limits.ts";
import type { Resolved } from "../paths/resolve-path.ts";

const compress: CommandSpec = {
  flags: "cdklqtv123456789",
  long: "stdout decompress keep list quiet test verbose best fast",
  operands: (context, read) => {
    const isRead = hasOption(read, "c", "l", "t", "--stdout", "--list", "--test");
    for (const file of read.operands) {
      context.path(file, isRead ? "read" : "write");
      if (!isRead && file.kind === "known") context.path(known(otherName(file.text)), "write");
    }
  },
};
const otherName = (name: string): string =>
  /\.(?:gz|bz2|xz)$/.test(name) ? name.replace(/\.\w+$/, "") : `${name}.gz`;

/** Commands that list, make, copy, move and remove files. */
export const fileCommands: CommandTable = {
  ls: {
    flags: "aAbBcCdfFgGhiklmnNopqQrRsStuUvxXZ1",
    values: { I: "data", w: "data", T: "data" },
    long: "all almost-all author escape ignore-backups directory dired file-type group-directories-first no-group human-readable si inode kibibytes numeric-uid-gid literal hide-control-chars quote-name reverse recursive size full-time zero context show-control-chars",
    longValues: {
      "block-size": "data",
      format: "data",
      hide: "data",
      "indicator-style": "data",
      ignore: "data",
      "quoting-style": "data",
      sort: "data",
      time: "data",
      "time-style": "data",
      width: "data",
      tabsize: "data",
    },
    longOptional: "color classify hyperlink",
    operands: "look at",
  },
  tree: {
    flags: "adfipshugDFqNQrtcUvxCnASJX",
    values: { L: "data", P: "data", I: "data" },
    long: "noreport dirsfirst gitignore du prune",
    operands: "read tree",
  },
  stat: {
    flags: "ft",
    values: { c: "data" },
    long: "terse file-system",
    longValues: { format: "data", printf: "data" },
    operands: "look at",
  },
  du: {
    flags: "abchklmsSx0",
    values: { d: "data", B: "data", t: "data" },
    long: "all apparent-size bytes total human-readable summarize one-file-system null separate-dirs si",
    longValues: { "max-depth": "data", "block-size": "data", exclude: "data", threshold: "data" },
    operands: "read tree",
  },
  realpath: {
    flags: "emqszLP",
    long: "no-symlinks canonicalize-existing canonicalize-missing quiet zero",
    operands: "look at name",
  },
  readlink: { flags: "femnqsvz", long: "canonicalize no-newline", operands: "look at name" },
  tee: { flags: "aip", long: "append", operands: "write" },
  touch: {
    flags: "acmh",
    values: { d: "data", t: "data", r: "look at" },
    long: "no-create no-dereference",
    longValues: { date: "data", time: "data", reference: "look at" },
    operands: "write",
  },
  mkdir: {
    flags: "pv",
    values: { m: "data" },
    long: "parents verbose",
    longValues: { mode: "data" },
    operands: "write",
  },
  rmdir: { flags: "pv", long: "verbose ignore-fail-on-non-empty", operands: "remove", also: judgeParents },
  rm: {
    flags: "fiIrRdv",
    long: "force recursive dir verbose one-file-system",
    longOptional: "interactive preserve-root",
    operands: "remove",
    also: (context, read) => {
      if (context.extraValidation && hasOption(read, "r", "R", "--recursive"))
        context.ask("`rm` removes whole directories");
    },
  },
  unlink: { operands: ["remove"] },
  truncate: {
    flags: "c",
    values: { s: "data", r: "look at" },
    long: "no-create",
    longValues: { size: "data", reference: "look at" },
    operands: "write",
    also: (context, read) => {
      if (!valuesOf(read, "s", "--size").every((size) => isSmall(readSize(size))))
        context.ask("`truncate` makes a file very large");
    },
  },
  shuf: {
    flags: "rz",
    values: { i: "data", n: "data", o: "write" },
    long: "repeat zero-terminated",
    longValues: { "input-range": "data", "head-count": "data", output: "write" },
    operands: "read",
    also: (context, read) => {
      const counts = valuesOf(read, "n", "--head-count").map((count) => Number(textOf(count)));
      const ranges = valuesOf(read, "i", "--input-range").map((range) => {
        const [from = "", to = ""] = (textOf(range) ?? "").split("-");
        return Number(to) - Number(from);
      });
      const repeats = hasOption(read, "r", "--repeat");
      const isFew = (size: number): boolean => size <= MAX_MADE_LINES;
      if (!(counts.some(isFew) || (!repeats && ranges.every(isFew))))
        context.endless("`shuf` prints very many lines", "lines");
    },
  },
  chmod: {
    flags: "Rvcf",
    long: "recursive verbose changes silent quiet preserve-root",
    operands: (context, read) => {
      const [mode, ...files] = read.operands;
      const isPlain =
        mode?.kind === "known" &&
        /^(?:0?[0-7]{3}|[ugoa]*[-+=][rwxX]+(?:,[ugoa]*[-+=][rwxX]+)*)$/.test(mode.text);
      if (!isPlain) context.ask("`chmod` sets more than who may read, write and execute");
      if (hasOption(read, "R", "--recursive")) context.ask("`chmod` changes whole directories");
      for (const file of files) context.path(file, "write");
    },
  },
  gzip: compress,
  gunzip: compress,
  bzip2: { ...compress, operands: "write" },
  zcat: { operands: "read" },
  unzip: {
    flags: "ltvZ1q",
    operands: (context, read) => {
      if (!hasOption(read, "l", "t", "v", "Z"))
        context.ask("`unzip` writes whatever names the archive holds");
      for (const [index, word] of read.operands.entries()) if (index === 0) context.path(word, "read");
    },
  },
  cp: copyOrMove("copy"),
  mv: copyOrMove("move"),
  ln: {
    flags: "sfvTn",
    long: "symbolic force verbose no-target-directory no-dereference",
    operands: judgeLink,
  },
  dd: (context, words) => {
    judgeAmount(context, words);
    for (const word of words) {
      const [, key = "", value = ""] = (word.kind === "known" && /^(\w+)=([^]*)$/.exec(word.text)) || [];
      if (key === "if") context.path(known(value), "read");
      else if (key === "of") context.path(known(value), "write");
      else if (!/^(?:bs|ibs|obs|count|skip|seek|conv|iflag|oflag|status)$/.test(key))
        context.ask("`dd` is given more than is known to be harmless");
    }
  },
};

/** `dd` goes on until what it reads ends, unless it is told how much. */
function judgeAmount(context: CommandContext, words: readonly Argument[]): void {
  const given = new Map(
    words.flatMap((word) => {
      const [, key, value] = /^(\w+)=([^]*)$/.exec(textOf(word) ?? "") ?? [];
      return key === undefined || value === undefined ? [] : [[key, value] as const];
    }),
  );
  const sizeOf = (key: string, otherwise?: number): number | undefined =>
    given.has(key) ? readSize(known(given.get(key) ?? "")) : otherwise;
  const block = Math.max(...["bs", "ibs", "obs"].map((key) => sizeOf(key, 512) ?? Infinity));
  const fits = (key: string, otherwise?: number): boolean =>
    isSmall((sizeOf(key, otherwise) ?? Infinity) * block);
  if (!fits("seek", 0)) context.ask("`dd` makes a file very large");
  if (fits("count")) context.limits("bytes");
  else if (given.has("count") || (!given.has("if") && given.has("of")))
    context.ask("`dd` is not told how much to write, or very much");
}

/** `rmdir -p` goes on with the directories above. */
function judgeParents(context: CommandContext, read: ReadArguments): void {
  if (hasOption(read, "p"))
    for (const word of read.operands)
      if (word.kind !== "known" || word.text.startsWith("/") || word.text.includes(".."))
        context.ask("`rmdir -p` removes the directories above too");
}

function copyOrMove(kind: "copy" | "move"): CommandSpec {
  return {
    flags: kind === "copy" ? "afinpPrRTuvd" : "finTuv",
    values: { t: "write" },
    long:
      kind === "copy"
        ? "archive force interactive no-clobber recursive no-target-directory update verbose no-dereference"
        : "force interactive no-clobber no-target-directory update verbose",
    longValues: { "target-directory": "write" },
    operands: (context, read) => {
      const given = valuesOf(read, "t", "--target-directory");
      const sources = given.length > 0 ? read.operands : read.operands.slice(0, -1);
      const target = given[0] ?? read.operands.at(-1);
      if (target === undefined || sources.length === 0 || given.length > 1)
        return context.ask(`\`${context.name}\` has no source and destination`);
      const isTree = hasOption(read, "a", "r", "R", "d", "P", "--archive", "--recursive", "--no-dereference");
      const froms = sources.flatMap((source) =>
        context.path(source, kind === "move" ? "remove" : isTree ? "read tree" : "read"),
      );
      judgeTargets(context, sources, target, isTree ? "tree" : "file");
      const to = context.path(target, "write");
      const movesMore = froms.some(({ entry }) => entry !== undefined && entry.kind !== "file");
      if (isTree || (kind === "move" && movesMore)) context.reshapes(to);
    },
  };
}

/**
 * If the destination is a directory, the written file is inside it. The directory may be a link or contain
 * links.
 */
function judgeTargets(
  context: CommandContext,
  sources: readonly Argument[],
  target: Argument,
  what: "tree" | "file",
): void {
  if (target.kind !== "known") return;
  for (const source of sources) {
    if (source.kind === "found" || source.kind === "pipe")
      context.ask(`it is not known where \`${context.name}\` writes`);
    if (source.kind !== "known") continue;
    const name = source.text.replace(/\/+$/, "").split("/").at(-1) ?? "";
    const ends = context.path(target, "write");
    if (!ends.some(isDirectory)) continue;
    if (name === "" || name === "." || name === "..")
      context.ask(`\`${context.name}\` writes over what ${target.text} holds`);
    const inner = context.path(known(`${target.text}/${name}`), "write");
    if (what === "tree" && inner.some(({ entry }) => entry !== undefined))
      context.ask(`\`${context.name}\` writes over what ${target.text}/${name} holds`);
  }
}

function judgeLink(context: CommandContext, read: ReadArguments): void {
  const [target, name, ...more] = read.operands;
  if (target?.kind !== "known" || name?.kind !== "known" || more.length > 0)
    return context.ask("`ln` is not given one target and one name");
  const at = context.path(name, "write");
  if (at.some(isDirectory)) return context.ask(`\`ln\` makes a link in ${name.text}`);
  const isSymbolic = hasOption(read, "s", "--symbolic");
  const directory = name.text.includes("/") ? name.text.replace(/[^/]*$/, "") : "";
  const source = isSymbolic && !target.text.startsWith("/") ? known(directory + target.text) : target;
  context.path(source, "write");
  context.reshapes(at);
}

function isDirectory({ entry }: Resolved): boolean {
  return entry?.kind === "directory";
}
