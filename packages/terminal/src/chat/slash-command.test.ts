import { expect, test } from "vitest";
import { readSlash } from "./slash-command.ts";

test.each([
  ["/new", { name: "new" }],
  ["  /quit ", { name: "exit" }],
  ["/EXIT", { name: "exit" }],
  ["/Switch Work", { name: "switch", session: "Work" }],
  [" / ", { name: "help" }],
  ["/effort", { name: "effort" }],
  ["/effort High", { name: "effort", effort: "high" }],
  ["/effort default", { name: "effort", effort: null }],
  ["/model", { name: "model" }],
  ["/model openai/GPT", { name: "model", model: "openai/GPT" }],
  ["/model Default", { name: "model", model: null }],
  ["/tasks", { name: "tasks" }],
  ["/approvals", { name: "approvals" }],
  ["/grants", { name: "grants" }],
  ["/revoke 12", { name: "revoke", grant: 12 }],
  ["/switch work notes", { name: "switch", session: "work notes" }],
  ["/switch: telegram:12", { name: "switch", session: "telegram:12" }],
  ["/help:", { name: "help" }],
])("%j is a command", (text, command) => {
  expect(readSlash(text)).toEqual({ kind: "command", command });
});

test("what is no command of the terminal's may be one of the user's own", () => {
  expect(readSlash("/review-pr 12 carefully")).toEqual({
    kind: "other",
    name: "review-pr",
    args: "12 carefully",
  });
});

test.each([
  "/switch",
  "/new now",
  "/revoke",
  "/revoke 0",
  "/revoke all",
  "/effort much",
  "/model a b",
  "/tasks all",
])("%j is a mistake, and no message", (text) => {
  expect(readSlash(text).kind).toBe("wrong");
});

test.each(["hello", "/etc/hosts: what is this?", "/ alone", "a /new b", "/Users/me", "/Users"])(
  "%j is a message",
  (text) => {
    expect(readSlash(text)).toEqual({ kind: "message" });
  },
);
