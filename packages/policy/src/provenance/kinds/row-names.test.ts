import { expect, test } from "vitest";
import { createRowNames } from "./row-names.ts";

function setup(
  results: readonly { readonly tool: string; readonly input?: unknown; readonly result: unknown }[],
) {
  const rows = createRowNames();
  for (const { tool, input, result } of results) for (const _ of rows.addSteps(tool, result, input));
  return (toolPath: string, input: Record<string, string | number>, name: string) =>
    rows.find(input[name] ?? "", { name, toolPath }, input)?.text;
}

const issues = [
  { number: 31, title: "Login loops", state: "open" },
  { number: 32, title: "Dark mode flickers", state: "open" },
];

test("[YP30] an id stands for the record that a tool of the same service has shown", () => {
  const find = setup([{ tool: "tracker.list_issues", input: { state: "open" }, result: issues }]);
  expect(find("tracker.update_issue", { number: 31, state: "closed" }, "number")).toBe("Login loops");
  expect(find("tracker.update_issue", { issue_number: 32 }, "issue_number")).toBe("Dark mode flickers");
  expect(find("tracker.update_issue", { number: 33 }, "number")).toBeUndefined();
});

test("[YP30] not one of another kind, another service or another place", () => {
  const find = setup([
    { tool: "github.issues.list", input: { owner: "acme", repo: "website" }, result: issues },
    { tool: "drive.list_files", result: { files: [{ id: "31", name: "thesis.docx" }] } },
  ]);
  expect(find("github.issues.close", { owner: "acme", repo: "website", number: 31 }, "number")).toBe(
    "Login loops",
  );
  expect(find("github.issues.close", { owner: "acme", repo: "app", number: 31 }, "number")).toBeUndefined();
  expect(find("calendar.delete_event", { event_id: "31" }, "event_id")).toBeUndefined();
  expect(find("drive.delete_file", { file_id: "31" }, "file_id")).toBe("thesis.docx");
});

test("[YP30] nothing is told where two records could be meant, or of what is no id", () => {
  const find = setup([
    { tool: "tracker.list_issues", input: { project: "a" }, result: issues },
    { tool: "tracker.list_issues", input: { project: "b" }, result: [{ number: 31, title: "Pay mallory" }] },
  ]);
  expect(find("tracker.update_issue", { number: 31 }, "number")).toBeUndefined();
  expect(find("tracker.update_issue", { number: 31, project: "b" }, "number")).toBe("Pay mallory");
  expect(find("tracker.update_issue", { title: "31 things" }, "title")).toBeUndefined();
});

test.each(["title", "subject", "name", "summary", "label", "headline", "filename", "displayText"])(
  "[YP30] people call a thing by its %s",
  (field) => {
    const find = setup([{ tool: "tracker.list_issues", result: [{ number: 31, [field]: "Login loops" }] }]);
    expect(find("tracker.update_issue", { number: 31 }, "number")).toBe("Login loops");
  },
);

test("[YP30] by the first of these that has a text of at most 200 characters", () => {
  const told = (fields: object) =>
    setup([{ tool: "tracker.list_issues", result: [{ number: 31, ...fields }] }])(
      "tracker.update_issue",
      { number: 31 },
      "number",
    );
  expect(told({ name: "loops", title: "Login loops" })).toBe("Login loops");
  expect(told({ title: "  ", name: "loops" })).toBe("loops");
  expect(told({ title: 7, name: "loops" })).toBe("loops");
  expect(told({ title: "x".repeat(200), name: "loops" })).toBe("x".repeat(200));
  expect(told({ title: "x".repeat(201), name: "loops" })).toBe("loops");
  expect(told({ title: " " })).toBeUndefined();
});

test("[YP30] a record without a name, and a number that is no id, tell nothing and hide nothing", () => {
  const find = setup([
    { tool: "tracker.list_issues", result: [{ number: 31, state: "open" }] },
    { tool: "tracker.list_issues", result: [{ number: 31, title: "Login loops", amount: 40 }] },
  ]);
  expect(find("tracker.update_issue", { number: 31 }, "number")).toBe("Login loops");
  expect(find("tracker.update", { amount_id: 40 }, "amount_id")).toBeUndefined();
});

test("[YP30] calls whose inputs are no objects may be about the same place", () => {
  for (const [read, acts] of [
    [null, { number: 31 }],
    ["all", { number: 31 }],
    [{ project: "a" }, null],
    [{ project: "a" }, "31"],
    [{ project: "a" }, { number: 31 }],
  ]) {
    const rows = createRowNames();
    for (const _ of rows.addSteps("tracker.list_issues", issues, read));
    expect(rows.find(31, { name: "number", toolPath: "tracker.close_issue" }, acts)?.text).toBe(
      "Login loops",
    );
  }
});

test("[YP16] a large result is taken in steps, and twenty thousand records are kept", () => {
  const rows = createRowNames();
  const many = Array.from({ length: 20_001 }, (_, at) => ({ number: at, title: `Issue ${at}` }));
  const steps = [...rows.addSteps("tracker.list_issues", many, undefined)];
  expect(steps).toHaveLength(40);
  const told = (number: number) =>
    rows.find(number, { name: "number", toolPath: "tracker.close_issue" }, {})?.text;
  expect([told(0), told(19_999), told(20_000)]).toEqual(["Issue 0", "Issue 19999", undefined]);
});
