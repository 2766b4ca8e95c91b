/** The content of HEARTBEAT.md. */
export interface HeartbeatFile {
  /** The text that the agent gets, without comments. Empty when the file asks for nothing. */
  readonly text: string;
  /** The lines that can be checked without a model. */
  readonly checks: readonly Check[];
  /** `checks`: the file holds only checks, so a model is asked only when one of them has news. */
  readonly asks: "nothing" | "checks" | "a model";
}

/** Something that can be checked without a model: the same state means that nothing has happened. */
export type Check =
  | { readonly kind: "file"; readonly path: string; readonly line: string }
  | { readonly kind: "hook"; readonly hook: string; readonly line: string }
  /** `any`: whichever fails. */
  | { readonly kind: "task"; readonly task: string; readonly line: string };

const COMMENT = /<!--[^]*?(?:-->|$)/g;
/** A heading, the edge of a code block, a rule: these ask for nothing. */
const NO_REQUEST = /^(?:#{1,6}(?:\s|$)|```|~~~|(?:[-*_]\s*){3,}$)/;
const LIST_MARK = /^(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/;

export function readHeartbeatFile(source: string): HeartbeatFile {
  const text = source.replaceAll(COMMENT, "").trim();
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !NO_REQUEST.test(line))
    .map((line) => line.replace(LIST_MARK, ""));
  if (lines.length === 0) return { text: "", checks: [], asks: "nothing" };
  const checks = lines.flatMap((line) => readCheck(line) ?? []);
  return { text, checks, asks: checks.length === lines.length ? "checks" : "a model" };
}

/** `file PATH changed`, `hook NAME reported`, `task ID failed`; names may stand in backticks. */
function readCheck(line: string): Check | undefined {
  const [, kind, quoted, plain, what] =
    /^(file|hook|task)\s+(?:`([^`]+)`|(\S.*?))\s+(changed|reported|failed)\.?$/i.exec(line) ?? [];
  const name = quoted ?? plain;
  if (kind === undefined || name === undefined || what === undefined) return undefined;
  switch (`${kind} ${what}`.toLowerCase()) {
    case "file changed":
      return { kind: "file", path: name, line };
    case "hook reported":
      return { kind: "hook", hook: name, line };
    case "task failed":
      return { kind: "task", task: name, line };
    default:
      return undefined;
  }
}
