import type { HttpClient } from "./http-client.ts";
import type { Ledger } from "./ledger.ts";
import type { Random } from "./random.ts";

/**
 * Reads an event stream to its end over connections that are cut at random, each resumed at the last cursor.
 * Gives what stands at cursors: of what has none, one may be told twice or not at all. `hear` is told of all.
 */
export async function readInPieces(
  { http, ledger, random }: { readonly http: HttpClient; readonly ledger: Ledger; readonly random: Random },
  path: string,
  hear: (data: string) => Promise<void> = async () => undefined,
): Promise<readonly string[]> {
  const told: string[] = [];
  let lastEventId: string | undefined;
  for (;;) {
    let left = 1 + random.below(12);
    /** Blocks since the last cursor: they come again after a cut. */
    let group: string[] = [];
    let isCut = false;
    for await (const { id, data } of http.events(path, { lastEventId })) {
      await hear(data);
      group.push(data);
      if (id !== undefined) {
        lastEventId = id;
        told.push(...group.filter((block) => !isPassing(block)));
        group = [];
      }
      left -= 1;
      isCut = left === 0;
      if (isCut) break;
    }
    if (!isCut) return told;
    ledger.cuts += 1;
  }
}

/** Deltas, which have no place in the log. */
function isPassing(data: string): boolean {
  return (JSON.parse(data) as { seq?: number | null }).seq === null;
}
