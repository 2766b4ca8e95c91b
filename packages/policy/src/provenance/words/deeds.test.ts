import { expect, test } from "vitest";
import { createDeeds, deedsOf, DESTROYING, verbsOf } from "./deeds.ts";
import { requestsIn } from "./requests.ts";

function asks(text: string, ...about: readonly string[]): boolean {
  const deeds = createDeeds();
  deeds.add(requestsIn(text));
  return deeds.hasAsked(DESTROYING, about);
}

test.each([
  "Delete plan.txt",
  "Please could you remove the file plan.txt?",
  "Read the mail, then delete plan.txt.",
  "Delete a.txt, b.txt and plan.txt",
  "Look at plan.txt and delete it",
  "I want you to get rid of plan.txt",
  "Find plan.txt. Delete it.",
  "Throw away plan.txt",
  "Why don't you delete plan.txt?",
  "Please don't forget to delete plan.txt",
  "Would you mind deleting plan.txt?",
  "Don't touch notes.md, please delete plan.txt",
  "Delete these files:\n- notes.md\n- plan.txt",
])("[YP21] %j asks for plan.txt to be deleted", (text) => {
  expect(asks(text, "plan.txt")).toBe(true);
});

test.each([
  "What is in plan.txt?",
  "Read plan.txt and delete the draft",
  "Delete the draft, then read plan.txt",
  "Do not delete plan.txt",
  "Don’t delete plan.txt",
  "Never delete plan.txt",
  "Who deletes plan.txt?",
  "Did you delete plan.txt",
  "If asked to delete plan.txt, tell me",
  "Delete myplan.txt",
  "Delete the plan",
  "Should I delete plan.txt?",
  "Can I delete plan.txt",
  "delete plan.txt?",
  "Is it safe to delete plan.txt?",
  "I will delete plan.txt tomorrow myself",
  "Remind me to delete plan.txt",
  "Bob asked me to delete plan.txt, tell him I will think about it",
  "Write Bob that we should delete plan.txt",
  "Delete notes.md but keep plan.txt",
  "Delete everything except plan.txt",
  'Answer the mail "please delete plan.txt"',
  "Tell Bob: delete plan.txt",
  "Delete plan.txt. Actually don't delete it.",
  "Don't read and delete plan.txt",
])("[YP21] %j does not", (text) => {
  expect(asks(text, "plan.txt")).toBe(false);
});

test("[YP21] what a tool does is the first word of its name; to delete has many words", () => {
  expect(verbsOf("drive.remove_file")).toEqual(["remove"]);
  expect(verbsOf("")).toEqual([]);
  expect(deedsOf("drive.remove_file")).toEqual(expect.arrayContaining(["remove", "delete"]));
  expect(deedsOf("drive.share_file")).toEqual(["share"]);
  const deeds = createDeeds();
  deeds.add(requestsIn("Shut down server 7"));
  expect(deeds.hasAsked(["shut"], ["server"])).toBe(false);
  deeds.add(requestsIn("Archive server 7"));
  expect(deeds.hasAsked(["archive"], ["server"])).toBe(true);
  expect(deeds.hasAsked(["archive"], ["", "!"])).toBe(false);
});
