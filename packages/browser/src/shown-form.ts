/** Something on a page that sends when it is used: what the user is asked about, and what a yes is for. */
export interface ShownForm {
  /** The document it is in; another one at the same address is another. */
  readonly document: string;
  readonly url: string;
  /** The element that is clicked, or in which Enter is pressed, as a snapshot names it. */
  readonly element: string;
  /** Where the browser sends the form by itself. Undefined: a script of the page decides what is sent, and where. */
  readonly target: FormTarget | undefined;
  readonly fields: readonly ShownField[];
}

export interface FormTarget {
  readonly method: string;
  /** A whole address, without its fragment. */
  readonly action: string;
  /** The encoding of its characters. */
  readonly charset: string;
}

export interface ShownField {
  readonly name: string;
  readonly value: string;
  readonly look: "shown" | "hidden" | "secret";
}

export function entriesOf({ fields }: ShownForm): FormEntries {
  return fields.map(({ name, value }) => [name, value]);
}

/** What has changed, in fixed words; undefined when nothing has. */
export function whatChanged(before: ShownForm, now: ShownForm): string | undefined {
  const changes = [
    ...(before.document === now.document ? [] : ["another page is open"]),
    ...(before.url === now.url ? [] : ["the page's address is another"]),
    ...(before.element === now.element ? [] : ["the element is another"]),
    ...(sameTarget(before.target, now.target) ? [] : ["the form goes elsewhere"]),
    ...(sameFields(before, now) ? [] : ["the values are others"]),
  ];
  return changes.length === 0 ? undefined : changes.join(", ");
}

const MOST_NAMED = 5;

/** The fields that differ, by name. The names are the page's. */
export function changedFields(before: ShownForm, now: ShownForm): string {
  const names = differingNames(entriesOf(before), entriesOf(now));
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
  return names.length === 0 ? "" : ` (${names.slice(0, MOST_NAMED).join(", ")}${more})`;
}

/** What a yes to this very call depends on. */
export function circumstancesOfForm(form: ShownForm): string {
  return JSON.stringify(form);
}

/** What a yes for longer depends on: the same form with the same values, also after the page was opened anew. */
export function groundsOfForm({ url, element, target, fields }: ShownForm): string {
  const place = target ?? URL.parse(url)?.origin;
  return JSON.stringify({ site: URL.parse(url)?.origin, element, place, fields });
}

/** The form as lines of a card. */
export function linesOfForm({ url, target, fields }: ShownForm, sites: readonly string[]): readonly string[] {
  const goes =
    target === undefined
      ? `A script of the page decides what is sent and where: it may send anything to ${sites.join(", ")}.`
      : `Sends: ${target.method} ${target.action}`;
  const values = fields.map(({ name, value, look }) => {
    if (look === "secret") return `  ${name} = (${value.length} characters, not shown)`;
    return `  ${name}${look === "hidden" ? " (hidden)" : ""} = ${value}`;
  });
  return [`Page: ${url}`, goes, ...(values.length === 0 ? ["No values."] : ["Values:", ...values])];
}

function sameTarget(before: FormTarget | undefined, now: FormTarget | undefined): boolean {
  return before?.method === now?.method && before?.action === now?.action;
}

function sameFields(before: ShownForm, now: ShownForm): boolean {
  return JSON.stringify(before.fields) === JSON.stringify(now.fields);
}

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
function differingNames(before: FormEntries, now: FormEntries): readonly string[] {
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
