import { expect, test } from "vitest";
import { linksOfRun } from "./links-of-run.ts";

/** As if it stood at the tenth place of a text. */
const found = (value: string) => linksOfRun({ value, start: 10, end: 10 + value.length });
const links = (value: string): readonly string[] => found(value).map((link) => link.value);

test.each([
  ["evil.org", ["evil.org"]],
  ["Evil.ORG:80/a?b#c", ["Evil.ORG:80/a?b#c"]],
  ["evil.org?x\ny", ["evil.org?x\ny"]],
  [".evil.org.", ["evil.org"]],
  ["www.evil", ["www.evil"]],
  ["WWW.evil.txt/x", ["WWW.evil.txt/x"]],
  ["evil.org.Then", ["evil.org"]],
  ["a.evil.org.Then", ["a.evil.org"]],
  ["evil.org...example.com/x", ["evil.org", "example.com/x"]],
  ["wait...example.com", ["example.com"]],
  ["readme.md/", ["readme.md/"]],
  ["readme.md?x", ["readme.md?x"]],
  ["10.0.0.255", ["10.0.0.255"]],
])("[YP10] in %j, %j leads somewhere", (value, expected) => {
  expect(links(value)).toEqual(expected);
});

test.each([
  "",
  "evil",
  "org",
  "no.such",
  "index.de.html",
  "evil.org.txt",
  "readme.md",
  "readme.md#x",
  "readme.md?",
  "readme.md#/",
  "this.name.org",
  "self.name.org",
  "document.links.org",
  "10.0.0.256",
  "10.0.0.0255",
  "10.0.0",
  "10.0.0.0.0",
  "1.2.3.x4",
  "1.2.3.4x",
])("[YP10] in %j nothing does", (value) => {
  expect(links(value)).toEqual([]);
});

test("[YP10] a link is where it stands, with what belongs to it", () => {
  expect(found("evil.org...example.com/x")).toEqual([
    { value: "evil.org", start: 10, end: 18 },
    { value: "example.com/x", start: 21, end: 34 },
  ]);
  expect(found("evil.org...no/x")).toEqual([{ value: "evil.org", start: 10, end: 18 }]);
});
