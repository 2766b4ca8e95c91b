import { expect, test } from "vitest";
import { findDates, momentNeeds } from "./read-date.ts";

const formsIn = (text: string, today?: string): readonly string[] =>
  findDates(text, today).flatMap(({ forms }) => forms);

test.each([
  ["january 1st 2022", ["d:2022-01-01"]],
  ["jan 1, 2022", ["d:2022-01-01"]],
  ["jan. 2nd", ["d:01-02"]],
  ["1 january 2022", ["d:2022-01-01"]],
  ["the 3rd of march, 2024", ["d:2024-03-03"]],
  ["22nd february", ["d:02-22"]],
  ["april 4th", ["d:04-04"]],
  ["may 13", ["d:05-13"]],
  ["may 31", ["d:05-31"]],
  ["june 6, july 7, aug 8", ["d:06-06", "d:07-07", "d:08-08"]],
  ["sept 9, sep 9, september 9", ["d:09-09", "d:09-09", "d:09-09"]],
  ["october 10, november 11, december 12", ["d:10-10", "d:11-11", "d:12-12"]],
  ["2022-01-02", ["d:2022-01-02"]],
  ["2022/1/2", ["d:2022-01-02"]],
  ["2.1.2022", ["d:2022-01-02"]],
  ["02/01/2022", ["d:2022-01-02", "d:2022-02-01"]],
  ["13/01/2022", ["d:2022-01-13"]],
  ["the end of june", ["d:06-30"]],
  ["the last day of july 2026", ["d:2026-07-31"]],
  ["end of feb 2028", ["d:2028-02-29"]],
  ["the end of february", ["d:02-28", "d:02-29"]],
  ["01-13-2022", ["d:2022-01-13"]],
])("[YP2] %s is %j", (text, forms) => {
  expect(formsIn(text)).toEqual(forms);
});

test.each([
  ["14:30", ["t:14:30"]],
  ["2:30 pm", ["t:14:30"]],
  ["2:30pm", ["t:14:30"]],
  ["2 p.m", ["t:14:00"]],
  ["2 pm", ["t:14:00"]],
  ["10am", ["t:10:00"]],
  ["12am", ["t:00:00"]],
  ["12 pm", ["t:12:00"]],
  ["9:05:30", ["t:09:05"]],
  ["9:05:30 pm", ["t:21:05"]],
  ["9:05:30.125 pm", ["t:21:05"]],
  ["23:59", ["t:23:59"]],
])("[YP2] the time %s is %j", (text, forms) => {
  expect(formsIn(text)).toEqual(forms);
});

test.each([
  "24:00",
  "12:60",
  "3.14:15",
  "january",
  "jan 32",
  "2022-13-01",
  "2022-00-01",
  "2022-01-00",
  "1.2/2022",
  "31 people",
])("[YP3] %s is no date or time", (text) => {
  expect(findDates(text)).toEqual([]);
});

test("[YP2] a span is where the date stands", () => {
  expect(findDates("on may 13 at 10am.")).toEqual([
    { start: 3, end: 9, forms: ["d:05-13"] },
    { start: 13, end: 17, forms: ["t:10:00"] },
  ]);
});

test("[YP2] today gives relative days a meaning", () => {
  const wednesday = "2024-05-15";
  expect(formsIn("yesterday, today and tomorrow", wednesday)).toEqual([
    "d:2024-05-14",
    "d:2024-05-15",
    "d:2024-05-16",
  ]);
  expect(formsIn("on friday or monday", wednesday)).toEqual(["d:2024-05-17", "d:2024-05-20"]);
  expect(formsIn("wednesday", wednesday)).toEqual(["d:2024-05-15", "d:2024-05-22"]);
  expect(formsIn("tomorrow on friday")).toEqual([]);
  expect(formsIn("tomorrow", "some day")).toEqual([]);
});

test.each([
  ["2024-05-17", [["d:2024-05-17", "d:05-17"]]],
  ["2024-05-17 14:30", [["d:2024-05-17", "d:05-17"], ["t:14:30"]]],
  ["2024-05-17t14:30:00z", [["d:2024-05-17", "d:05-17"], ["t:14:30"]]],
  ["2024-05-17t14:30:00.000+02:00", [["d:2024-05-17", "d:05-17"], ["t:14:30"]]],
  ["2024-05-17 14:30+0200", [["d:2024-05-17", "d:05-17"], ["t:14:30"]]],
  ["2024-05-17 00:00", [["d:2024-05-17", "d:05-17"]]],
  ["14:30", [["t:14:30"]]],
  ["14:30:59", [["t:14:30"]]],
  ["2024-05", []],
  ["x2024-05-17", []],
  ["2024-05-17 at noon", []],
  ["14:3", []],
  ["x14:30", []],
  ["14:30x", []],
])("[YP2] of the moment %s both day and time are needed", (text, needs) => {
  expect(momentNeeds(text)).toEqual(needs);
});
