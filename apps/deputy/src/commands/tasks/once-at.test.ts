import { expect, test } from "vitest";
import { onceAt } from "./once-at.ts";

test.each([
  "tomorrow at 5pm",
  "in 20 minutes",
  "2031-05-06 17:00",
  "at 2031-05-06T17:00Z",
  "next monday at 9",
])("[E950] --at takes %s as it was said", (said) => {
  expect(onceAt(said)).toBe(said);
});

test("[E950] what repeats is refused with the option for it; what is no time is quoted as it was typed", () => {
  for (const said of ["every 30m", "daily at 9am", "0 9 * * *"])
    expect(() => onceAt(said)).toThrow(
      expect.objectContaining({ code: "usage", hint: expect.stringContaining("--schedule") }),
    );
  expect(() => onceAt("tomorow at 5pm")).toThrow('can be understood: "tomorow at 5pm"');
});
