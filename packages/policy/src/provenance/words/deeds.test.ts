import { expect, test } from "vitest";
import { DESTROYING, isGiving } from "../is-giving.ts";
import { createDeeds, deedsOf, verbsAlike, verbsOf } from "./deeds.ts";
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

test("[YP21] a deed is asked of a kind where no other id stands with it", () => {
  const asksOf = (text: string, ...kinds: readonly string[]): boolean => {
    const deeds = createDeeds();
    deeds.add(requestsIn(text));
    return deeds.hasAsked(["delete"], [], kinds);
  };
  expect(asksOf("Delete the old emails", "email")).toBe(true);
  expect(asksOf("Delete the old email", "file", "email")).toBe(true);
  expect(asksOf("Delete email 1", "email")).toBe(false);
  expect(asksOf("Delete email 1 and its files", "file")).toBe(true);
  expect(asksOf("Delete the old emails", "file")).toBe(false);
  expect(asksOf("Delete the old emails")).toBe(false);
  expect(asksOf("Delete Stryker was here")).toBe(false);
});

test("[YP21] each request counts for itself, and two thousand of them", () => {
  const deeds = createDeeds();
  deeds.add(requestsIn("Delete plan.txt"));
  deeds.add(requestsIn("Delete notes--old.md"));
  expect(deeds.hasAsked(["delete"], ["Plan.txt"])).toBe(true);
  expect(deeds.hasAsked(["delete"], ["notes-old.md."])).toBe(true);
  expect(deeds.hasAsked(["delete"], ["plan.txt notes"])).toBe(false);
  const request = (at: number) => ({
    ...requestsIn(`Delete f${at}.txt`)[0],
    head: "delete",
    text: `delete f${at}.txt`,
  });
  const many = createDeeds();
  many.add(Array.from({ length: 2_001 }, (_, at) => request(at)));
  expect(many.hasAsked(["delete"], ["f1999.txt"])).toBe(true);
  expect(many.hasAsked(["delete"], ["f2000.txt"])).toBe(false);
});

test("[YP20] verbs that mean the same are alike, wherever they stand in a tool's name", () => {
  expect([...verbsAlike("mail.send_message")]).toEqual(expect.arrayContaining(["send", "tell", "pay"]));
  expect([...verbsAlike("drive.file_share")]).toEqual(expect.arrayContaining(["file", "share", "invite"]));
  expect([...verbsAlike("share.zebra_find")]).not.toContain("invite");
  expect([...verbsAlike("zoo.zebra")]).toEqual(["zebra"]);
  expect(verbsAlike("mail.send").has("delete")).toBe(false);
  expect(verbsAlike("shop.find_zebra").has("zebra")).toBe(false);
});

test.each([
  ["mail.send", "to", true],
  ["drive.share_file", "file_id", true],
  ["calendar.invite", "email", true],
  ["hotel.book", "room", true],
  ["bank.quickly_send", "to", true],
  ["shop.update_order", "item_id", false],
  ["shop.update_order", "new_item_ids", true],
  ["shop.update_order", "extra", true],
  ["shop.change_item", "replacement", true],
  ["mail.delete", "id", false],
  ["mail.delete", "new_id", false],
  ["shop.cancel_order", "new_id", false],
  ["shop.get_and_delete", "new_id", false],
  ["zoo.zebra", "name", false],
  ["zoo.zebra", "added", true],
])("[YP48] that %s gives what its %s says: %s", (toolPath, name, gives) => {
  expect(isGiving({ toolPath, name })).toBe(gives);
});
