import { expect, test } from "vitest";
import { toldByHeartbeat } from "./heartbeat-answer.ts";

test.each([
  ["HEARTBEAT_OK"],
  ["**HEARTBEAT_OK**"],
  ["`HEARTBEAT_OK`."],
  ["```\nHEARTBEAT_OK\n```"],
  ["<b>heartbeat_ok</b>\n"],
  ["__HEARTBEAT\\_OK__"],
  ["HEARTBEAT_OK\n\nHEARTBEAT_OK"],
  ["  "],
])("[J96] %j reports nothing", (answer) => {
  expect(toldByHeartbeat(answer)).toBeUndefined();
});

test.each([
  ["The build is red.", "The build is red."],
  ["The build is red.\n\n**HEARTBEAT_OK**", "The build is red."],
  ["I would say HEARTBEAT_OK, but the build is red.", "I would say HEARTBEAT_OK, but the build is red."],
  ["HEARTBEAT_OKAY", "HEARTBEAT_OKAY"],
])("[J96] of %j, reports %j", (answer, told) => {
  expect(toldByHeartbeat(answer)).toBe(told);
});
