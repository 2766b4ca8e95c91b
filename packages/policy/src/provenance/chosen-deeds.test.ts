import { expect, test } from "vitest";
import { chosenDeeds, isDelayed } from "./chosen-deeds.ts";
import type { InputLeaf } from "./input-leaves.ts";

const leaf = (name: string, value: InputLeaf["value"], ...around: readonly string[]): InputLeaf => ({
  path: name,
  argument: around[0] ?? name,
  name,
  names: [...around, name],
  value,
});
const deeds = (name: string, value: InputLeaf["value"], path = "tracker.update") =>
  chosenDeeds(leaf(name, value), path).map((words) => words.join(" "));
const ON: ReadonlySet<string> = new Set(["turn on", "switch on", "put on", "power on", "enable", "activate"]);

test.each([
  ["status", "cancelled", ["cancel"]],
  ["state", "Denied or rejected", ["deny", "reject"]],
  ["status", "sent", ["send"]],
  ["status", "paid", ["pay"]],
  ["status", "overwriting", ["overwrite"]],
  ["status", "applied", []],
  ["status", "one two three four close", []],
  ["type", "delete", ["delete"]],
  ["type", "close", []],
  ["on_conflict", "replace", ["replace"]],
  ["conflict_on", "close", ["close"]],
  ["note", "close", []],
  ["deleted", true, ["delete"]],
  ["deleted", false, []],
  ["delete", true, ["delete"]],
  ["is_closed", true, ["close"]],
  ["close", true, []],
  ["closing", true, []],
  ["sends", true, []],
  ["delete_after_days", 3, ["delete"]],
  ["delete_after_days", 0, []],
  ["deletion_days", 3, []],
  ["delete_at", "2026-06-01", ["delete"]],
  ["close_at", "2026-06-01", []],
  ["action", "unlock", ["unlock"]],
  ["action", "list", []],
  ["do_operation", "escalate", ["escalate"]],
  ["action", "share", ["share"]],
  ["state", "unlock", []],
] as const)("[YP109] %s: %j chooses %j", (name, value, words) => {
  expect(deeds(name, value)).toEqual(words);
});

test.each([
  ["enabled", true, "on"],
  ["is_enabled", true, "on"],
  ["enabled", false, "off"],
  ["disabled", true, "off"],
  ["disabled", false, "on"],
  ["off", true, "off"],
  ["off", false, "on"],
  ["power", "On", "on"],
  ["power", "off", "off"],
  ["power", "standby", undefined],
  ["state", "inactive", "off"],
  ["switch_time", "on", undefined],
  ["note", true, undefined],
] as const)("[YP112] %s: %j switches %s", (name, value, way) => {
  const words = deeds(name, value);
  if (way === undefined) expect(words.some((one) => ON.has(one) || one === "turn off")).toBe(false);
  else expect(words.includes(way === "on" ? "turn on" : "turn off")).toBe(true);
});

test("[YP112] what is made is made in that state, but not switched", () => {
  for (const verb of ["create", "add", "new", "make", "insert", "register", "setup", "install"])
    expect(deeds("enabled", true, `rules.${verb}_rule`), verb).toEqual([]);
  for (const name of ["enable", "active", "activated"])
    expect(deeds(name, true, "rules.create_rule"), name).toEqual([]);
  expect(deeds("power", "on", "rules.create_rule")).not.toEqual([]);
  expect(deeds("enabled", false, "rules.create_rule")).not.toEqual([]);
});

test("[YP109] a name around it may say that it chooses a deed", () => {
  expect(chosenDeeds(leaf("type", "close", "actions"), "tracker.update")).toEqual([["close"]]);
  expect(chosenDeeds(leaf("type", "close", "rows"), "tracker.update")).toEqual([]);
});

test.each([
  ["delete_after_days", 1, true],
  ["cancel_at", "2026-06-01", true],
  ["close_in", 5, true],
  ["cancel_on", "monday", true],
  ["cancel_at", true, false],
  ["delete_days", 1, false],
  ["starts_at", "2026-06-01", false],
] as const)("[YP113] %s: %j says when: %j", (name, value, isWhen) => {
  expect(isDelayed(leaf(name, value))).toBe(isWhen);
});
