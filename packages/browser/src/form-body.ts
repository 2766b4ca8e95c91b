/** What a form sends, in order. */
export type FormEntries = readonly (readonly [name: string, value: string])[];

/** The body of a request, as a text with one character for each byte. */
export interface RequestBody {
  /** The `Content-Type` header. */
  readonly type: string;
  readonly bytes: string;
}

/** The entries of a body that a form could have sent; undefined for any other body. */
export function readFormBody({ type, bytes }: RequestBody, charset: string): FormEntries | undefined {
  const [kind = ""] = type.split(";");
  const decode = decoderOf(charset);
  if (kind === "application/x-www-form-urlencoded")
    return bytes
      .split("&")
      .filter((pair) => pair !== "")
      .map((pair) => {
        const at = pair.indexOf("=");
        const [name, value] = at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
        return [decode(unescaped(name)), decode(unescaped(value))] as const;
      });
  const boundary = /;\s*boundary="?(?<boundary>[^";]+)"?/i.exec(type)?.groups?.["boundary"];
  if (kind === "multipart/form-data" && boundary !== undefined) return readParts(bytes, boundary, decode);
  return undefined;
}

/** Are these the same entries? How a line ends does not count: browsers send one form of it. */
export function sameEntries(shown: FormEntries, sent: FormEntries): boolean {
  return shown.length === sent.length && differingNames(shown, sent).length === 0;
}

/** The names of the fields whose values differ, are missing or are new. */
export function differingNames(before: FormEntries, now: FormEntries): readonly string[] {
  const valuesOf = (entries: FormEntries, wanted: string): string =>
    JSON.stringify(entries.filter(([name]) => name === wanted).map(([, value]) => plainLines(value)));
  const names = new Set([...before, ...now].map(([name]) => name));
  return [...names].filter((name) => valuesOf(before, name) !== valuesOf(now, name));
}

function readParts(
  bytes: string,
  boundary: string,
  decode: (bytes: string) => string,
): FormEntries | undefined {
  const entries: (readonly [string, string])[] = [];
  const parts = `\r\n${bytes}`.split(`\r\n--${boundary}`).slice(1);
  if (parts.pop()?.startsWith("--") !== true) return undefined;
  for (const part of parts) {
    const end = part.indexOf("\r\n\r\n");
    const head = /^content-disposition: form-data; name="(?<name>[^"]*)"(?<file>; filename="")?\r?$/im;
    const found = end < 0 ? undefined : head.exec(part.slice(0, end + 1))?.groups;
    const value = part.slice(end + 4);
    // A form has no files; one that was not chosen is an empty part.
    if (found === undefined || (found["file"] !== undefined && value !== "")) return undefined;
    const name = (found["name"] ?? "").replaceAll("%22", '"').replaceAll("%0D%0A", "\n");
    entries.push([decode(name), decode(value)]);
  }
  return entries;
}

function unescaped(text: string): string {
  return text
    .replaceAll("+", " ")
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function decoderOf(charset: string): (bytes: string) => string {
  const decoder = new TextDecoder(charset);
  return (bytes) => decoder.decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
}

function plainLines(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}
