import { expect, test } from "vitest";
import { withoutHeadings } from "./configured-value.ts";
import { createOriginIndex } from "./origin-index.ts";

function traceAfter(configuration: string) {
  const index = createOriginIndex();
  index.addConfiguration(configuration);
  const { trace } = index.origins();
  return (value: string | number) => trace(value).kind;
}

test("[YP17] what is in no text by chance is vouched for where the configuration has it", () => {
  const kindOf = traceAfter(
    "Post to #general, or /ops, for 10 people in ~/rest or so; see wiki.page and git://host.",
  );
  for (const value of ["#general", "/ops", 10, "wiki.page", "git://host", "~/rest"])
    expect(kindOf(value), String(value)).toBe("configuration");
  for (const value of ["general", "people", 9, "for"]) expect(kindOf(value), String(value)).toBe("invented");
});

test("[YP17] a heading vouches for nothing, a sign in the middle of a line begins none", () => {
  const kindOf = traceAfter("# At bob@x.example\n### room_7\nThe C# house is 12 Long Lane, see room_8.");
  expect([kindOf("bob@x.example"), kindOf("room_7")]).toEqual(["invented", "invented"]);
  expect([kindOf("12 Long Lane"), kindOf("room_8")]).toEqual(["configuration", "configuration"]);
  expect(withoutHeadings("# A\n####### b\n#c")).toBe("\n####### b\n#c");
});
