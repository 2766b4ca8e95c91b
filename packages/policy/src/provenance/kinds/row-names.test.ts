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
