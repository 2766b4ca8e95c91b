import { remembered } from "../remembered.ts";

/** What in a text does something where it arrives, although nothing in it leads anywhere. */
export interface LiveText {
  /** Who is told of it, without the sign: `ann` of `@ann`. */
  readonly handles: readonly string[];
  /** Many at once, with the sign: `@channel`. */
  readonly crowds: readonly string[];
  /**
   * What the service may fill in, run or obey, and nobody sees before: `{{secrets.KEY}}`, `=IMPORTRANGE(…)`, `/merge` on
   * a line of its own, `<script>`.
   */
  readonly blanks: readonly string[];
  /** What a merge of it closes, as its text names it: `#31` of "Fixes #31". */
  readonly closed: readonly string[];
}

const CROWDS: ReadonlySet<string> = new Set("all channel everybody everyone group here room team".split(" "));
/** In code, a sign before a name tells nobody. */
const CODE = /```[^]*?(?:```|$)|`[^`\n]*`/g;
/**
 * Not the scope of a package (`@deputy/policy`), nor a part of a link or of a mail address. Any other sign may stand
 * beside it: "cc:@ann" and "@ann-" tell Ann, too.
 */
const HANDLE =
  /(?<![\p{L}\p{N}_]|<(?=@[\p{L}\p{N}_^|.-]{1,80}>)|\.[\p{L}\p{N}./_-]{1,80}\/)[@＠]([\p{L}\p{N}_](?:[\p{L}\p{N}_.-]{0,60}[\p{L}\p{N}_])?)(?![\p{L}\p{N}_/]|-+[\p{L}\p{N}_]|@[\p{L}\p{N}-]{1,60}\.\p{L})/gu;
/** As Slack and Discord write them: `<!here>`, `<@U024BE7LH>`, `<!subteam^S012>`. */
const MARKED = /<[@!#]&?!?([\p{L}\p{N}_^|.-]{1,80})>/gu;
/** As Jira, Google and Reddit write them: `[~ann]`, `@[Ann](user:12)`, `u/ann`. */
const OTHER_HANDLES =
  /\[~([\p{L}\p{N}_.:-]{2,60})\]|@\[([^\]\n]{1,60})\]\(|(?<![\p{L}\p{N}/._-])\/?u\/([\p{L}\p{N}_-]{3,30})(?![\p{L}\p{N}/])/gu;
/** Not in code: there they are signs of the language. */
const OUTSIDE_CODE = [
  /\[\[[^[\]\n]{1,200}\]\]/g,
  /<<[^<>\n]{1,200}>>/g,
  /^[\t ]*[/!][a-z][\w-]{1,30}(?=[\s,;:]|$)/gim,
  /<(?:script|iframe|object|embed|form|meta|base|link|style|svg)\b[^<>]{0,300}>/gi,
  /<[a-z][^<>]{0,200}\son[a-z]{2,20}\s*=[^<>]{0,200}>/gi,
];
const BLANKS = [
  /[#%@]\{[^{}\n]{1,200}\}/g,
  /\{![^{}\n]{1,200}\}/g,
  /\$(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|HOME|PATH|USER|TOKEN|SECRET|PASSWORD|KEY)(?![A-Za-z0-9_])/g,
  /\$?\{\{[^{}]{1,200}\}\}/g,
  /\{%[^%]{1,200}%\}/g,
  /<%[^%]{1,200}%>/g,
  /\$\{[^{}]{1,200}\}/g,
  /\$\([^()]{1,200}\)/g,
  /\*\|[^|\n]{1,100}\|\*/g,
  /(?<![\p{L}\p{N}%])%[\p{L}_][\p{L}\p{N}_.]{2,60}%(?![\p{L}\p{N}%])/gu,
];
/** A cell that begins with `=`, wherever it stands in a table; other signs only with a call. */
const FORMULA = /(?:^|[\n\t,;|"])[ \t]*=(?![=>\s])[^\n]{1,120}|^\s*[+@-]\p{L}[\p{L}\p{N}_.]*[(|]/u;
/** As GitHub and GitLab read it: each of "Closes #30, #31 and fern/app#32". */
const CLOSED = /(?:(?:[\w.-]{1,60}\/[\w.-]{1,60})?#|GH-)(\d{1,9})(?!\d)/giu;
const CLOSES = new RegExp(
  String.raw`(?<!\p{L})(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?)` +
    String.raw`\s{0,3}:?\s{1,3}(?:issues?\s{1,3})?(?:${CLOSED.source}(?:\s{0,3},)?\s{0,3}(?:and\s{1,3})?)+`,
  "giu",
);
const LONGEST_SHOWN = 120;

/** Most texts have none of these. */
const HINT = /[@＠<{%$*]|\[[~[]|^[\t ]*[/!=+-]|[\t,;|"][ \t]*=|u\/|#\d|GH-\d/imu;
const NOTHING: LiveText = { handles: [], crowds: [], blanks: [], closed: [] };

/** Takes time linear in the text. */
export const readLiveText = remembered((text: string): LiveText => {
  if (!HINT.test(text)) return NOTHING;
  const plain = text.includes("`") ? text.replaceAll(CODE, " ") : text;
  const names = [...plain.matchAll(HANDLE), ...plain.matchAll(MARKED), ...plain.matchAll(OTHER_HANDLES)].map(
    ([, ...found]) => found.find((name) => name !== undefined) ?? "",
  );
  const isCrowd = (name: string): boolean => CROWDS.has(name.toLowerCase());
  const blanks = [
    ...(/[{%$*]/.test(text) ? BLANKS.flatMap((pattern) => text.match(pattern) ?? []) : []),
    ...OUTSIDE_CODE.flatMap((pattern) => plain.match(pattern) ?? []),
  ].map((blank) => blank.trim());
  return {
    handles: unique(names.filter((name) => !isCrowd(name))),
    crowds: unique(names.filter(isCrowd).map((name) => `@${name}`)),
    closed: unique(
      (plain.match(CLOSES) ?? []).flatMap((found) =>
        Array.from(found.matchAll(CLOSED), ([, id]) => `#${id}`),
      ),
    ),
    blanks: unique([...blanks, ...(FORMULA.test(text) ? [text.trim().slice(0, LONGEST_SHOWN)] : [])]),
  };
});

function unique(all: readonly string[]): readonly string[] {
  return [...new Set(all)];
}
