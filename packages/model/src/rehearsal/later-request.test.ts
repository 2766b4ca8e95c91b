import { expect, test } from "vitest";
import { parseLater } from "./later-request.ts";
import { readAmount } from "./spoken-amount.ts";
import { takeWhen } from "./spoken-when.ts";

const GOAL = "check if my site has hit 10M visitors with PostHog and if it has let me know";

test("[MR8] recognizes a number or a goal to report at a time; the rest becomes the task's prompt", () => {
  expect(parseLater(`Every day at 9am ${GOAL}`)).toEqual({
    kind: "set",
    what: { kind: "metrics", metric: "visitors", goal: 10_000_000, asks: "now", service: "PostHog" },
    schedule: "every day at 9am",
    isTimeAssumed: false,
    prompt: GOAL,
  });
  expect(parseLater("Tell me how many people have subscribed every day at 5pm.")).toMatchObject({
    what: { metric: "subscribers", goal: undefined },
    schedule: "every day at 5pm",
    prompt: "Tell me how many people have subscribed",
  });
});

test.each([
  ["every weekday at 8:30 check whether our website hits 2 million visitors, and if so tell me", 2_000_000],
  ["Each morning at 9 o'clock check PostHog to see if we have passed 1,500,000 visitors and tell me", 1.5e6],
  ["Please let me know as soon as my newsletter reaches 20k subscribers, daily at noon", 20_000],
  ["Check if my site has hit 1.5m visitors at 18:00 on weekdays and let me know if it has", 1_500_000],
])("[MR8] a goal in other words: %s", (message, goal) => {
  expect(parseLater(message)).toMatchObject({ kind: "set", what: { goal }, isTimeAssumed: false });
});

test("[MR8] assumes a time for a goal without one, and answers the others now", () => {
  expect(parseLater("Let me know when my site hits 2 million visitors")).toMatchObject({
    kind: "set",
    schedule: "every day at 9am",
    isTimeAssumed: true,
  });
  for (const message of [GOAL, "Tell me how many visitors my site has had so far"])
    expect(parseLater(message)).toMatchObject({ kind: "measure", run: undefined });
});

test.each([
  "When I get an email, check if it's spam and if it is delete it",
  "Whenever a new e-mail arrives, delete it if it is junk.",
  "Every time I receive mail please check whether it’s spam or not, and if so, trash it",
  "Delete the email if it's spam whenever I get an email",
])("[MR8] mail to judge when it arrives: %s", (message) => {
  expect(parseLater(message)).toMatchObject({ kind: "set", what: { kind: "spam" }, schedule: undefined });
});

test.each([
  "check if it's spam and if it is delete it",
  "When I get an email from noor, check if it's spam and if it is delete it",
  "When I get an email, check if it's spam and if it is forward it",
  "When I get an email, check if it's spam and if it is delete it and tell my boss",
  "Every day at 9am check if my site has hit 10M visitors from Spain and let me know",
  "Every day at 9am check if my site has hit 10M sales and let me know",
  "Every day at 9am and every friday at 5pm tell me how many people have subscribed",
  "Every evening at 7 tell me how many people have subscribed",
  "Tell me how many people have unsubscribed every day at 5pm",
  "Check if my site has hit 10.0005k visitors",
  `Every day at 9am ${GOAL} ${" ".repeat(300)}`,
])("[MR8] does not recognize: %s", (message) => {
  expect(parseLater(message)).toBeUndefined();
});

test.each([
  ["x every day at 9am y", "every day at 9am", "x y"],
  ["at 7:15 pm each monday, and friday, x", "every monday and friday at 7:15 pm", "x"],
  ["x daily at 9 a.m. Europe/Berlin", "daily at 9 am Europe/Berlin", "x"],
  ["each hour, x", "hourly", "x"],
  ["x every 30 minutes", "every 30 minutes", "x"],
  ["x on weekends at noon", "on weekends at noon", "x"],
])("[MR8] finds a time: %s", (text, when, rest) => {
  expect(takeWhen(text)).toEqual({ when, rest });
});

test.each(["x at 9am", "every 30 people", "x every day at 25:000", "everyday life"])(
  "[MR8] finds no time: %s",
  (text) => {
    expect(takeWhen(text)).toEqual({ when: undefined, rest: text });
  },
);

test.each([
  ["10M", 10_000_000],
  ["1.5 million", 1_500_000],
  ["10,000,000", 10_000_000],
  ["950", 950],
  ["2bn", 2_000_000_000],
  ["1.0001k", undefined],
  ["10 stones", undefined],
])("[MR8] an amount: %s", (text, amount) => {
  expect(readAmount(text)).toBe(amount);
});
