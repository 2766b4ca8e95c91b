import { expect, test } from "vitest";
import { compactForms, neededForms, plainForm, webForms } from "./value-forms.ts";

test("[YP2] case, composition and space around it do not matter", () => {
  expect(plainForm(" Cafe\u0301\n")).toBe("caf\u00e9");
});

test.each([
  ["", [[]]],
  ["of", [[]]],
  ["b", [[]]],
  ["alice", [["alice"]]],
  ["5", [["n:5"]]],
  ["1234567", [["n:1234567", "c:1234567"]]],
  ["2024-05-17 14:30", [["d:2024-05-17", "d:05-17"], ["t:14:30"]]],
  ["may 17", [["may 17", "d:05-17"]]],
  ["17 may", [["17 may", "d:05-17"]]],
  ["3 may", [["3 may", "d:05-03"]]],
  ["2pm", [["2pm", "t:14:00"]]],
  ["may 17 party", [["may 17 party"]]],
  ["party may 17", [["party may 17"]]],
  ["x.org/a", [["u:x.org/a"]]],
  ["a-b", [["a-b"]]],
])("[YP2] %j is explained by one form of each of %j", (text, needs) => {
  expect(neededForms(text)).toEqual(needs);
});

test.each([
  ["http://x.org", "u:x.org"],
  ["https://x.org/", "u:x.org"],
  ["x.org//", "u:x.org"],
  ["my-1.x_y.org:8080/a/?b=c#d", "u:my-1.x_y.org:8080/a/?b=c#d"],
  ["x.org?q", "u:x.org?q"],
])("[YP2] %s is an address, with or without scheme and closing slash", (text, form) => {
  expect(webForms(text)).toEqual([form]);
});

test.each(["org", "x.org:port", "x.o", "x.org y", "a b.org", "!.org", "x.org~a"])(
  "[YP3] %s is none",
  (text) => {
    expect(webForms(text)).toEqual([]);
  },
);

test.each([
  ["de89 3704 0044 0532 0130 00", "c:de89370400440532013000"],
  ["+49 (170) 123-4567", "c:+491701234567"],
  ["0170.123.4567", "c:01701234567"],
])("[YP2] %s is one number, without what people write into it", (text, form) => {
  expect(compactForms(text)).toEqual([form]);
});

test.each([
  "123456",
  "1234567x",
  "x1234567",
  "d89370400440532013",
  "de8x370400440532",
  "de89",
  "a b c d e f g",
])("[YP3] %s is no account or telephone number", (text) => {
  expect(compactForms(text)).toEqual([]);
});
