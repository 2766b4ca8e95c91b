import { type Argument, textOf } from "../words/argument.ts";
import { type CommandSpec, type CommandTable, hasOption, valuesOf } from "../command-spec.ts";
import { isSmall, readSize } from "../endless-output.ts";

const digest: CommandSpec = { flags: "btzw", long: "binary text tag zero warn", operands: "read" };
const encode: CommandSpec = {
  flags: "di",
  values: { w: "data" },
  long: "decode ignore-garbage",
  longValues: { wrap: "data" },
  operands: ["read"],
};
const ends: CommandSpec = {
  flags: "qvzfF",
  values: { n: "data", c: "data", s: "data" },
  long: "quiet silent verbose zero-terminated retry",
  longValues: { lines: "data", bytes: "data", "sleep-interval": "data", pid: "data" },
  longOptional: "follow",
  takesNumber: true,
  operands: "read",
  also: (context, read) => {
    if (context.name === "tail") {
      if (hasOption(read, "f", "F", "--follow")) context.endless("`tail -f` waits for more", "lines");
      return;
    }
    const bytes = valuesOf(read, "c", "--bytes");
    const lines = valuesOf(read, "n", "--lines", "number");
    const isCut = (amount: Argument): boolean =>
      !(textOf(amount) ?? "-").startsWith("-") && isSmall(readSize(amount));
    if (bytes.length > 0 && bytes.every(isCut)) context.limits("bytes");
    else if (bytes.length === 0 && lines.every((amount) => isCut(amount))) context.limits("lines");
  },
};

/** Commands that read files and print something of them. */
export const textCommands: CommandTable = {
  cat: {
    flags: "AbeEnstTuv",
    long: "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting",
    operands: "read",
  },
  tac: { flags: "br", values: { s: "data" }, operands: "read" },
  rev: { operands: "read" },
  nl: {
    flags: "p",
    values: {
      b: "data",
      d: "data",
      f: "data",
      h: "data",
      i: "data",
      l: "data",
      n: "data",
      s: "data",
      v: "data",
      w: "data",
    },
    operands: "read",
  },
  head: ends,
  tail: ends,
  wc: {
    flags: "cmlLw",
    long: "bytes chars lines max-line-length words",
    longValues: { total: "data" },
    operands: "read",
  },
  sort: {
    flags: "bdfghiMnRrVcCmsuz",
    values: { k: "data", t: "data", S: "data", o: "write", T: "write" },
    long: "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort human-numeric-sort ignore-nonprinting month-sort numeric-sort random-sort reverse version-sort merge stable unique zero-terminated debug",
    longValues: {
      key: "data",
      "field-separator": "data",
      "buffer-size": "data",
      output: "write",
      "temporary-directory": "write",
      parallel: "data",
      "batch-size": "data",
      sort: "data",
    },
    longOptional: "check",
    operands: "read",
  },
  uniq: {
    flags: "cdDiuz",
    values: { f: "data", s: "data", w: "data" },
    long: "count repeated ignore-case unique zero-terminated",
    longValues: { "skip-fields": "data", "skip-chars": "data", "check-chars": "data" },
    longOptional: "all-repeated group",
    operands: ["read", "write"],
  },
  cut: {
    flags: "nsz",
    values: { b: "data", c: "data", d: "data", f: "data" },
    long: "complement only-delimited zero-terminated",
    longValues: {
      bytes: "data",
      characters: "data",
      delimiter: "data",
      fields: "data",
      "output-delimiter": "data",
    },
    operands: "read",
  },
  tr: {
    flags: "cCdst",
    long: "complement delete squeeze-repeats truncate-set1",
    anyWord: true,
    operands: "data",
  },
  paste: {
    flags: "sz",
    values: { d: "data" },
    long: "serial zero-terminated",
    longValues: { delimiters: "data" },
    operands: "read",
  },
  join: {
    flags: "iz",
    values: { a: "data", e: "data", j: "data", "1": "data", "2": "data", t: "data", o: "data", v: "data" },
    long: "header ignore-case check-order nocheck-order",
    operands: ["read", "read"],
  },
  comm: {
    flags: "123z",
    long: "check-order nocheck-order total zero-terminated",
    longValues: { "output-delimiter": "data" },
    operands: ["read", "read"],
  },
  fold: { flags: "bs", values: { w: "data" }, operands: "read" },
  fmt: { flags: "cstu", values: { w: "data", p: "data", g: "data" }, operands: "read" },
  expand: { flags: "i", values: { t: "data" }, operands: "read" },
  unexpand: { flags: "a", values: { t: "data" }, operands: "read" },
  column: {
    flags: "tnxe",
    values: { s: "data", o: "data", c: "data", N: "data" },
    long: "table",
    operands: "read",
  },
  strings: {
    flags: "a",
    values: { n: "data", t: "data", e: "data" },
    operands: "read",
    also: (context, { operands }) => {
      if (operands.some((word) => word.kind === "known" && word.text.startsWith("@")))
        context.ask("`strings` reads options from a file");
    },
  },
  od: { flags: "abcdfhiloxsv", values: { A: "data", j: "data", N: "data", t: "data" }, operands: "read" },
  hexdump: { flags: "bcCdovx", values: { n: "data", s: "data" }, operands: "read" },
  xxd: {
    flags: "pubr",
    values: { l: "data", c: "data", g: "data" },
    operands: ["read", "write"],
    also: (context, read) => {
      if (hasOption(read, "r") && !hasOption(read, "p"))
        context.endless("`xxd -r` writes at places that its input says");
    },
  },
  base64: encode,
  base32: encode,
  md5sum: digest,
  sha1sum: digest,
  sha224sum: digest,
  sha256sum: digest,
  sha384sum: digest,
  sha512sum: digest,
  b2sum: digest,
  cksum: { operands: "read" },
  sum: { flags: "rs", operands: "read" },
  cmp: {
    flags: "bls",
    values: { n: "data", i: "data" },
    long: "print-bytes verbose quiet silent",
    longValues: { bytes: "data" },
    operands: ["read", "read", "data", "data"],
  },
  diff: {
    flags: "abBcdeEinNqstTuwyp",
    values: { U: "data", C: "data", W: "data", I: "data" },
    long: "brief report-identical-files side-by-side minimal ignore-case ignore-all-space ignore-space-change ignore-blank-lines ignore-trailing-space ignore-tab-expansion text new-file show-c-function suppress-common-lines strip-trailing-cr normal ed rcs",
    longValues: { width: "data", label: "data" },
    longOptional: "unified context color",
    operands: (context, { operands }) => {
      if (operands.length !== 2) context.ask("`diff` is not given two files");
      for (const file of operands) {
        const found = context.path(file, "read");
        if (found.some(({ entry }) => entry?.kind === "directory"))
          context.ask("`diff` of directories follows the links in them");
      }
    },
  },
  file: {
    flags: "bikhN0",
    long: "brief mime mime-type mime-encoding keep-going no-dereference",
    operands: "read",
  },
  grep: grep(),
  egrep: grep(),
  fgrep: grep(),
  rg: {
    flags: "iSsvwxclqnNHIoFPUaup0h",
    values: {
      e: "data",
      A: "data",
      B: "data",
      C: "data",
      m: "data",
      M: "data",
      t: "data",
      T: "data",
      g: "data",
      j: "data",
      d: "data",
      r: "data",
      E: "data",
      f: "read",
    },
    long: "ignore-case smart-case case-sensitive fixed-strings files files-with-matches files-without-match hidden no-ignore no-ignore-vcs count count-matches line-number no-line-number multiline multiline-dotall word-regexp line-regexp invert-match only-matching json stats no-heading heading with-filename no-filename pretty text trim vimgrep type-list null passthru no-messages quiet column byte-offset no-config unrestricted pcre2",
    longValues: {
      regexp: "data",
      glob: "data",
      iglob: "data",
      type: "data",
      "type-not": "data",
      "max-count": "data",
      context: "data",
      "after-context": "data",
      "before-context": "data",
      replace: "data",
      color: "data",
      sort: "data",
      sortr: "data",
      "max-depth": "data",
      "max-filesize": "data",
      "max-columns": "data",
      threads: "data",
      encoding: "data",
      file: "read",
    },
    operands: (context, read) => {
      const isGiven = hasOption(read, "e", "f", "--regexp", "--file", "--files", "--type-list");
      for (const path of read.operands.slice(isGiven ? 0 : 1)) context.path(path, "read tree");
    },
  },
};

function grep(): CommandSpec {
  return {
    flags: "EFGPivwxcLloqsbHhnTUzaIry",
    values: { e: "data", m: "data", A: "data", B: "data", C: "data", f: "read", d: "data", D: "data" },
    long: "extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case invert-match word-regexp line-regexp count files-without-match files-with-matches only-matching quiet silent no-messages byte-offset with-filename no-filename line-number initial-tab null null-data text recursive line-buffered",
    longValues: {
      regexp: "data",
      "max-count": "data",
      "after-context": "data",
      "before-context": "data",
      context: "data",
      label: "data",
      "binary-files": "data",
      exclude: "data",
      include: "data",
      "exclude-dir": "data",
      directories: "data",
      devices: "data",
      file: "read",
      "exclude-from": "read",
    },
    longOptional: "color colour",
    takesNumber: true,
    operands: (context, read) => {
      const isGiven = hasOption(read, "e", "f", "--regexp", "--file");
      const tree = hasOption(read, "r", "--recursive", "d", "--directories");
      const [pattern] = read.operands;
      if (!isGiven && pattern?.kind === "unknown" && pattern.count === "many")
        context.ask(`\`${context.name}\` is given words whose number is not known`);
      const files = read.operands.slice(isGiven ? 0 : 1);
      for (const file of files)
        if (file.kind !== "known" || file.text !== "-") context.path(file, tree ? "read tree" : "read");
    },
  };
}
