import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@deputy/testing";
import { expect, onTestFinished, test } from "vitest";
import { createDemoTracker } from "./demo-tracker.ts";

function setup() {
  const directory = mkdtempSync(join(tmpdir(), "demo-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "demo-issues.json");
  const clock = createFakeClock();
  return { directory, file, clock, open: () => createDemoTracker({ file, clock }) };
}

const ageInDays = (now: number, time: string): number => Math.round((now - Date.parse(time)) / 86_400_000);

test("the file is made at the first question, for its owner alone, with ages counted from then", () => {
  const { directory, file, clock, open } = setup();
  const tracker = open();
  expect(readdirSync(directory)).toEqual([]);
  const listed = tracker.list("acme/website");
  expect(listed.map(({ createdAt }) => ageInDays(clock.now(), createdAt))).toEqual([
    212, 140, 97, 61, 34, 12, 1,
  ]);
  expect(readdirSync(directory)).toEqual(["demo-issues.json"]);
  expect(statSync(file).mode & 0o077).toBe(0);
});

test("what is closed stays closed for the next process; closing it again changes nothing", async () => {
  const { clock, open } = setup();
  const closed = open().close("acme/website", 2);
  expect(closed).toMatchObject({ number: 2, title: "Typo on the pricing page", state: "closed" });
  await clock.advance(1_000);
  expect(open().close("acme/website", 2)).toEqual(closed);
  const states = open()
    .list("acme/website")
    .map(({ state }) => state);
  expect(states).toEqual(["open", "closed", "open", "open", "open", "open", "open"]);
});

test("numbers are a repository's own, and its name may be written in either case", () => {
  const { open } = setup();
  open().close("answeroverflow/answeroverflow", 1);
  const [there] = open().list("AnswerOverflow/AnswerOverflow");
  const [here] = open().list("acme/website");
  expect([there?.state, here?.state]).toEqual(["closed", "open"]);
});

test("what is not there is said, with what is", () => {
  const { open } = setup();
  expect(() => open().list("acme/shop")).toThrow(
    "no repository acme/shop; it has acme/website, AnswerOverflow/AnswerOverflow",
  );
  expect(() => open().close("acme/website", 99)).toThrow("no issue acme/website#99");
});

test.each(["{", '{"issues":[{"number":"1"}]}'])("a damaged file is named, and left as it is: %s", (text) => {
  const { file, open } = setup();
  writeFileSync(file, text);
  expect(() => open().list("acme/website")).toThrow(
    "demo-issues.json in Deputy's home is damaged; delete it",
  );
  expect(statSync(file).size).toBe(text.length);
});
