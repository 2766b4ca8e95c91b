import { expect, test } from "vitest";
import { readTimes } from "./read-times.ts";

/** A Tuesday. */
const NOW = new Date(2026, 10, 17, 12).getTime();

function covered(question: string, dates: readonly string[]): readonly string[] | undefined {
  const asked = readTimes(question, NOW);
  return asked && dates.filter((date) => asked.covers(date));
}

test.each([
  [
    "What did Anna buy on 8 May 2023?",
    ["2023-05-08", "2023-05-20"],
    ["2023-05-07", "2023-06-20", "2022-05-08"],
  ],
  ["What did Anna buy on May 8th, 2023?", ["2023-05-08"], ["2023-05-07", "2024-05-08"]],
  ["the 2nd of July", ["2023-07-02", "2024-07-03"], ["2023-07-01", "2023-08-02"]],
  [
    "Who came in July 2023?",
    ["2023-07-01", "2023-07-31", "2023-08-10"],
    ["2023-06-30", "2023-09-01", "2022-07-05"],
  ],
  ["Who came in december?", ["2022-12-24", "2025-12-01"], ["2025-11-30"]],
  ["What happened in 2022?", ["2022-01-01", "2022-12-31"], ["2021-12-31", "2023-02-01"]],
  ["notes of 2023-05-08", ["2023-05-08"], ["2023-05-07"]],
  ["notes of 2023-05", ["2023-05-01", "2023-05-31"], ["2023-04-30"]],
])("[M91] a question names days, months and years: %s", (question, inside, outside) => {
  expect(covered(question, [...inside, ...outside])).toEqual(inside);
});

test.each([
  ["What did we decide yesterday?", "2026-11-16", "2026-11-15"],
  ["the day before yesterday", "2026-11-15", "2026-11-14"],
  ["what is new today", "2026-11-17", "2026-11-16"],
  ["on Monday", "2026-11-16", "2026-11-15"],
  ["last Tuesday", "2026-11-10", "2026-11-09"],
  ["last week", "2026-11-04", "2026-11-03"],
  ["this month", "2026-10-19", "2026-10-18"],
  ["three weeks ago", "2026-10-24", "2026-10-22"],
  ["two days ago", "2026-11-15", "2026-11-14"],
])("[M91] a question names a time by its distance: %s", (question, inside, outside) => {
  expect(covered(question, [outside, inside])).toEqual([inside]);
});

test.each(["It may rain", "They march on", "Where is room 2022?", "Who is August?", "", "a week of work"])(
  "[M91] other questions name no time: %s",
  (question) => {
    expect(readTimes(question, NOW)).toBeUndefined();
  },
);

test("[M91] pieces of a few days that are named by their distance are looked for by their date", () => {
  const terms = (question: string) => readTimes(question, NOW)?.terms.map(({ word }) => word);
  expect(terms("What did we decide yesterday?")).toEqual(["16 November 2026", "2026-11-16"]);
  expect(terms("last month")).toEqual([]);
  expect(terms("on 8 May 2023")).toEqual([]);
});

test("[M91] what has no date, or none that is one, is of no time", () => {
  expect(covered("in May", ["", "May", "2023-13-40"])).toEqual([]);
});
