import { readDailyCursor, dailyFiles, daysWithFile, nameOf } from "../daily/daily-files.ts";
import { type DailyLine, decodeLine, lineHolds } from "../daily/daily-line.ts";
import { readLines } from "../daily/read-lines.ts";

/** A line of the daily files that matches its own hashes. */
export interface FoundLine {
  readonly line: DailyLine;
  /** `contradicted`: the line below it, or the cursor, names another line in its place. */
  readonly standing: "sound" | "contradicted";
}

/** A line that proves nothing. */
export interface RefusedLine {
  /** The file's name in the home. */
  readonly file: string;
  readonly number: number;
}

/**
 * Every valid line of a home's daily files, file by file. `refused` is called for invalid lines, but not for
 * a torn last line, which was never finished. Files that the system refuses to read are reported the same
 * way.
 */
export async function* readDailyEvents(
  home: string,
  refused: (line: RefusedLine) => void,
): AsyncGenerator<FoundLine> {
  const files = dailyFiles(home);
  const reading = await readDailyCursor(files.cursor).catch(() => ({ kind: "unreadable" }) as const);
  const cursor = reading.kind === "found" ? reading.cursor : undefined;
  for (const day of daysWithFile(files)) {
    const file = `daily/${nameOf(day)}`;
    let above: DailyLine | undefined;
    let synced: string | undefined;
    const take = (below: DailyLine | undefined): FoundLine[] => {
      if (above === undefined) return [];
      const named = [synced, below?.before].filter((line) => line !== undefined);
      const isContradicted = named.length > 0 && !named.includes(above.line);
      return [{ line: above, standing: isContradicted ? "contradicted" : "sound" }];
    };
    try {
      for await (const one of readLines(files.pathOf(day))) {
        const read = one.text === undefined ? undefined : decodeLine(one.text);
        const line = read !== undefined && lineHolds(read) ? read : undefined;
        if (line === undefined && one.end === "complete") refused({ file, number: one.number });
        if (line === undefined && one.end === "torn") break;
        yield* take(line);
        above = line;
        const end = one.offset + one.bytes + 1;
        synced = cursor?.day === day && cursor.bytes === end ? cursor.line : undefined;
      }
    } catch {
      refused({ file, number: 0 });
    }
    yield* take(undefined);
  }
}
