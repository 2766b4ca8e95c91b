/** Where a value stands that belongs to a name, and how sure its place makes it that it is one. */
export interface Place {
  /** Offsets in the text that was looked at. */
  readonly start: number;
  readonly end: number;
  /**
   * `quoted`: in quotes or tags of its own. `bare`: in a place that holds values only: an option, a parameter, a line of
   * an environment. `line`: alone on a line behind its name. `code`: where a program would have an expression.
   * `said`: in a sentence.
   */
  readonly form: "quoted" | "bare" | "line" | "code" | "said";
}

export const LONGEST_VALUE = 512;
const CLOSING = String.raw`(?:\\?["'\x60])?\]?(?:\*\*|__)?`;
/** The sign between a name and its value; the second group is what the name's type may be. */
const OPERATOR = new RegExp(
  String.raw`^${CLOSING}[ \t]{0,40}(?:=>|:-(?=\S)|:{1,3}=|\?=|\|\|=|<-|->|→|={1,3}|：|:(?!:)(?:\*\*)?)[ \t]{0,40}`,
);
const TYPED =
  /^(?:\s?:\s?(?:&(?:'\w{1,12}\s)?)?[A-Za-z_][\w<>[\]?.| ]{0,40}|\s(?:string|\[\]byte|text)|\sAs\s\w{1,20}|\s?\{\s?get;\s?(?:set|init);\s?\})(?:\s{1,3}=(?![=>])[ \t]{0,10}(?=[^\s#])|=(?=["'\x60]))/;
/** `name: X, value: …`, and the same in XML and JSON, over one line's end at most. */
const PAIR =
  /^\\?["']?(?:\s{0,3},)?\s{0,40}(?:[\w:-]{1,20}=["'][^"'\n]{0,40}["']\s{1,5}){0,4}\\?["']?(?:value|val|content|default)\\?["']?\s{0,3}[:=]\s{0,3}(?=\\?["'\w])/i;
const DEFAULT =
  /^"\s{0,3}\{\s{0,20}(?:(?:type|description|sensitive|nullable)\s{0,9}=[^\n]{0,80}\n\s{0,20}){0,4}default\s{0,9}=\s{0,9}/;
/** `<x name="password">…<`, `<key>password</key> <string>…<` */
const TAG =
  /^(?:\s{0,3}>|["'](?:\s[\w:-]{1,20}=["'][^"'\n]{0,40}["']){0,2}\s{0,3}>|<\/key>\s{0,40}<string>)(?:\s{0,40}<value>)?(?:<!\[CDATA\[)?/i;
const TAG_VALUE = /^([^<\n]{3,512}?)(?:\]\]>)?</;
/** `f("password", "…")`, `setPassword("…")`, `get("#password").type("…")` */
const CALL =
  /^(?:(?:["'\]]{0,4}\s{0,3},\s{0,3})|\s{0,2}\((?:\s{0,3}N)?|["'\]]{0,4}\){1,2}\.(?:type|fill|send_?keys|sendKeys|val|setValue|press_?sequentially)\()(?=["'\x60])/i;
const ARGUMENT_BEFORE =
  /[\w.]\(\s{0,3}["'][^"',]{0,40}(?:"[^"',]{0,20})?$|[\w.]\([\w.]{1,30},\s?["'][^"',]{0,40}$/;
const SETTER =
  /^(?:set|with|add)_?[A-Z]|^(?:password|passwd|passphrase|secret|api_?key|secret_?key|(?:access|auth|api|bearer)_?token)$/i;
const BLOCK = /^\\?["']?:[ \t]{0,5}[|>][-+]?\d?[ \t]{0,5}\r?\n[ \t]{1,40}/;
const SAID =
  /^(?:["'\x60]|\*\*)?\s{1,3}(?:is|was|lautet|ist|est|es|è|é)(?:\s(?:now|set to|simply|still))?\s{0,2}:?\s{1,3}/i;
const ARROW = /^[ \t]{1,3}(?:-|–|—)[ \t]{1,3}/;
const CELL = /^(?:\*\*|\x60)?[ \t]{0,60}\|[ \t]{0,60}/;
const QUOTE = /^(?:[brfuN@$]{0,2})(\\?)("""|'''|["'\x60])/;
/** Words before a name that make what follows it its value, with only a space between. */
const SETS =
  /(?:^|\n|[;&|"'(]|\bconfig(?:ure)?\s)\s{0,20}(?:set(?:env|x)?|set\s-\w{1,3}|SetEnv|ENV|ARG|launchctl setenv)[ \t]{1,20}(?:\S{1,60}[:.])?_?$|(?:\bwifi\s+connect\s+\S{1,80}|\blogin\s+\S{1,100})\s{1,20}$/;

/**
 * The value behind a name. `before` ends where the name begins and `rest` begins where it ends; what it returns counts
 * from the beginning of `rest`. Undefined where no value follows.
 */
export function findPlace(before: string, name: string, rest: string): Place | undefined {
  const typed = TYPED.exec(rest)?.[0];
  if (typed !== undefined) return read(before, name, rest, typed.length, "code");
  const pair = (PAIR.exec(rest) ?? DEFAULT.exec(rest))?.[0];
  if (pair !== undefined) return read(before, name, rest, pair.length, "bare");
  const call = CALL.exec(rest)?.[0];
  if (call !== undefined && isGiven(before, name, call)) return readQuoted(rest, call.length);
  const block = BLOCK.exec(rest)?.[0];
  if (block !== undefined) return readBare(rest, block.length, "bare", before);
  const operator = OPERATOR.exec(rest)?.[0];
  if (operator !== undefined) return readAssigned(before, name, rest, operator);
  const tag = TAG.exec(rest)?.[0];
  if (tag !== undefined && /[<"'=>]\s{0,3}$/.test(before.slice(-3))) {
    const value = TAG_VALUE.exec(rest.slice(tag.length))?.[1];
    return value === undefined
      ? undefined
      : { start: tag.length, end: tag.length + value.trimEnd().length, form: "quoted" };
  }
  const cell = CELL.exec(rest)?.[0];
  if (cell !== undefined) return readCell(before, rest, cell.length);
  const said = (SAID.exec(rest) ?? ARROW.exec(rest))?.[0];
  if (said !== undefined) return read(before, name, rest, said.length, "said");
  return readSpaced(before, name, rest);
}

/** True if a call gives the name a value: `setPassword("…")`, `define("PASSWORD", "…")`, Erlang's `{password, "…"}`. */
function isGiven(before: string, name: string, call: string): boolean {
  if (/^\s{0,2}\(/.test(call)) return SETTER.test(name);
  if (!call.includes(",")) return true;
  return /^["'\]]/.test(call) ? ARGUMENT_BEFORE.test(before) : before.endsWith("{");
}

function readAssigned(before: string, name: string, rest: string, operator: string): Place | undefined {
  const at = operator.length;
  if (/^\s*={2,3}\s*$/.test(operator)) return /\btypeof\b/.test(before) ? undefined : readQuoted(rest, at);
  const quoted = readQuoted(rest, at);
  if (quoted !== undefined) return quoted;
  // A place in a name: `arn:aws:secretsmanager:…:secret:db`.
  if (operator === ":" && /:$|\w\/$/.test(before)) return undefined;
  const isTight = !/\s/.test(operator);
  const lead = before.slice(before.lastIndexOf("\n") + 1);
  const value = readBare(rest, at, "bare", before);
  if (value === undefined) return undefined;
  const after = rest.slice(value.end, value.end + 2);
  if (
    isTight &&
    operator === ":" &&
    !before.endsWith("/") &&
    /^\p{L}+$/u.test(rest.slice(value.start, value.end))
  )
    return { ...value, form: /["']$/.test(before) ? "code" : "line" };
  if (isTight) {
    const isArgument = /(?<!\$)[({]\s*$|\w\(.*,\s*$/.test(lead) && /^[),}]/.test(after);
    return isArgument ? { ...value, form: "code" } : value;
  }
  const beginsLine = /^[\s>#*"'-]*(?:[\p{L}\d-]{1,20}:?\s+){0,3}(?:\*\*|`|["'])?(?:[xX]-)?$/u.test(lead);
  const endsLine = /^(?:\s*(?:$|[\n\r#]|\/\/|\\n)|["'`])/.test(rest.slice(value.end, value.end + 40));
  const header = /(?:-H|--header)[ =]*(["'])[\w-]*$/.exec(lead)?.[1];
  if (header !== undefined) return readUntil(rest, at, header);
  const isBesideUser = /\b(?:user\w*|login|e-?mail|account)\b[^\n]{1,80}$/i.test(lead);
  return { ...value, form: (beginsLine || isBesideUser) && endsLine ? "line" : "code" };
}

function readSpaced(before: string, name: string, rest: string): Place | undefined {
  const gap = (
    /\b(?:machine|default)\s[^]*\blogin\s+\S+\s+$/.test(before)
      ? /^\s{1,20}/
      : /^[ \t]{1,20}(?:<<<[ \t]{0,3})?/
  ).exec(rest)?.[0];
  if (gap === undefined) return undefined;
  const quoted = readQuoted(rest, gap.length);
  if (quoted !== undefined) return quoted;
  const isOption = /(?:^|[\s"'(,])(?:--?|\/)$/.test(before) || /(?:^|[\s"'(,])-/.test(name.slice(0, 1));
  const form = isOption || SETS.test(before) ? "bare" : "said";
  const lead = before.slice(before.lastIndexOf("\n") + 1);
  const value = readBare(rest, gap.length, form, before);
  if (value === undefined || (form === "said" && /^\s+(?:[\w-]+[=:](?=\S)|[^\p{L}\d])/u.test(rest)))
    return undefined;
  if (form === "bare") return /^[-|<>]|^[=:]/.test(rest.slice(gap.length)) ? undefined : value;
  const isAlone = /^\s*$/.test(lead) && /^\s*(?:$|\n)/.test(rest.slice(value.end, value.end + 40));
  return isAlone || /^(?=.*\d)(?=.*[A-Za-z]).{8,}/.test(rest.slice(value.start, value.end))
    ? value
    : undefined;
}

/** A cell of a table: the value is the next one, if that is one word and the row has no third. */
function readCell(before: string, rest: string, at: number): Place | undefined {
  const lead = before.slice(before.lastIndexOf("\n") + 1);
  if (!lead.trimStart().startsWith("|")) return undefined;
  const line = rest.slice(at).split("\n", 1)[0] ?? "";
  const cell = /^(?:\\\||[^|])*/.exec(line)?.[0] ?? "";
  const trimmed = cell.trim();
  const value = trimmed.replace(/^`(.*)`$/, "$1");
  if (value === "" || /\s/.test(value)) return undefined;
  const start = at + cell.indexOf(value);
  const hasThird = /^\|\s*[^\s|]/.test(line.slice(cell.length));
  return { start, end: start + value.length, form: hasThird ? "said" : "bare" };
}

function read(
  before: string,
  _name: string,
  rest: string,
  at: number,
  form: Place["form"],
): Place | undefined {
  return readQuoted(rest, at) ?? readBare(rest, at, form, before);
}

function readQuoted(rest: string, at: number): Place | undefined {
  const found = QUOTE.exec(rest.slice(at, at + 8));
  if (found === null) return undefined;
  const [open, escape = "", quote = ""] = found;
  const from = at + open.length;
  const close = escape + quote;
  const most = Math.min(rest.length, from + LONGEST_VALUE);
  for (let end = from; end < most; end++) {
    if (rest.startsWith(close, end)) return end === from ? undefined : { start: from, end, form: "quoted" };
    if (quote.length === 1 && rest.charAt(end) === "\n") return undefined;
    if (escape === "" && rest.charAt(end) === "\\") end++;
  }
  return undefined;
}

function readUntil(rest: string, at: number, close: string): Place | undefined {
  const end = rest.indexOf(close, at);
  return end <= at ? undefined : { start: at, end, form: "bare" };
}

/** Up to the next white space, and there without what closes something around it. */
function readBare(rest: string, at: number, form: Place["form"], before: string): Place | undefined {
  const run = /^[^\s"'`]*/.exec(rest.slice(at, at + LONGEST_VALUE))?.[0] ?? "";
  const isParameter = /[?&][\w.-]*$/.test(before.slice(-80));
  const lead = before.slice(before.lastIndexOf("\n") + 1);
  let value = /[{(]/.test(lead) && !isParameter ? untilCloser(run) : run;
  const cut = value.search(
    isParameter ? /[&#<]/ : /[&;,](?=[A-Za-z_]{2}\w{0,40}[=:])|<\/|\\[nrt"']|;(?=[A-Za-z ]{3,30}=)|%0A/,
  );
  if (cut >= 0) value = value.slice(0, cut);
  for (let last = value.at(-1) ?? ""; last !== ""; last = value.at(-1) ?? "") {
    const opener = { ")": "(", "]": "[", "}": "{", ">": "<" }[last];
    const isLoose = opener === undefined ? /[,;\\|]/.test(last) : !value.includes(opener);
    if (!isLoose && !(form === "said" && /[.!?:]/.test(last))) break;
    value = value.slice(0, -1);
  }
  return value === "" ? undefined : { start: at, end: at + value.length, form };
}

/** Up to the first comma, semicolon or bracket that closes one which stands before the value. */
function untilCloser(run: string): string {
  let depth = 0;
  for (let at = 0; at < run.length; at++) {
    const unit = run.charAt(at);
    if ("([{".includes(unit)) depth++;
    if (")]}".includes(unit) && depth-- === 0) return run.slice(0, at);
    if (",;".includes(unit) && depth === 0) return run.slice(0, at);
  }
  return run;
}
