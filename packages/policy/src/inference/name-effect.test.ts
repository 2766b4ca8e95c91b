import { expect, test } from "vitest";
import { nameEffect } from "./name-effect.ts";

test.each([
  ["", "unknown", false],
  ["thing", "unknown", false],
  ["getIssue", "read", false],
  // What comes first is the act, unless it is a thing and an act follows it.
  ["orderGet", "read", false],
  ["listSend", "egress", false],
  ["getUpdate", "read", false],
  ["userRecordDelete", "destructive", false],
  // A thing in front may be one, or the act.
  ["orderHistoryGet", "egress", true],
  ["listOfSend", "egress", false],
  ["messageList", "egress", true],
  ["trashView", "destructive", true],
  ["smartLockViewHistory", "write", true],
  // Of nothing but things, the worst counts, in whatever order.
  ["myMailTrash", "destructive", false],
  ["myTrashMail", "destructive", false],
  ["myTrashAndMail", "destructive", false],
  // What is joined to it counts, and what destroys wherever it stands.
  ["fetchDelete", "destructive", false],
  ["viewThenShare", "egress", false],
  ["readOrSend", "egress", false],
  ["readAndMail", "egress", false],
  ["readMail", "read", false],
  // Phrases that are no look.
  ["checkIn", "write", false],
  ["lookAfter", "write", false],
  ["getIn", "read", false],
  ["mailOut", "egress", false],
])("[YI2] %s: %s, could be a read: %s", (path, kind, couldBeRead) => {
  expect(nameEffect(path)).toEqual({ kind, couldBeRead });
});

test.each([
  ["x.y.lock.lockView", "read", true],
  ["smart.lock.smartLockOpen", "write", false],
  ["smart.lock.smartDeleteList", "destructive", false],
  ["lock.lock", "write", false],
  ["lock.view", "read", true],
])("[YI8] %s: %s, could be a read: %s", (path, kind, couldBeRead) => {
  expect(nameEffect(path)).toEqual({ kind, couldBeRead });
});
