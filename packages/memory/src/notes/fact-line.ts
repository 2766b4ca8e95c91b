import { markLine } from "../text/told-by.ts";

/** A fact that an agent noted: one line of its daily notes. */
export interface Fact {
  readonly id: string;
  readonly text: string;
  /** When it was noted, as a timestamp. */
  readonly at: string;
  /** The session in which it was noted. */
  readonly source: string | undefined;
  /** Who said it, besides the user. */
  readonly toldBy: readonly string[];
  /** The fact that has taken its place. */
  readonly supersededBy?: string | undefined;
}

/** `- The plumber is Ivo. <!-- fact: id; 2026-11-17T14:05:00.000Z; ses_… --> <!-- told by: mail eve -->` */
export function formatFact({ id, text, at, source, toldBy, supersededBy }: Fact): string {
  const line = markLine(text, []);
  const shown = supersededBy === undefined ? line : `~~${line}~~ (superseded)`;
  const about = [id, at, ...(source === undefined ? [] : [source])];
  const taken = supersededBy === undefined ? [] : [`superseded_by ${supersededBy}`];
  const marked = `- ${shown} <!-- fact: ${[...about, ...taken].join("; ")} -->`;
  // The mark of who told it stands at the end of the line, where it counts.
  return toldBy.length === 0 ? marked : `${marked}${markLine("", toldBy)}`;
}

const FACT =
  /^- (?:~~(.*)~~ \(superseded\)|(.*?)) <!-- fact: ([^;>]+); ([^;>]+?)(?:; (ses_[^;>]+?))?(?:; superseded_by ([^;>]+?))? -->(?: ?<!-- told by: (.*?) -->)?\s*$/;

/** Undefined for a line that is no fact. */
export function parseFact(line: string): Fact | undefined {
  const match = FACT.exec(line);
  if (match === null) return undefined;
  const [, gone, text, id = "", at = "", source, supersededBy, toldBy] = match;
  return {
    id,
    text: gone ?? text ?? "",
    at,
    source,
    toldBy: toldBy === undefined ? [] : toldBy.split("; "),
    ...(supersededBy === undefined ? {} : { supersededBy }),
  };
}
