import { expect, test } from "vitest";
import { describePlace } from "./describe-place.ts";

test("[M11] says path, headings, people and date, as far as they are known", () => {
  expect(
    describePlace({ path: "memory/house.md", people: ["Anna", "Ben"], date: "2023-05-08T10:00:00Z" }, [
      "Heating",
    ]),
  ).toBe("[memory/house.md › Heating | Anna, Ben | Monday, 8 May 2023]");
  expect(describePlace({ path: "MEMORY.md" }, [])).toBe("[MEMORY.md]");
  expect(describePlace({ path: "", date: "in spring" }, [])).toBe("[in spring]");
});
