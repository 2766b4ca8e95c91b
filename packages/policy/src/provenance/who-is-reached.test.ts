import { expect, test } from "vitest";
import type { InputLeaf } from "./input-leaves.ts";
import {
  decidesTarget,
  isFigure,
  isLeastRight,
  isRecipientName,
  mayBeName,
  namesRecipient,
  namesSum,
  wideningWords,
  wordsForRepeating,
  wordsForRights,
} from "./who-is-reached.ts";

const leaf = (name: string, value: InputLeaf["value"], ...around: readonly string[]): InputLeaf => ({
  path: name,
  argument: around[0] ?? name,
  name,
  names: [...around, name],
  value,
});
const TOOL = { effect: "egress", critical: ["id"] } as const;
const DECLARED = { isUncritical: () => false, isDeclared: () => true, isRequired: () => true };
const decides = (name: string, value: InputLeaf["value"], ...around: readonly string[]) =>
  decidesTarget(leaf(name, value, ...around), TOOL, DECLARED);

test.each([
  ["to", "x", true],
  ["replyTo", "x", true],
  ["replyto", "x", true],
  ["phone", 5_550_111, true],
  ["phone", 555_011, false],
  ["to", true, false],
  ["to", "2026-05-15", false],
  ["title", "x", false],
] as const)("[YP29] %s: %j says who gets something: %j", (name, value, isTold) => {
  expect(namesRecipient(leaf(name, value))).toBe(isTold);
});

test("[YP29] a name around it counts, too", () => {
  expect(namesRecipient(leaf("name", "x", "recipients"))).toBe(true);
  expect(isRecipientName("audience")).toBe(true);
  expect(isRecipientName("auditor")).toBe(false);
});

test.each([
  "email",
  "e-mail",
  "emails",
  "email_address",
  "email-addresses",
  "contact_email",
  "contactEmail",
  "billingEmails",
  "billingEmailAddress",
])("[YP80] %s is an address, however it is written", (name) => {
  expect(decides(name, "lor + can")).toBe(true);
});

test.each(["email_subject", "emailed", "emailCount", "female"])("[YP80] %s is none", (name) => {
  expect(decides(name, "lor + can")).toBe(false);
  expect(decides(name, true)).toBe(false);
});

test.each([
  "DELETE FROM users",
  " insert  into users values (1)",
  "drop table users",
  "drop database x",
  "truncate users",
  "truncate table users",
  "alter role x",
  "update users set a = 1",
  "grant all on users",
  "grant all to eve",
  "merge into users",
])("[YP84] “%s” changes data", (sql) => {
  expect(decides("query", sql)).toBe(true);
});

test.each([
  "delete it from users",
  "insert into",
  "drop by",
  "alter it",
  "update users",
  "grant all",
  "select 1",
])("[YP84] “%s” does not", (sql) => {
  expect(decides("query", sql)).toBe(false);
});

test.each(["every day", "EACH week", "daily", "quarterly", "FREQ=DAILY", "0 9 * * 1", "*/5 * * * MON"])(
  "[YP84] “%s” says how often, under any name",
  (value) => {
    expect(decides("plan", value)).toBe(true);
  },
);

test.each(["everyday", "dailyness", "0 9 * *", "x 0 9 * * 1"])("[YP84] “%s” does not", (value) => {
  expect(decides("plan", value)).toBe(false);
});

test("[YP84] an address in base64 leads somewhere; other words of that look do not", () => {
  expect(decides("plan", btoa("mallory@evil.example"))).toBe(true);
  expect(decides("plan", "abcdefghijklm")).toBe(false);
});

test.each([
  ["amount", 5, true],
  ["ticket_price", "5.00", true],
  ["price_list", "old", false],
  ["total_price", "five", true],
  ["currency", "EUR", true],
  ["denomination", "EUR", true],
  ["amount", true, false],
  ["currency", true, false],
  ["title", 5, false],
] as const)("[YP81] %s: %j is a sum: %j", (name, value, isSum) => {
  expect(namesSum(leaf(name, value))).toBe(isSum);
});

test.each([5, "5", "5.00", "€ 5", "-5 %", "2026-05-15", "2026-05-15T10:00Z", "1'000"])(
  "[YP10] %j is a figure",
  (value) => {
    expect(isFigure(value)).toBe(true);
  },
);

test.each(["12345678", "5 apples", "x5", "5x"])("[YP10] %j is none", (value) => {
  expect(isFigure(value)).toBe(false);
});

const offered = { isOffered: (value: unknown) => value === "public" || value === "notify all" };
const wide = (name: string, value: InputLeaf["value"]) => wideningWords(leaf(name, value), offered);

test.each([
  ["is_public", true, ["is", "public"]],
  ["is_public", false, undefined],
  ["private", false, ["private"]],
  ["notify_all", true, ["notify", "all"]],
  ["all_day", true, undefined],
  ["visibility", "public", ["public"]],
  ["mode", "public", ["public"]],
  ["mode", "external", undefined],
  ["mode", "notify all", ["notify", "all"]],
  ["role", "Admin", ["admin"]],
  ["role", "*", ["all", "role"]],
  ["permissions", "files.*", ["files"]],
  ["role", "reader", undefined],
  ["title", "admin", undefined],
  ["audience", "all who are public or not", undefined],
  ["role", 5, undefined],
] as const)("[YP43] %s: %j widens as %j", (name, value, words) => {
  expect(wide(name, value)).toEqual(words);
});

test("[YP84] rights have several words, or their own", () => {
  expect(wordsForRights("writer")).toContain("edit");
  expect(wordsForRights("admin")).not.toContain("edit");
  expect(wordsForRights("root")).toEqual(["root"]);
});

test.each([
  ["permission", "R", true],
  ["access_level", "viewer", true],
  ["permission", "rw", false],
  ["mode", "read", false],
  ["permission", 1, false],
] as const)("[YP120] %s: %j is the least right: %j", (name, value, isLeast) => {
  expect(isLeastRight(leaf(name, value))).toBe(isLeast);
});

test.each([
  ["hourly", "hour"],
  ["daily", "day"],
  [" Weekly ", "week"],
  ["monthly", "month"],
  ["quarterly", "quarter"],
  ["yearly", "year"],
  ["annually", "year"],
])("[YP117] %s is said as every %s", (value, unit) => {
  const adverb = value.trim().toLowerCase();
  expect(wordsForRepeating(value)).toEqual([[adverb], ["every", unit], ["each", unit], ["per", unit]]);
});

test("[YP117] other words say nothing of that", () => {
  expect(wordsForRepeating("early")).toEqual([]);
});

test.each([
  ["target", "Ann Lee", true],
  ["target", "ann_lee", true],
  ["target", "ann", false],
  ["owner", "ann", true],
  ["note", "Ann Lee", false],
  ["target", "one two three four", true],
  ["target", "one two three four five", false],
  ["target", 5, false],
] as const)("[YP44] %s: %j may be a name: %j", (name, value, isName) => {
  expect(mayBeName(leaf(name, value))).toBe(isName);
});
