import type { CommandRun, ExternalCommand } from "@deputy/shell";
import { FileSystemError } from "@deputy/vfs";
import type { HostAnswer, HostNetwork } from "../host-network.ts";
import { type CurlOrder, readCurlOrder } from "./curl-order.ts";

const HELP = `curl: asks addresses over http and https, where the settings allow it (tools.shell.hosts).
Usage: curl [options] URL…
  -X METHOD  -H HEADER  -d DATA|@FILE|@-  --data-raw|--data-binary|--data-urlencode|--json DATA  -G
  -o FILE  -O  -I  -i  -L  -f  --fail-with-body  -s  -S  -D FILE  -w FORMAT  -m SECONDS  -A AGENT  -u USER:PASSWORD
`;

/** What curl's exit codes mean, as far as they occur here. */
const EXIT = {
  usage: 2,
  url: 3,
  connect: 7,
  http: 22,
  write: 23,
  read: 26,
  timeout: 28,
  received: 56,
} as const;

/** `curl`: no address is asked but through `network`. */
export function createCurl(network: HostNetwork): ExternalCommand {
  return {
    path: "/usr/bin/curl",
    async run(run) {
      const order = readCurlOrder(run.argv.slice(1));
      if ("wrong" in order) return await fail(run, EXIT.usage, order.wrong);
      if (order.help !== undefined) {
        await run.stdout.write(
          encode(order.help === "help" ? HELP : "curl (Deputy)\nProtocols: http https\n"),
        );
        return 0;
      }
      if (order.urls.length === 0) return await fail(run, EXIT.usage, "no URL specified");
      try {
        const data = await readData(order, run);
        let exitCode = 0;
        for (const url of order.urls) exitCode = await askOne(network, url, order, data, run);
        return exitCode;
      } catch (error) {
        if (error instanceof FileSystemError)
          return await fail(run, EXIT.read, `Failed to open a file: ${error.message}`);
        throw error;
      }
    },
  };
}

async function askOne(
  network: HostNetwork,
  text: string,
  order: CurlOrder,
  data: Uint8Array<ArrayBuffer> | undefined,
  run: CommandRun,
): Promise<number> {
  const told = (code: number, message: string): Promise<number> =>
    order.silent && !order.showError ? Promise.resolve(code) : fail(run, code, `(${code}) ${message}`);
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (url === null) return await told(EXIT.url, "URL rejected: Malformed input to a URL function");
  const headers = [...order.headers];
  let body = data;
  if (order.get && data !== undefined) {
    url.search = [url.search.replace(/^\?/, ""), decode(data)].filter((part) => part !== "").join("&");
    body = undefined;
  }
  if (body !== undefined && !headers.some(([name]) => name.toLowerCase() === "content-type"))
    headers.push(["content-type", "application/x-www-form-urlencoded"]);
  const method = order.method ?? (order.head ? "HEAD" : body === undefined ? "GET" : "POST");
  const hurry = order.maxSeconds === undefined ? [] : [AbortSignal.timeout(order.maxSeconds * 1_000)];
  let answer: HostAnswer;
  try {
    answer = await network(
      { method, url: url.href, headers, body, redirects: order.follow ? "follow" : "show" },
      AbortSignal.any([run.signal, ...hurry]),
    );
  } catch (error) {
    if (run.signal.aborted || !hurry.some(({ aborted }) => aborted)) throw error;
    return await told(EXIT.timeout, `Operation timed out after ${order.maxSeconds ?? 0} seconds`);
  }
  if (answer.kind === "failed") {
    const code =
      answer.code === "request_invalid"
        ? EXIT.url
        : answer.code.startsWith("response_")
          ? EXIT.received
          : EXIT.connect;
    return await told(code, answer.message);
  }
  const failed = order.failing !== "never" && answer.status >= 400;
  const head = encode(headOf(answer));
  const shown = failed && order.failing === "silently" ? [] : [answer.body];
  const showsHead = order.include || order.head;
  const output = joinBytes([...(showsHead ? [head] : []), ...(order.head ? [] : shown)]);
  const name = order.output ?? (order.remoteName ? remoteName(url) : undefined);
  if (order.remoteName && order.output === undefined && name === "")
    return await told(EXIT.write, "Remote file name has no length");
  try {
    if (order.dumpHeader !== undefined) await put(order.dumpHeader, head, run);
    await put(name ?? "-", output, run);
  } catch (error) {
    if (error instanceof FileSystemError)
      return await told(EXIT.write, `Failure writing output: ${error.message}`);
    throw error;
  }
  if (order.writeOut !== "") await run.stdout.write(encode(writeOut(order.writeOut, answer, url)));
  return failed ? await told(EXIT.http, `The requested URL returned error: ${answer.status}`) : 0;
}

async function put(name: string, bytes: Uint8Array, run: CommandRun): Promise<void> {
  if (name === "-") return void (bytes.length > 0 && (await run.stdout.write(bytes)));
  run.fileSystem.writeFile(pathOf(name, run), bytes);
}

const headOf = ({ status, statusText, headers }: Extract<HostAnswer, { kind: "answer" }>): string =>
  [
    `HTTP/1.1 ${status} ${statusText}`.trimEnd(),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    "",
    "",
  ].join("\r\n");

function writeOut(format: string, answer: Extract<HostAnswer, { kind: "answer" }>, url: URL): string {
  const type = answer.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const values: Readonly<Record<string, string>> = {
    http_code: String(answer.status).padStart(3, "0"),
    response_code: String(answer.status).padStart(3, "0"),
    content_type: type ?? "",
    size_download: String(answer.body.length),
    url: url.href,
    url_effective: url.href,
  };
  return format
    .replaceAll(/%\{(\w+)\}/g, (_, name: string) => values[name] ?? "")
    .replaceAll(/\\([nrt\\])/g, (_, letter: string) => ({ n: "\n", r: "\r", t: "\t" })[letter] ?? "\\")
    .replaceAll("%%", "%");
}

/** The body: pieces joined by `&`, `@name` for what a file has, `@-` for the input. */
async function readData(order: CurlOrder, run: CommandRun): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (order.data.length === 0) return undefined;
  const pieces: Uint8Array[] = [];
  for (const { text, how } of order.data) {
    if (pieces.length > 0) pieces.push(encode("&"));
    if (how === "encode") {
      const [, name = "", kind = "", value = ""] = /^([^=@]*)([=@]?)(.*)$/s.exec(text) ?? [];
      const content = kind === "@" ? decode(await readNamed(value, run)) : kind === "=" ? value : name;
      const label = kind !== "" && name !== "" ? `${name}=` : "";
      pieces.push(encode(`${label}${encodeURIComponent(content)}`));
    } else if (how === "raw" || !text.startsWith("@")) pieces.push(encode(text));
    else {
      const bytes = await readNamed(text.slice(1), run);
      pieces.push(how === "binary" ? bytes : bytes.filter((byte) => byte !== 10 && byte !== 13));
    }
  }
  return joinBytes(pieces);
}

async function readNamed(name: string, run: CommandRun): Promise<Uint8Array> {
  if (name !== "-") return run.fileSystem.readFile(pathOf(name, run));
  const chunks: Uint8Array[] = [];
  for (;;) {
    const chunk = await run.stdin.read(65_536);
    if (chunk.length === 0) return joinBytes(chunks);
    chunks.push(chunk.slice());
  }
}

function pathOf(name: string, { cwd }: CommandRun): string {
  return name.startsWith("/") ? name : `${cwd === "/" ? "" : cwd}/${name}`;
}

function remoteName({ pathname }: URL): string {
  const last = pathname.split("/").at(-1) ?? "";
  return last === "." || last === ".." ? "" : last;
}

async function fail(run: CommandRun, code: number, message: string): Promise<number> {
  await run.stderr.write(encode(`curl: ${message}\n`));
  return code;
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
