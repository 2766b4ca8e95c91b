import { remembered } from "../remembered.ts";

/** What in a text does something where it arrives, although nothing in it leads anywhere. */
export interface LiveText {
  /** Who is told of it, without the sign: `ann` of `@ann`. */
  readonly handles: readonly string[];
  /** Many at once, with the sign: `@channel`. */
  readonly crowds: readonly string[];
  /** What the service may fill in, and nobody sees before: `{{secrets.KEY}}`, `=IMPORTRANGE(…)`. */
  readonly blanks: readonly string[];
}

const CROWDS: ReadonlySet<string> = new Set("all channel everybody everyone group here room team".split(" "));
/** In code, a sign before a name tells nobody. */
const CODE = /```[^]*?(?:```|$)|`[^`\n]*`/g;
/** Not the scope of a package: `@deputy/policy`. */
const HANDLE =
  /(?<![\p{L}\p{N}_.@/<:=-])[@＠]([\p{L}\p{N}_](?:[\p{L}\p{N}_.-]{0,60}[\p{L}\p{N}_])?)(?![\p{L}\p{N}_@/-])/gu;
/** As Slack and Discord write them: `<!here>`, `<@U024BE7LH>`, `<!subteam^S012>`. */
const MARKED = /<[@!#]&?!?([\p{L}\p{N}_^|.-]{1,80})>/gu;
const BLANKS = [
  /\$?\{\{[^{}]{1,200}\}\}/g,
  /\{%[^%]{1,200}%\}/g,
  /<%[^%]{1,200}%>/g,
  /\$\{[^{}]{1,200}\}/g,
  /\$\([^()]{1,200}\)/g,
  /\*\|[^|\n]{1,100}\|\*/g,
  /(?<![\p{L}\p{N}%])%[\p{L}_][\p{L}\p{N}_.]{2,60}%(?![\p{L}\p{N}%])/gu,
];
const FORMULA = /^\s*[=+@-]\p{L}[\p{L}\p{N}_.]*\(/u;
const LONGEST_SHOWN = 120;

/** Most texts have none of these. */
const HINT = /[@＠<{%$*]|^\s*[=+-]/u;
const NOTHING: LiveText = { handles: [], crowds: [], blanks: [] };

/** Takes time linear in the text. */
export const readLiveText = remembered((text: string): LiveText => {
  if (!HINT.test(text)) return NOTHING;
  const plain = text.includes("`") ? text.replaceAll(CODE, " ") : text;
  const names = [...plain.matchAll(HANDLE), ...plain.matchAll(MARKED)].map(([, name = ""]) => name);
  const isCrowd = (name: string): boolean => CROWDS.has(name.toLowerCase());
  const blanks = /[{%$*]/.test(text) ? BLANKS.flatMap((pattern) => text.match(pattern) ?? []) : [];
  return {
    handles: unique(names.filter((name) => !isCrowd(name))),
    crowds: unique(names.filter(isCrowd).map((name) => `@${name}`)),
    blanks: unique([...blanks, ...(FORMULA.test(text) ? [text.trim().slice(0, LONGEST_SHOWN)] : [])]),
  };
});

function unique(all: readonly string[]): readonly string[] {
  return [...new Set(all)];
}
