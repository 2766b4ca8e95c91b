import { type Draw, drawChars } from "../tokens/vendor-formats.fixture.ts";

/**
 * Secrets that only their place and their name give away, made by construction: a syntax, a name for secrets in the
 * syntax's style, and a value of some alphabet and length that the syntax can hold without an escape.
 */
export interface NamedValue {
  readonly text: string;
  readonly secret: string;
  /** The syntax and the kind of value, so that misses can be counted by kind. */
  readonly syntax: string;
  readonly kind: ValueKind;
}

export type ValueKind = (typeof VALUE_KINDS)[number];
export const VALUE_KINDS = [
  "mixed",
  "signs",
  "letters",
  "joined",
  "word",
  "hex",
  "digits",
  "base64",
  "accents",
  "phrase",
] as const;

const WORDS =
  "hunter dragon sunshine monkey falcon butterfly thunder marigold pepper orchid winter bicycle velvet granite lobster".split(
    " ",
  );

/** Names for secrets, word by word. The first of a pair may stand before a name. */
const OWNERS = "db smtp admin root app mysql ftp ldap redis backup wifi".split(" ");
const NAMES =
  "password|passwd|pwd|passphrase|secret|client secret|api key|access token|auth token|secret key|api token|private key|refresh token|user password|signing secret|encryption key|api secret|login password|session secret|master key|pass".split(
    "|",
  );

/** What a password, a key for an interface and a token are called elsewhere. */
const ELSEWHERE =
  "Passwort|Kennwort|API-Schlüssel|Zugangsdaten|mot de passe|Clé API|jeton d'accès|contraseña|clave de API|clave secreta|senha|chave de API|palavra-passe|chiave API|parola d'ordine|wachtwoord|API-sleutel|hasło|klucz API|parolă|lösenord|API-nyckel|heslo|jelszó|κωδικός πρόσβασης|salasana|adgangskode|пароль|ключ API|токен|密码|密碼|API密钥|令牌|パスワード|APIキー|トークン|비밀번호|API 키|암호".split(
    "|",
  );

const SIGNS = "!@#$%^&*()_+-=[]{}|;:,.<>/?~";
const BARE = " '\"`\\";
/** What a shell would act on in a bare word. */
const SHELL = `${BARE}$&|;<>(){}[]*?!#~^`;
const DOUBLE = '"\\$`';
const SINGLE = "'\\";
const MARKUP = "<>&\"'`\\";

type Style = "SNAKE" | "snake" | "camel" | "Pascal" | "kebab" | "Header" | "words" | "elsewhere" | "none";

/** A style of names, the signs that a value cannot hold there, and the text: `{n}` is the name, `{v}` the value. */
type Syntax = readonly [style: Style, without: string, ...texts: string[]];

const SYNTAXES: readonly Syntax[] = [
  // Environments
  ["SNAKE", BARE, "{n}={v}", "PORT=8080\n{n}={v}\nDEBUG=1\n", "set {n}={v}", "ENV {n}={v}"],
  [
    "SNAKE",
    SHELL,
    "export {n}={v}",
    "{n}={v} npm start",
    "docker run -e {n}={v} app",
    "setenv {n} {v}",
    "env {n}={v} make",
  ],
  [
    "SNAKE",
    DOUBLE,
    '{n}="{v}"',
    'export {n}="{v}"',
    '$env:{n} = "{v}"',
    'setx {n} "{v}"',
    'set -x {n} "{v}"',
    'ENV {n} "{v}"',
  ],
  [
    "SNAKE",
    SINGLE,
    "{n}='{v}'",
    "export {n}='{v}'; run",
    "--env {n}='{v}'",
    "fly secrets set {n}='{v}'",
    "heroku config:set {n}='{v}'",
  ],
  ["SNAKE", SHELL, "${{n}:-{v}}", ': "${{n}:={v}}"', "SetEnv {n} {v}", "ARG {n}={v}"],
  [
    "SNAKE",
    DOUBLE,
    '- name: {n}\n  value: "{v}"',
    '{"name":"{n}","value":"{v}"}',
    '{"Key":"{n}","Value":"{v}"}',
  ],
  // YAML, TOML, INI, properties
  [
    "snake",
    `${BARE}#:{}[],&*!|>%@`,
    "{n}: {v}",
    "db:\n  user: bob\n  {n}: {v}\n  port: 1\n",
    "- {n}: {v}",
    "{n}: {v} # rotate",
  ],
  ["camel", DOUBLE, '{n}: "{v}"', 'a: 1\n{n}: "{v}"\nb: 2'],
  ["kebab", SINGLE, "{n}: '{v}'", "{{n}: '{v}', x: 1}"],
  ["snake", `${BARE}:`, "{n}: >-\n  {v}\n", "{n}: |\n  {v}\n"],
  ["snake", DOUBLE, '{n} = "{v}"', '[db]\n{n} = "{v}"\nport = 1', '{n} = """{v}"""'],
  ["snake", SINGLE, "{n} = '{v}'"],
  ["snake", `${BARE};#`, "{n} = {v}", "[client]\nuser=x\n{n}={v}\n", "spring.mail.{n}={v}", "{n} {v}"],
  // JSON
  [
    "camel",
    DOUBLE,
    '"{n}": "{v}"',
    '{"user":"bob","{n}":"{v}","x":1}',
    '{\\"{n}\\":\\"{v}\\"}',
    '{\n  "{n}" : "{v}"\n}',
  ],
  ["snake", SINGLE, "{'{n}': '{v}'}", "{ {n}: '{v}' }"],
  // XML and HTML
  [
    "camel",
    MARKUP,
    "<{n}>{v}</{n}>",
    '<user name="x" {n}="{v}"/>',
    "<{n}><![CDATA[{v}]]></{n}>",
    "<x {n}='{v}' />",
  ],
  [
    "Pascal",
    MARKUP,
    '<add key="{n}" value="{v}" />',
    '<property name="{n}" value="{v}"/>',
    '<property name="{n}">{v}</property>',
  ],
  [
    "camel",
    MARKUP,
    "<key>{n}</key>\n<string>{v}</string>",
    '<entry key="{n}">{v}</entry>',
    '<input name="{n}" value="{v}">',
    '<input type="password" value="{v}">',
    '<div data-{n}="{v}">',
  ],
  // Headers, addresses, forms
  ["Header", `${BARE};,`, "X-{n}: {v}", "GET / HTTP/1.1\nX-{n}: {v}\n\n"],
  ["Header", DOUBLE, 'curl -H "X-{n}: {v}" https://x.example'],
  [
    "snake",
    " !#$%^&*()+=[]{}|;:,<>/?@'\"`\\~",
    "https://x.example/a?{n}={v}&b=1",
    "user=bob&{n}={v}",
    "wss://x.example/?a=1&{n}={v}",
  ],
  ["kebab", `${BARE};,`, "Set-Cookie: {n}={v}; Path=/"],
  // Tables
  [
    "words",
    `${BARE}|`,
    "| {n} | {v} |",
    "| Field | Value |\n|---|---|\n| User | bob |\n| {n} | {v} |",
    "| User | {n} |\n|---|---|\n| bob | {v} |",
    "| {n} | `{v}` |",
  ],
  [
    "snake",
    `${BARE},;|`,
    "user,{n}\nbob,{v}\n",
    "id;user;{n}\n1;bob;{v}\n",
    "user\t{n}\nbob\t{v}\n",
    "{n},url\n{v},https://x.example\n",
  ],
  ["snake", DOUBLE, '"user","{n}"\n"bob","{v}"\n'],
  [
    "words",
    `${BARE}*_`,
    "**{n}:** {v}",
    "- **{n}**: `{v}`",
    "* {n}: {v}",
    "`{n}`: `{v}`",
    "{n}: `{v}`",
    "{n} → {v}",
  ],
  // Options
  ["kebab", SHELL, "tool --{n} {v}", "tool --{n}={v} run", "tool -{n} {v}", "tool /{n}:{v}"],
  ["kebab", SINGLE, "tool --{n} '{v}'", "tool --{n}='{v}' x"],
  ["kebab", DOUBLE, 'tool --{n} "{v}"'],
  // Programs
  [
    "camel",
    DOUBLE,
    'const {n} = "{v}";',
    'let {n}: string = "{v}";',
    '{n} := "{v}"',
    'String {n} = "{v}";',
    'this.{n} = "{v}"',
    'val {n} = "{v}"',
    'const {n} string = "{v}"',
    'f({n}="{v}")',
  ],
  [
    "camel",
    SINGLE,
    "const x = { user: 'bob', {n}: '{v}' };",
    "$this->{n} = '{v}';",
    "config.{n} = '{v}'",
    "const {n} = `{v}`;",
  ],
  [
    "snake",
    SINGLE,
    "{n} = '{v}'",
    "'{n}' => '{v}',",
    ":{n} => '{v}'",
    "{n}: str = '{v}'",
    "config['{n}'] = '{v}'",
    "${n} = '{v}';",
  ],
  [
    "SNAKE",
    DOUBLE,
    '#define {n} "{v}"',
    'os.environ["{n}"] = "{v}"',
    'process.env.{n} = "{v}"',
    'define("{n}", "{v}");',
    'os.Setenv("{n}", "{v}")',
    'public static final String {n} = "{v}";',
    'const {n}: &str = "{v}";',
  ],
  [
    "snake",
    DOUBLE,
    '{n} <- "{v}"',
    '(setq {n} "{v}")',
    '{:{n} "{v}"}',
    '{{n}, "{v}"}',
    'let {n} = "{v}";',
    'variable "{n}" {\n  default = "{v}"\n}',
  ],
  [
    "Pascal",
    DOUBLE,
    'set{n}("{v}")',
    'client.Set{n}("{v}");',
    'Dim {n} As String = "{v}"',
    'with{n}("{v}")',
    'public string {n} { get; set; } = "{v}";',
  ],
  ["Pascal", `${BARE};`, "Server=x;User Id=sa;{n}={v};Database=y", "Data Source=x;{n}={v}"],
  // Sentences, logs
  [
    "words",
    `${BARE},;.`,
    "the {n} is {v}",
    "My {n} is: {v}",
    "{n}: {v}",
    "Your new {n} is {v}\n",
    "use {n} {v} to log in",
  ],
  ["words", `${BARE},;.`, "[info] {n}={v} user=bob", "{n} = {v}", "{n} - {v}"],
  // Elsewhere
  ["elsewhere", `${BARE},;`, "{n}: {v}", "{n} = {v}", "{n}:{v}", "| {n} | {v} |", "**{n}**: {v}"],
  ["elsewhere", DOUBLE, '{"{n}": "{v}"}', '{n}: "{v}"'],
  ["elsewhere", `${BARE},;`, "{n}：{v}"],
];

/** Each text of each syntax, with `each` names and values of every kind that fits. */
export function drawNamedValues(draw: Draw, each: number): readonly NamedValue[] {
  return SYNTAXES.flatMap(([style, without, ...texts]) =>
    texts.flatMap((text) =>
      VALUE_KINDS.filter((kind) => kind !== "phrase" || !without.includes(" ")).flatMap((kind) =>
        Array.from({ length: each }, () => {
          const secret = drawValue(kind, without, draw);
          const name = drawName(style, draw);
          return {
            text: text.replaceAll("{n}", () => name).replaceAll("{v}", () => secret),
            secret,
            syntax: text,
            kind,
          };
        }),
      ),
    ),
  );
}

function pick(list: readonly string[], draw: Draw): string {
  return list[draw(list.length)] ?? "";
}

function drawName(style: Style, draw: Draw): string {
  if (style === "elsewhere") return pick(ELSEWHERE, draw);
  const owner = draw(3) === 0 ? `${pick(OWNERS, draw)} ` : "";
  const words = `${owner}${pick(NAMES, draw)}`.split(" ");
  const upper = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
  const pascal = words.map(upper).join("");
  if (style === "SNAKE") return words.join("_").toUpperCase();
  if (style === "snake") return words.join("_");
  if (style === "kebab") return words.join("-");
  if (style === "Header") return words.map(upper).join("-");
  if (style === "Pascal") return pascal;
  if (style === "words") return draw(2) === 0 ? words.join(" ") : upper(words.join(" "));
  return pascal.slice(0, 1).toLowerCase() + pascal.slice(1);
}

export function drawValue(kind: ValueKind, without: string, draw: Draw): string {
  const can = (chars: string): string =>
    chars
      .split("")
      .filter((char) => !without.includes(char))
      .join("");
  const letter = (): string => drawChars("abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ", 1, draw);
  switch (kind) {
    case "mixed":
      return `${letter()}${drawChars("A", 6 + draw(24), draw)}${drawChars("d", 1, draw)}`;
    case "signs": {
      const signs = can(SIGNS) || "_";
      const sign = (): string => drawChars(signs, 1, draw);
      return `${letter()}${Array.from({ length: 4 + draw(6) }, () => letter() + sign()).join("")}${drawChars("d", draw(3), draw)}`;
    }
    case "letters":
      return drawChars("bcdfghjklmnpqrstvwxyz", 8 + draw(7), draw);
    case "joined":
      return [pick(WORDS, draw), pick(WORDS, draw), drawChars("d", 2, draw)].join(can("-_.").slice(0, 1));
    case "word":
      return pick(WORDS, draw);
    case "hex":
      return drawChars("h", [32, 40, 64][draw(3)] ?? 32, draw);
    case "digits":
      return `${1 + draw(9)}${drawChars("d", 5 + draw(7), draw)}`;
    case "base64":
      return `${letter()}${drawChars(`ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789${can("+/")}`, 22 + draw(20), draw)}${can("=")}`;
    case "accents":
      return `${pick(WORDS, draw).slice(0, 3)}${drawChars("äöüéèñçßøłşğжщ", 2, draw)}${drawChars("a", 4, draw)}${drawChars("d", 2, draw)}`;
    default:
      return Array.from({ length: 4 }, () => pick(WORDS, draw)).join(" ");
  }
}
