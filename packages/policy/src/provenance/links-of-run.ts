import { isTopLevelDomain } from "./top-level-domains.ts";

/** A part of a text. */
export interface Found {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Top-level domains that files and fields are called by more often: links only with a path, or after `www`. */
const ALSO_FILES: ReadonlySet<string> = new Set("md pl ps py rs sh so tf".split(" "));
/** A host that ends so is the name of a file, whatever stands before: `index.de.html`. */
const ONLY_FILES: ReadonlySet<string> = new Set(
  `c cfg conf cpp cs css csv doc docx env eml exe gif go gz h htm html ics ini jar java jpeg jpg js json jsx kt lock log
mjs mp3 mp4 odt pdf php png ppt pptx rb rtf scss sql svg tar toml ts tsx txt vcf vue wav webp xls xlsx xml yaml
yml`.split(/\s+/),
);
/** What programs begin with: `this.name`, `document.links`. */
const RECEIVERS: ReadonlySet<string> = new Set(
  "this self window document console process module exports".split(" "),
);
const PARTS = /^([^:/?#]*)(:\d+)?([/?#].*)?$/su;

/** The link in a run of labels and points, with what follows it; none where it names a file, or is just two words. */
export function linksOfRun({ value, start }: Found): readonly Found[] {
  const [, run = "", port = "", path = ""] = PARTS.exec(value) ?? [];
  const found: Found[] = [];
  let at = start;
  const hosts = run.split(/(\.{2,})/);
  for (const [n, host] of hosts.entries()) {
    const isLast = n === hosts.length - 1;
    const link = linkOf(host.replace(/^\./, ""), isLast ? port : "", isLast ? path : "");
    if (link !== undefined) found.push({ value: link, start: at, end: at + host.length });
    at += host.length;
  }
  const last = found.at(-1);
  if (last !== undefined && last.end === start + run.length)
    found.splice(-1, 1, { ...last, end: start + value.length });
  return found;
}

function linkOf(host: string, port: string, path: string): string | undefined {
  const labels = host.replace(/\.$/, "").split(".");
  const lower = labels.map((label) => label.toLowerCase());
  const last = lower.length - 1;
  if (last < 1 || lower.includes("")) return undefined;
  const whole = labels.join(".") + port + path;
  if (lower[0] === "www" || isIpAddress(lower)) return whole;
  if (RECEIVERS.has(lower[0] ?? "") || ONLY_FILES.has(lower[last] ?? "")) return undefined;
  if (isDomain(lower[last] ?? "", path)) return whole;
  // A sentence may begin right after it: `evil.org.Then`.
  const end = lower.findLastIndex((label, at) => at > 0 && isDomain(label, ""));
  return end === -1 ? undefined : labels.slice(0, end + 1).join(".");
}

function isDomain(label: string, path: string): boolean {
  return isTopLevelDomain(label) && (!ALSO_FILES.has(label) || /^(?:\/|\?.)/s.test(path));
}

function isIpAddress(labels: readonly string[]): boolean {
  return labels.length === 4 && labels.every((label) => /^\d{1,3}$/.test(label) && Number(label) <= 255);
}
