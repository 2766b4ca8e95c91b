import table from "./command-credentials.json" with { type: "json" };
import { type CommandRow, matchRow, readRow, wordsOfCommand } from "./command-words.ts";
import {
  type Anchor,
  type Detect,
  isOpen,
  MORE,
  NONE,
  secret,
  type Verdict,
  type View,
} from "../detector.ts";
import { isExample, isLocator, isReference, isStandIn } from "../plausible.ts";
import words from "../named/secret-words.json" with { type: "json" };

const LONGEST_VALUE = 128;
const LONGEST_LINE = 300;
const STAND_INS = new Set(words.standIns);
const GAPS: Readonly<Record<string, RegExp>> = {
  joined: /(?=\S)/y,
  spaced: /[ \t=]{1,5}/y,
  either: /[ \t=]{0,5}/y,
};
const VALUE = /"([^"\n]{3,128})"|'([^'\n]{3,128})'|([^\s"'`<>]{3,128})/y;
const STDIN = new RegExp(
  `^(?:sudo\\s+(?!-S|--stdin)(?:-\\w+\\s+)?)?(?:${table.stdin.map(consumer).join("|")})|--?[\\w-]*(?:pass|token|secret)[\\w-]*-?(?:stdin|fd)\\b|--with-token`,
);
/** `echo x |`, `printf '%s' x |` */
const PRODUCER = /^(?:echo|printf)\s+(?:-[neE]{1,2}\s+)?(?:(["'])%s(?:\\n)?\1\s+)?/;
const LONGEST_CONSUMER = 120;

/** Where the secret stands in a fixed sequence of signs that no words make. */
const SEQUENCES: readonly (readonly [literal: string, shape: RegExp, before?: RegExp])[] = [
  ["pass:", /(?<=-pass(?:in|out)?[ \t]{1,5}["']?)pass:([^\s"']{3,128})/y],
  ["SSWS", /SSWS\s{1,3}(00[\w-]{38,42})(?![\w-])/y],
  ["thin:", /thin:[\w$#]{1,40}\/([^\s@"']{3,128})@/y],
  ["send", /send\s{1,3}(?:--\s{1,3})?"([^"\n]{4,128}?)(?=\\r)/y, /ass(?:word|phrase)[^\n]*\n?[^\n]*$/i],
  ["eap", /eap\s{1,5}"([^"\n]{4,128})(?=")/iy, /:\s{0,5}$/],
  ["identified by", /identified by\s{1,5}(?:password\s{1,5})?['"]([^'"\n]{4,128})(?=['"])/iy],
  [
    "convertto-securestring",
    /convertto-securestring\s{1,5}(?:-string\s{1,5}|-asplaintext\s{1,5}|-force\s{1,5}){0,3}(?:"([^"\n]{4,128})"|'([^'\n]{4,128})')/iy,
  ],
];

/** Passwords on the command lines of programs that take one, and in calls that do. */
export const commandAnchors: readonly Anchor[] = [
  ...table.options.map(({ option, gap, programs }) =>
    optionAnchor(option, detectOption(option, programs, gap)),
  ),
  ...table.pairs.map(({ option, separator, programs }) =>
    optionAnchor(option, detectPair(option, programs, separator)),
  ),
  ...SEQUENCES.map(([literal, shape, before]): Anchor => ({
    literal: (literal.split(" ")[0] ?? "").toLowerCase(),
    detect: detectSequence(literal, shape, before),
  })),
  ...rowAnchors(),
  ...callAnchors(),
  { literal: "echo", detect: detectProducer },
  { literal: "printf", detect: detectProducer },
  { literal: "<<<", isPlain: true, detect: detectHereString },
  { literal: " -b", isPlain: true, detect: detectCookie },
];

function optionAnchor(option: string, detect: Detect): Anchor {
  const literal = option.toLowerCase();
  if (literal.length === 3) return { literal, isPlain: true, detect };
  return /\s/.test(literal) ? { literal: literal.slice(0, 3), isPlain: true, detect } : { literal, detect };
}

/** `docker+login` is `login` some words behind `docker`; `mysql*` any program that begins so. */
function programPattern(programs: string): RegExp {
  const one = (word: string): string =>
    word.replaceAll(/[.]/g, String.raw`\.`).replaceAll("*", String.raw`[\w.-]*`);
  return new RegExp(
    programs
      .split(" ")
      .map(
        (program) =>
          String.raw`(?<![\w-])${program
            .split("+")
            .map(one)
            .join(String.raw`\b.*\b`)}(?![\w-])`,
      )
      .join("|"),
    "i",
  );
}

function optionBefore(view: View, at: number, option: string, program: RegExp): "yes" | "no" | "more" {
  const { text } = view;
  if (!text.startsWith(option, at)) {
    const rest = text.slice(at);
    return !view.isFinal && rest.length < option.length && option.startsWith(rest) ? "more" : "no";
  }
  if (option.startsWith("-") && !/[\s"'-]/.test(text.charAt(at - 1))) return "no";
  return program.test(commandBefore(text, at)) ? "yes" : "no";
}

function detectOption(option: string, programs: string, gapName: string): Detect {
  const program = programPattern(programs);
  const gap = GAPS[gapName] ?? /(?=\S)/y;
  return (view, at) => {
    const isThere = optionBefore(view, at, option, program);
    if (isThere !== "yes") return isThere === "more" ? MORE : NONE;
    const end = at + option.length;
    gap.lastIndex = end;
    if (!gap.test(view.text)) return !view.isFinal && end >= view.text.length ? MORE : NONE;
    return judgeWord(view, gap.lastIndex, (value, from) =>
      mayBePassword(value) ? secret(from, from + value.length) : NONE,
    );
  };
}

function detectPair(option: string, programs: string, separator: string): Detect {
  const program = programPattern(programs);
  const gap = /[ \t=]{0,5}/y;
  return (view, at) => {
    const isThere = optionBefore(view, at, option, program);
    if (isThere !== "yes") return isThere === "more" ? MORE : NONE;
    const end = at + option.length;
    gap.lastIndex = end;
    gap.test(view.text);
    return judgeWord(view, gap.lastIndex, (value, from) => {
      const sign = value.indexOf(separator);
      const password = value.slice(sign + 1);
      return sign < 0 || !mayBePassword(password) ? NONE : secret(from + sign + 1, from + value.length);
    });
  };
}

/** The word at `from`, once all of it is there. */
function judgeWord(view: View, from: number, judge: (value: string, from: number) => Verdict): Verdict {
  const { text } = view;
  if (!view.isFinal && (from >= text.length || isUnclosed(text, from))) return MORE;
  if (isOpen(view, from, LONGEST_VALUE)) return MORE;
  VALUE.lastIndex = from;
  const found = VALUE.exec(text);
  const quoted = found?.[1] ?? found?.[2];
  const value = quoted ?? found?.[3];
  if (value === undefined || (quoted === undefined && /^--?[a-z]/i.test(value))) return NONE;
  return judge(value, from + (quoted === undefined ? 0 : 1));
}

/** `curl -b 'session=…'` */
function detectCookie(...[view, at, end]: Parameters<Detect>): Verdict {
  if (!/\bcurl\b/.test(commandBefore(view.text, at)) || !view.text.startsWith(" -b", at)) return NONE;
  const gap = /^[ \t=]{1,5}/.exec(view.text.slice(end, end + 6))?.[0] ?? "";
  if (gap === "") return !view.isFinal && end >= view.text.length ? MORE : NONE;
  return judgeWord(view, end + gap.length, (value, from) => {
    const cookie = /^[\w.-]{1,60}=([^;]{12,})/.exec(value)?.[1] ?? "";
    return mayBePassword(cookie) ? secret(from + value.indexOf("=") + 1, from + value.length) : NONE;
  });
}

function detectSequence(literal: string, shape: RegExp, before?: RegExp): Detect {
  return (view, at) => {
    const { text } = view;
    if (before !== undefined && !before.test(text.slice(Math.max(0, at - 160), at))) return NONE;
    const line = lineFrom(view, at, LONGEST_LINE);
    if (line === undefined) return beginsLike(text.slice(at, at + LONGEST_LINE), literal) ? MORE : NONE;
    shape.lastIndex = at;
    const found = shape.exec(text);
    const value = found?.[1] ?? found?.[2];
    if (found === null || value === undefined || !mayBePassword(value)) return NONE;
    const start = at + found[0].lastIndexOf(value);
    return secret(start, start + value.length);
  };
}

function rowAnchors(): Anchor[] {
  const byProgram = new Map<string, CommandRow[]>();
  for (const row of table.commands.map(readRow))
    byProgram.set(row.program, [...(byProgram.get(row.program) ?? []), row]);
  return [...byProgram].map(([program, rows]): Anchor => ({
    literal: program.replace("*", "").toLowerCase(),
    detect: detectRows(rows),
  }));
}

function detectRows(rows: readonly CommandRow[]): Detect {
  return (view, at, end) => {
    const { text } = view;
    if (!/^$|[\s;&|("'`/>#]/.test(text.charAt(at - 1))) return NONE;
    if (!view.isFinal && end >= text.length) return MORE;
    if (!/\s/.test(text.charAt(end)) && !rows.some(({ program }) => program.endsWith("*"))) return NONE;
    const whole = lineFrom(view, end, LONGEST_LINE);
    const line = whole ?? text.slice(end, end + LONGEST_LINE);
    const found = wordsOfCommand(line.replace(/^[\w.-]+/, (rest) => " ".repeat(rest.length)));
    let verdict: Verdict = NONE;
    for (const row of rows) {
      if (/[A-Z]/.test(row.program) && !text.startsWith(row.program, at)) continue;
      if (row.atLineStart && !/(?:^|\n)\s{0,20}$/.test(text.slice(Math.max(0, at - 21), at))) continue;
      const word = matchRow(row, found, whole === undefined);
      if (word === "open") return MORE;
      if (word === undefined || !mayBePassword(word.value)) continue;
      verdict = secret(end + word.start, end + word.end);
    }
    return whole === undefined && verdict.kind === "secret" ? MORE : verdict;
  };
}

function callAnchors(): Anchor[] {
  return table.calls.map((row): Anchor => {
    const [literal = "", ...parts] = row.split(" ");
    return { literal, detect: detectCall(parts.length) };
  });
}

const LONGEST_CALL = 300;
const ARGUMENT =
  /\s{0,20}(?:[bfrN]{0,2}(["'`])((?:(?!\1)[^\n\\]|\\.){0,160})\1|[^,()"'`\n]{0,80}(?:\{[^{}]{0,120}\})?)\s{0,3}(?=[,)])/y;

/** `smtp.login("ada", "…")`: the secret is the argument with this number, if it is a text. */
function detectCall(number: number): Detect {
  return (view, at, end) => {
    const { text } = view;
    if (/\w/.test(text.charAt(at - 1)) && !/^[.]/.test(text.charAt(at))) return NONE;
    if (lineFrom(view, end, LONGEST_CALL) === undefined && !text.slice(end).includes(")")) return MORE;
    let from = end;
    for (let n = 1; ; n++) {
      ARGUMENT.lastIndex = from;
      const found = ARGUMENT.exec(text);
      if (found === null || ARGUMENT.lastIndex > end + LONGEST_CALL) return NONE;
      if (n === number) {
        const value = found[2] ?? "";
        const start = from + found[0].indexOf(value);
        return mayBePassword(value) && value.length >= 4 && !/\s/.test(value)
          ? secret(start, start + value.length)
          : NONE;
      }
      if (text.charAt(ARGUMENT.lastIndex) !== ",") return NONE;
      from = ARGUMENT.lastIndex + 1;
    }
  };
}

/** `echo secret | sudo -S …` */
function detectProducer(...[view, at, end]: Parameters<Detect>): Verdict {
  const { text } = view;
  if (/\w/.test(text.charAt(at - 1))) return NONE;
  const whole = lineFrom(view, at, LONGEST_LINE);
  const line = whole ?? text.slice(at, at + LONGEST_LINE);
  const lead = PRODUCER.exec(line)?.[0];
  if (lead === undefined) return whole === undefined && text.length - end < 8 ? MORE : NONE;
  const word = /^(?:"([^"\n]{4,128})"|'([^'\n]{4,128})'|([^\s"'|`]{4,128}))\s{0,5}(\|)?/.exec(
    line.slice(lead.length),
  );
  if (word?.[4] === undefined)
    return whole === undefined && /^(?:"[^"]*"?|'[^']*'?|[^\s"'|]*)\s*$/.test(line.slice(lead.length))
      ? MORE
      : NONE;
  const raw = word[1] ?? word[2] ?? word[3] ?? "";
  const value = raw.replace(/\\n$/, "");
  const behind = line.slice(lead.length + word[0].length).trimStart();
  const command = behind.split("|", 1)[0] ?? "";
  if (whole === undefined && command.length < LONGEST_CONSUMER && !behind.includes("|")) return MORE;
  if (!STDIN.test(command.slice(0, LONGEST_CONSUMER))) return NONE;
  const user = /chpasswd/.test(command) ? value.indexOf(":") + 1 : 0;
  const start = at + lead.length + word[0].indexOf(raw) + user;
  return mayBePassword(value.slice(user)) ? secret(start, start + value.length - user) : NONE;
}

/** `sudo -S … <<< secret` */
function detectHereString(...[view, at, end]: Parameters<Detect>): Verdict {
  const { text } = view;
  if (!STDIN.test(commandBefore(text, at).trimStart())) return NONE;
  const gap = /^[ \t]{0,5}/.exec(text.slice(end, end + 5))?.[0].length ?? 0;
  return judgeWord(view, end + gap, (value, from) =>
    mayBePassword(value) ? secret(from, from + value.length) : NONE,
  );
}

function consumer(row: string): string {
  return String.raw`(?:${row
    .split(" ")
    .map((word) => word.replaceAll("-", String.raw`\-`))
    .join(String.raw`\b[^|]{0,60}?\s`)})(?![\w-])`;
}

/** The rest of the line; undefined while it is not there yet. */
function lineFrom({ text, isFinal }: View, from: number, most: number): string | undefined {
  const rest = text.slice(from, from + most);
  const end = rest.indexOf("\n");
  if (end >= 0) return rest.slice(0, end);
  return isFinal || rest.length === most ? rest : undefined;
}

function beginsLike(rest: string, literal: string): boolean {
  return literal.toLowerCase().startsWith(rest.slice(0, literal.length).toLowerCase());
}

/** Everything that is no reference, example, place or port. */
function mayBePassword(value: string): boolean {
  return (
    value.length >= 3 &&
    !isReference(value) &&
    !isStandIn(value) &&
    !isExample(value) &&
    !isLocator(value) &&
    !STAND_INS.has(value.toLowerCase()) &&
    !/^\d{1,5}$|^\[redacted\]/.test(value) &&
    !value.startsWith("$")
  );
}

/** The command that an option belongs to, up to it. */
function commandBefore(text: string, at: number): string {
  const line = text.slice(Math.max(0, at - LONGEST_LINE), at);
  const from = Math.max(
    line.search(/(?<!\\)\n[^\n]*$/),
    line.lastIndexOf("; "),
    line.lastIndexOf("&& "),
    line.lastIndexOf("| "),
  );
  return line.slice(from + 1);
}

function isUnclosed(text: string, at: number): boolean {
  const rest = text.slice(at, at + LONGEST_VALUE);
  return rest.length < LONGEST_VALUE && /^(?:"[^"\n]*|'[^'\n]*)$/.test(rest);
}
