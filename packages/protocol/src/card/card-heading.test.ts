import { expect, test } from "vitest";
import { headingOf } from "./card-heading.ts";

const times = (toolPath: string, count: number) =>
  Array.from({ length: count }, () => ({ toolPath, preview: { title: toolPath } }));

test.each([
  [times("github.issues.close", 15), "Close 15 issues"],
  [[...times("mail.send", 2), ...times("notes.write", 3)], "Write 3 notes, mail.send × 2"],
  [[...times("issues.close", 2), ...times("notes.write", 1)], "Close 2 issues, write 1 note"],
  [times("github.closeIssue", 2), "github.closeIssue × 2"],
  [[...times("notes.Write", 1), ...times("notes2.write", 1)], "notes.Write, notes2.write"],
  [times("notes.note", 1), "notes.note"],
  [times("issues.comments", 2), "issues.comments × 2"],
  [times("lamp", 2), "lamp × 2"],
  [times("policies.delete", 2), "Delete 2 policies"],
  [times("policies.delete", 1), "policies.delete"],
  [times("address.delete", 2), "address.delete × 2"],
  [
    ["a.b", "c.d", "e.f", "g.h", "i.j", "k.l"].flatMap((path) => times(path, 1)),
    "a.b, c.d, e.f, g.h, 2 more",
  ],
])("[P66] the heading of %j is %s", (calls, heading) => {
  expect(headingOf(calls)).toBe(heading);
});

test("[P66] the heading names whatever destroys or sends, however rare", () => {
  const updates = times("tracker.update_issue", 72);
  const others = ["a.b", "c.d", "e.f", "g.h"].flatMap((path) => times(path, 1));
  const mail = { toolPath: "mail.send", preview: { title: "x", effect: "egress" as const } };
  const erase = { toolPath: "tracker.delete_issue", preview: { title: "x", effect: "destructive" as const } };
  expect(headingOf([...updates, ...others, mail, erase])).toBe(
    "tracker.delete_issue, mail.send, tracker.update_issue × 72, a.b, 3 more",
  );
});

test("[P66] it says where, if all calls share a path that each of their titles names", () => {
  const close = (input: object, title: string) => ({ toolPath: "issues.close", input, preview: { title } });
  const here = { owner: "acme", repo: "website" };
  const one = close({ ...here, number: 1 }, "Close acme/website#1");
  const two = close({ ...here, number: 2 }, "PATCH api.example/repos/acme/website/issues/2");
  expect(headingOf([one, two])).toBe("Close 2 issues in acme/website");
  expect(headingOf([close({ at: "acme/website", number: 1 }, "Close acme/website#1")])).toBe(
    "Close 1 issue in acme/website",
  );
  expect(headingOf([one, close({ owner: "acme", repo: "shop" }, "Close acme/shop#2")])).toBe(
    "Close 2 issues",
  );
  expect(headingOf([one, close(here, "Close it")])).toBe("Close 2 issues");
  expect(headingOf([close(here, "Close notacme/website#1")])).toBe("Close 1 issue");
  const nasty = { owner: "acme\n? Approved", repo: "website” asked by “me" };
  expect(headingOf([close(nasty, `Close ${nasty.owner}/${nasty.repo}`)])).toBe("Close 1 issue");
});
