import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineTool, type ToolTree } from "@deputy/tools";
import { expect, test } from "vitest";
import { z } from "zod";
import { openTestDemo, REHEARSAL } from "./demo.fixture.ts";

const TOOL = defineTool({ description: "Mine", approval: "auto", args: z.object({}), run: () => 1 });
const own = (tree: ToolTree) => [{ source: "plugin", tree }];
const where = { owner: "acme", repo: "website" };

test("the rehearsal has the demo: reads just run, changes ask, and each tool says that it is a demo", async () => {
  const { tools } = await openTestDemo();
  expect(tools.list().map(({ path, effect, approval }) => `${path} ${effect} ${approval}`)).toEqual([
    "github.issues.close write required",
    "github.issues.comment egress required",
    "github.issues.get read auto",
    "github.issues.list read auto",
    "github.repositories.list read auto",
    "mail.messages.archive write required",
    "mail.messages.delete destructive required",
    "mail.messages.get read auto",
    "mail.messages.list read auto",
    "mail.messages.search read auto",
    "mail.messages.send egress required",
    "metrics.get_total read auto",
    "metrics.list_series read auto",
    "metrics.query_series read auto",
  ]);
  for (const { description } of tools.list())
    expect(description).toContain("(demo: the folder demo in Deputy's home");
});

test("no other model has it", async () => {
  expect((await openTestDemo({ provider: "anthropic", model: "x" })).tools.list()).toEqual([]);
});

test.each<readonly [string, ToolTree]>([
  ["the same path", { github: { issues: { close: TOOL } } }],
  ["the same namespace", { github: { repositories: { find: TOOL } } }],
  ["the namespace as a tool", { github: TOOL }],
])("a service gives way to the user's tools at %s; the others stay", async (_what, tree) => {
  const { tools } = await openTestDemo(REHEARSAL, own(tree));
  const names = new Set(tools.list().map(({ path }) => path.split(".")[0]));
  expect([...names]).toEqual(["github", "mail", "metrics"]);
  expect(tools.list().filter(({ path }) => path.startsWith("github"))).toHaveLength(1);
});

test("asks nothing and creates no file before a tool is called", async () => {
  const { home, asked, tools, call } = await openTestDemo();
  tools.declarations();
  expect([readdirSync(home), asked]).toEqual([[], []]);
  await call("github.repositories.list");
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatch(/^127\.0\.0\.1:\d+$/);
  expect(readdirSync(home)).toEqual(["demo"]);
});

test("only the owner can read its files", async () => {
  const { folder, call } = await openTestDemo();
  await call("github.repositories.list");
  await call("mail.messages.list");
  await call("mail.messages.send", { body: { to: ["noor@acme.example"], subject: "a", text: "b" } });
  await call("metrics.query_series", { name: "errors" });
  expect(readdirSync(folder)).toEqual(["mailbox.json", "metrics.json", "outbox.json", "tracker.json"]);
  for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))])
    expect(statSync(path).mode & 0o077).toBe(0);
});

test("every answer matches its document", async () => {
  const { logs, call } = await openTestDemo();
  await call("github.repositories.list");
  await call("github.issues.list", where);
  await call("github.issues.get", { ...where, issueNumber: 3 });
  await call("github.issues.comment", { ...where, issueNumber: 3, body: { text: "Mine, too" } });
  await call("github.issues.close", { ...where, issueNumber: 3 });
  await call("mail.messages.list", { folder: "inbox", unread: true });
  await call("mail.messages.search", { words: "invoice" });
  await call("mail.messages.get", { id: "m1" });
  await call("mail.messages.archive", { id: "m1" });
  await call("mail.messages.delete", { id: "m2" });
  await call("mail.messages.send", { body: { to: ["noor@acme.example"], subject: "a", text: "b" } });
  await call("metrics.list_series");
  await call("metrics.get_total", { name: "visitors" });
  await call("metrics.query_series", { name: "latency", from: "2024-12-01", until: "2024-12-31" });
  expect(logs).toEqual([]);
});

test("the next start continues with the old state, under another address and token, and asks the same", async () => {
  const { tools, call, start, callOn, asked, secrets } = await openTestDemo();
  await call("github.issues.close", { ...where, issueNumber: 1 });
  const next = await start();
  const [first] = (await callOn(next, "github.issues.list", { ...where, state: "all" })) as {
    state: string;
  }[];
  expect(first?.state).toBe("closed");
  expect(new Set(asked).size).toBe(2);
  expect(new Set(secrets).size).toBe(2);
  const input = { ...where, issueNumber: 3, title: "Dark mode flickers" };
  expect(next.get("github.issues.close")?.preview(input)).toEqual(
    tools.get("github.issues.close")?.preview(input),
  );
});

test("deleting its folder starts over", async () => {
  const { folder, call } = await openTestDemo();
  const before = await call("github.issues.list", where);
  await call("github.issues.close", { ...where, issueNumber: 1 });
  rmSync(folder, { recursive: true });
  expect(await call("github.issues.list", where)).toEqual(before);
});

test.each(["{", '{"issues":[{"number":"1"}]}'])(
  "names a damaged file and leaves it unchanged: %s",
  async (text) => {
    const { folder, call } = await openTestDemo();
    await call("github.repositories.list");
    writeFileSync(join(folder, "tracker.json"), text);
    await expect(call("github.repositories.list")).rejects.toThrow(
      "demo/tracker.json in Deputy's home is damaged; delete it",
    );
    expect(readFileSync(join(folder, "tracker.json"), "utf8")).toBe(text);
  },
);
