import { expect, test } from "vitest";
import { withoutSpelling } from "./spelled-addresses.ts";

test.each([
  ["Ann  AT  example  DOT  com", "Ann@example.com"],
  ["ann at mail.example dot co dot uk, now", "ann@mail.example.co.uk, now"],
  ["ann @ example dot com", "ann@example.com"],
  ["ann klammeraffe example punkt de", "ann@example.de"],
  ["ann chiocciola example punto it", "ann@example.it"],
  ["ann[at]example[.]com", "ann@example.com"],
  ["ann {@} example {.} com", "ann@example.com"],
  ["ann < at > example < punkt > com", "ann@example.com"],
  ["ann_at_example_dot_com", "ann@example.com"],
  ["ann -at- example -dot- com", "ann@example.com"],
  ["ann_at_example-dot-com", "ann@example.com"],
  ["ann @ my-example . com", "ann@my-example.com"],
  ["ann  @  my_example  .  com", "ann@my_example.com"],
  ["see example   dot   com", "see example.com"],
  ["see x dot y dot z", "see x.y.z"],
  ["example (dot) com.", "example.com."],
])("[YP106] %j means %j", (text, meant) => {
  expect(withoutSpelling(text)).toBe(meant);
});

test.each([
  "ann_at_example",
  "ann -at- home",
  "ann_dot-com",
  "ann @ example . 5",
  "see example    dot    com",
  "the dot com bubble",
  "from dot to dot",
  "on the dot",
  "dotted lines",
  "(dot) ( at )",
  "we met at lunch, at this point in time",
  "5 @ 4.50",
  "! (dot) com",
  "! (at) x",
  "x (at) !",
  "! _dot_ x",
  "x _dot_ !",
  "! -at- x.com",
  "! @ x . com",
])("[YP106] %j is what it says", (text) => {
  expect(withoutSpelling(text)).toBe(text);
});
