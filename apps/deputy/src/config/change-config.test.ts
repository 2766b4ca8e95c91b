import { expect, test } from "vitest";
import { withSetting } from "./change-config.ts";
import { overrideOf } from "./overrides.ts";

test("[E93] changes one setting and keeps everything else, including unknown keys and their order", () => {
  const raw = { zeta: [1, { a: 2 }], gateway: { host: "::1", future: true }, model: "a/b" };
  const changed = withSetting(raw, ["gateway", "port"], "80");
  expect(JSON.stringify(changed)).toBe(
    '{"zeta":[1,{"a":2}],"gateway":{"host":"::1","future":true,"port":80},"model":"a/b"}',
  );
  expect(raw.gateway).toEqual({ host: "::1", future: true });
});

test.each([
  ["gateway.port", "80", 80],
  ["model", "a/b", "a/b"],
  ["model", "12", "12"],
  ["agent.model", "null", null],
  ["heartbeat.enabled", "false", false],
  ["toolSources", '["./a.ts"]', ["./a.ts"]],
  ["agents.list.ops.tools", '["mail"]', ["mail"]],
])("[E93] %s accepts %s", (key, value, expected) => {
  const changed = withSetting({}, key.split("."), value);
  expect(key.split(".").reduce<unknown>((at, name) => Reflect.get(Object(at), name), changed)).toEqual(
    expected,
  );
});

test("[E93] an invalid value changes nothing, even if another setting is invalid too", () => {
  expect(() => withSetting({}, ["gateway", "port"], "http")).toThrow("gateway.port");
  expect(() => withSetting({ agent: { maxTurns: 0 } }, ["gateway", "port"], "1")).toThrow("agent.maxTurns");
  expect(withSetting({ agent: { maxTurns: 0 } }, ["agent", "maxTurns"], "5")).toEqual({
    agent: { maxTurns: 5 },
  });
});

test("[E93] the environment overrides a setting", () => {
  expect(overrideOf(["gateway", "port"], { DEPUTY_PORT: "80" })).toEqual({
    variable: "DEPUTY_PORT",
    value: 80,
  });
  expect(overrideOf(["model"], { DEPUTY_MODEL: "a/b" })).toEqual({ variable: "DEPUTY_MODEL", value: "a/b" });
  expect(overrideOf(["gateway", "port"], { DEPUTY_PORT: "" })).toBeUndefined();
  expect(overrideOf(["toolSources"], { DEPUTY_PORT: "80" })).toBeUndefined();
});
