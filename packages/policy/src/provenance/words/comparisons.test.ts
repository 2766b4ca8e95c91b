import { expect, test } from "vitest";
import { readComparisons } from "./comparisons.ts";

test("[YP23] what is compared stands near the word that compares, in the same sentence", () => {
  expect(readComparisons("Invite Dora to the channel with the fewest messages")).toContain("channel");
  expect(readComparisons("Share the LARGEST files with Bob")).toContain("file");
  expect(readComparisons("Read the channel. Pay the most urgent bill.")).not.toContain("channel");
  expect(readComparisons("the channel that we have been in since the very oldest days")).not.toContain(
    "channel",
  );
  expect(readComparisons("Invite Dora to the channel")).toEqual([]);
  expect(readComparisons("almost, foremost")).toEqual([]);
});
