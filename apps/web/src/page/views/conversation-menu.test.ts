import { expect, test } from "vitest";
import { titleOf } from "./conversation-menu.ts";

test.each([
  [{ title: "", key: "web--1", isNamed: false }, "New conversation"],
  [{ title: "", key: "reminders--main", isNamed: false }, "Reminders"],
  [{ title: "Look after things", key: "heartbeat--main", isNamed: false }, "Heartbeat"],
  [{ title: "Mine", key: "reminders--main", isNamed: true }, "Mine"],
  [undefined, "New conversation"],
])("[W65] a conversation that nobody began is called by what began it: %j", (session, title) => {
  expect(titleOf(session)).toBe(title);
});
