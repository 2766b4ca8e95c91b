/** What a command line of curl asks for. */
export interface CurlOrder {
  urls: string[];
  method: string | undefined;
  headers: [string, string][];
  /** Each piece of the body, in order. */
  data: { readonly text: string; readonly how: "trim" | "raw" | "binary" | "encode" }[];
  /** Put the data into the address. */
  get: boolean;
  head: boolean;
  include: boolean;
  follow: boolean;
  failing: "never" | "silently" | "with-body";
  /** Messages about failures. */
  silent: boolean;
  showError: boolean;
  output: string | undefined;
  remoteName: boolean;
  writeOut: string;
  maxSeconds: number | undefined;
  dumpHeader: string | undefined;
  help: "help" | "version" | undefined;
}

const VALUED: Readonly<Record<string, (order: CurlOrder, value: string) => void>> = {
  request: (order, value) => void (order.method = value),
  header: (order, value) => addHeader(order, value),
  data: (order, text) => void order.data.push({ text, how: "trim" }),
  "data-ascii": (order, text) => void order.data.push({ text, how: "trim" }),
  "data-raw": (order, text) => void order.data.push({ text, how: "raw" }),
  "data-binary": (order, text) => void order.data.push({ text, how: "binary" }),
  "data-urlencode": (order, text) => void order.data.push({ text, how: "encode" }),
  json(order, text) {
    order.data.push({ text, how: "binary" });
    order.headers.push(["content-type", "application/json"], ["accept", "application/json"]);
  },
  output: (order, value) => void (order.output = value),
  "user-agent": (order, value) => void order.headers.push(["user-agent", value]),
  referer: (order, value) => void order.headers.push(["referer", value]),
  user: (order, value) => void order.headers.push(["authorization", `Basic ${toBase64(value)}`]),
  "oauth2-bearer": (order, value) => void order.headers.push(["authorization", `Bearer ${value}`]),
  "write-out": (order, value) => void (order.writeOut = value),
  "max-time": (order, value) => void (order.maxSeconds = Number(value)),
  "dump-header": (order, value) => void (order.dumpHeader = value),
  url: (order, value) => void order.urls.push(value),
  // The network has limits of its own.
  "connect-timeout": () => undefined,
  "max-redirs": () => undefined,
  retry: () => undefined,
};

const PLAIN: Readonly<Record<string, (order: CurlOrder) => void>> = {
  get: (order) => void (order.get = true),
  head: (order) => void (order.head = true),
  include: (order) => void (order.include = true),
  location: (order) => void (order.follow = true),
  fail: (order) => void (order.failing = "silently"),
  "fail-with-body": (order) => void (order.failing = "with-body"),
  silent: (order) => void (order.silent = true),
  "show-error": (order) => void (order.showError = true),
  "remote-name": (order) => void (order.remoteName = true),
  help: (order) => void (order.help = "help"),
  version: (order) => void (order.help = "version"),
  compressed: () => undefined,
  "no-progress-meter": () => undefined,
  "progress-bar": () => undefined,
  "no-buffer": () => undefined,
  globoff: () => undefined,
};

const LETTERS: Readonly<Record<string, string>> = {
  X: "request",
  H: "header",
  d: "data",
  o: "output",
  A: "user-agent",
  e: "referer",
  u: "user",
  w: "write-out",
  m: "max-time",
  D: "dump-header",
  G: "get",
  I: "head",
  i: "include",
  L: "location",
  f: "fail",
  s: "silent",
  S: "show-error",
  O: "remote-name",
  h: "help",
  V: "version",
  N: "no-buffer",
  g: "globoff",
  "#": "progress-bar",
};

/** A command line, or what is wrong with it. */
export function readCurlOrder(words: readonly string[]): CurlOrder | { readonly wrong: string } {
  const order: CurlOrder = {
    urls: [],
    method: undefined,
    headers: [],
    data: [],
    get: false,
    head: false,
    include: false,
    follow: false,
    failing: "never",
    silent: false,
    showError: false,
    output: undefined,
    remoteName: false,
    writeOut: "",
    maxSeconds: undefined,
    dumpHeader: undefined,
    help: undefined,
  };
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "-" || !word.startsWith("-")) {
      order.urls.push(word);
      continue;
    }
    // Several letters may stand together; the value of one may follow at once.
    const long = word.startsWith("--");
    for (let at = 1; at < (long ? 2 : word.length); at += 1) {
      const name = long ? word.slice(2) : (LETTERS[word[at] ?? ""] ?? "");
      const shown = long ? word : `-${word[at] ?? ""}`;
      if (Object.hasOwn(PLAIN, name)) {
        PLAIN[name]?.(order);
        continue;
      }
      if (!Object.hasOwn(VALUED, name)) return { wrong: `option ${shown}: is unknown` };
      const behind = long ? "" : word.slice(at + 1);
      const value = behind === "" ? rest.shift() : behind;
      if (value === undefined) return { wrong: `option ${shown}: requires parameter` };
      VALUED[name]?.(order, value);
      break;
    }
  }
  return order;
}

/** `Name: value`, or `Name;` for one without a value. */
function addHeader(order: CurlOrder, text: string): void {
  const colon = text.indexOf(":");
  if (colon > 0) order.headers.push([text.slice(0, colon).trim(), text.slice(colon + 1).trim()]);
  else if (text.endsWith(";")) order.headers.push([text.slice(0, -1).trim(), ""]);
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
