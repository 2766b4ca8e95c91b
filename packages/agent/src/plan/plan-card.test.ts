import { expect, test } from "vitest";
import { titleOfPlan } from "./plan-card.ts";

const times = (path: string, count: number): string[] => Array.from({ length: count }, () => path);

test.each([
  [times("github.issues.close", 15), "close 15 issues"],
  [[...times("mail.send", 2), ...times("notes.write", 3)], "write 3 notes, 2 × mail.send"],
  [["issues.close", "issues.close", "notes.write"], "close 2 issues, write 1 note"],
  [times("github.closeIssue", 2), "2 × github.closeIssue"],
  [["lamp", "lamp"], "2 × lamp"],
  [["a.b", "c.d", "e.f", "g.h", "i.j", "k.l"], "1 × a.b, 1 × c.d, 1 × e.f, 1 × g.h, 2 more"],
])("[A100] the title of %j is %s", (paths, title) => {
  expect(titleOfPlan(paths)).toBe(title);
});
