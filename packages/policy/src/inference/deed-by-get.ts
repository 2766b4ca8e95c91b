import { splitWords } from "./split-words.ts";

/** Verbs that are seldom anything else. A run, an order, a release or a post are mostly things that one looks at. */
const DEEDS: ReadonlySet<string> = new Set(
  "delete remove destroy purge erase wipe send revoke cancel terminate kill transfer unsubscribe logout reset".split(
    " ",
  ),
);

/**
 * True if a GET operation clearly says that it does more than read: GET is safe by the standard, but some
 * APIs delete by it. Only what a name or a sentence begins with counts: `getWorkflowRun` gets.
 */
export function isDeedByGet(path: string, description: string): boolean {
  const [last = ""] = path.split(".").slice(-1);
  return [splitWords(last)[0], splitWords(description)[0]].some(
    (word) => word !== undefined && DEEDS.has(word),
  );
}
