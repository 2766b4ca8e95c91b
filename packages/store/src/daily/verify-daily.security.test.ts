import { renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { message, messages, only } from "../sqlite/store.fixture.ts";
import { DAY_MS, FIRST_DAY, setUpDaily } from "./daily.fixture.ts";
import { decodeLine, encodeLine } from "./daily-line.ts";

const FILE = `${FIRST_DAY}.jsonl`;
const NEXT = "2026-03-02.jsonl";

/** Two days, of six lines and two. A finding is shown as its kind, file, line and the event's seq. */
async function setup() {
  const daily = setUpDaily();
  const store = await daily.start();
  await store.log.append("system", messages(6));
  await daily.clock.advance(DAY_MS);
  await store.log.append("system", messages(2, "next"));
  await store.close();
  const found = async (): Promise<unknown[]> =>
    (await daily.verify()).findings.map(({ kind, file, line, stream, seq }) => {
      if (seq !== undefined) expect(stream).toBe("system");
      return [kind, file.replace("daily/", ""), line, seq];
    });
  return { ...daily, found };
}

const swap = (lines: string[], a: number, b: number): string[] =>
  lines.with(a, lines[b] ?? "").with(b, lines[a] ?? "");

test("[S32] finds nothing in untouched files", async () => {
  expect(await (await setup()).found()).toEqual([]);
});

test.each<[string, (lines: string[]) => string[], unknown[]]>([
  ["an edited text", (all) => all.with(2, all[2]?.replace('"m3"', '"mX"') ?? ""), [["changed", FILE, 3, 3]]],
  ["an edited time", (all) => all.with(2, all[2]?.replace("T12:", "T11:") ?? ""), [["changed", FILE, 3, 3]]],
  [
    "an edited sender",
    (all) => all.with(5, all[5]?.replace('"sender":"ann"', '"sender":"eve"') ?? ""),
    [["changed", FILE, 6, 6]],
  ],
  ["a removed line", (all) => all.toSpliced(2, 1), [["missing", FILE, 3, 3]]],
  ["a removed first line", (all) => all.slice(1), [["missing", FILE, 1, 1]]],
  ["several removed lines", (all) => all.toSpliced(1, 3), [["missing", FILE, 2, 2]]],
  ["a removed end", (all) => all.slice(0, 4), [["missing", FILE, 5, 5]]],
  [
    "swapped lines",
    (all) => swap(all, 1, 2),
    [
      ["missing", FILE, 2, 2],
      ["order", FILE, 3, 2],
      ["order", FILE, 4, 4],
    ],
  ],
  ["a repeated line", (all) => all.toSpliced(3, 0, all[2] ?? ""), [["order", FILE, 4, 3]]],
  ["an invalid line", (all) => all.with(2, "{}"), [["unreadable", FILE, 3, 3]]],
  ["a line of NULs", (all) => all.with(2, "\0".repeat(500)), [["unreadable", FILE, 3, 3]]],
  ["no line at all", () => [], [["missing", FILE, undefined, 1]]],
])("[S32] finds and names: %s", async (_name, change, expected) => {
  const { rewrite, found } = await setup();
  rewrite(FILE, change);
  expect((await found()).slice(0, expected.length)).toEqual(expected);
});

test("[S32] finds and names a file that is gone, and one whose last line was cut", async () => {
  const { home, found, verify } = await setup();
  rmSync(home.path(`daily/${FILE}`));
  expect(await found()).toEqual([["missing", FILE, undefined, 1]]);
  expect((await verify()).findings[0]?.message).toBe(
    "the file is gone: event 1 of system (user.message) and 5 more after it are missing",
  );
  truncateSync(home.path(`daily/${NEXT}`), home.bytes(`daily/${NEXT}`).length - 10);
  expect((await found()).at(-1)).toEqual(["unreadable", NEXT, 2, 8]);
});

test("[S32] finds and names days whose files were swapped", async () => {
  const { home, found } = await setup();
  renameSync(home.path(`daily/${FILE}`), home.path("daily/x"));
  renameSync(home.path(`daily/${NEXT}`), home.path(`daily/${FILE}`));
  renameSync(home.path("daily/x"), home.path(`daily/${NEXT}`));
  const kinds = await found();
  expect(kinds).toContainEqual(["missing", FILE, 1, 1]);
  expect(kinds).toContainEqual(["extra", FILE, 1, 7]);
  expect(kinds).toContainEqual(["extra", NEXT, 1, 1]);
});

test("[S32] finds forged lines with valid hashes, even if all lines below were adapted", async () => {
  const { rewrite, found } = await setup();
  rewrite(FILE, (all) => {
    let before = "0".repeat(64);
    return all.map((text, n) => {
      const read = decodeLine(text);
      if (read === undefined) throw new Error("no line");
      const forged = n === 2 ? { ...read, event: { ...read.event, at: `${FIRST_DAY}T11:00:00.000Z` } } : read;
      const encoded = encodeLine(forged, before);
      before = encoded.line;
      return encoded.text;
    });
  });
  expect(await found()).toEqual([["changed", FILE, 3, 3]]);
});

test("[S32] finds an event that was taken out of the log while its line is still there", async () => {
  const { home, found } = await setup();
  home.tamper("DELETE FROM events WHERE position = 3");
  expect(await found()).toEqual([["extra", FILE, 3, 3]]);
});

test("[S32] finds content that is missing but not erased, and content that is erased but still there", async () => {
  const { start, lines, rewrite, found } = await setup();
  const store = await start();
  const secret = only(await store.log.append("system", [message("secret")]));
  await store.log.append("system", [message("kept")]);
  await store.close();
  const [, , before = "", kept = ""] = lines(NEXT);
  const again = await start();
  await again.log.erase(secret.id, "ann");
  await again.close();
  expect(await found()).toEqual([]);
  const read = decodeLine(kept);
  if (read === undefined) throw new Error("no line");
  const stub = encodeLine({ ...read, salt: null, payload: null }, read.before).text;
  rewrite(NEXT, (all) => all.with(2, before).with(3, stub));
  expect(await found()).toEqual([
    ["unerased", NEXT, 3, 9],
    ["changed", NEXT, 4, 10],
  ]);
});

test("[S32] names an overlong line without holding it in memory", async () => {
  const { home, found } = await setup();
  writeFileSync(home.path(`daily/${FILE}`), `${"x".repeat(40 * 1024 * 1024)}\n`);
  expect((await found())[0]).toEqual(["unreadable", FILE, 1, 1]);
});
