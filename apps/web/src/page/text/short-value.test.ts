import { expect, test } from "vitest";
import { differences, shortValue } from "./short-value.ts";

test("[W30] a value is told in one short line without the signs of JSON", () => {
  expect(shortValue({ to: "ada@example.org", tags: ["a", "b"], in: { n: 1 } })).toBe(
    "to: ada@example.org · tags: a, b · in: (n: 1)",
  );
  expect(shortValue("one\n two")).toBe("one two");
  expect(shortValue(undefined)).toBe("");
  expect(shortValue("x".repeat(200))).toHaveLength(161);
});

test("[W53] of calls that are alike, that is told in which they differ", () => {
  const [one, two] = [
    { repo: "website", number: 1 },
    { repo: "website", number: 2 },
  ];
  expect(differences([one, two])(two)).toEqual({ number: 2 });
  expect(differences([one])(one)).toEqual(one);
  expect(differences([one, one])(one)).toEqual(one);
  expect(differences([one, { number: 1 }])(one)).toEqual({ repo: "website" });
  expect(differences([one, "text"])(one)).toEqual(one);
  expect(differences([])(one)).toEqual(one);
});
