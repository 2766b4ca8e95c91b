import { openFakeGitHub, requireTool } from "@deputy/testing";
import { expect, test } from "vitest";
import { createCatalogue } from "@deputy/tools";
import { createGitHubPlugin } from "./create-github-plugin.ts";

const TOKEN = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
const repository = { owner: "acme", repo: "demo" };
const live = new AbortController().signal;

/** The plugin over a server that knows one repository. */
async function setup(token = TOKEN) {
  const github = await openFakeGitHub({
    token: TOKEN,
    issues: [
      { number: 1, title: "Search finds nothing", labels: ["bug"], body: "On Safari" },
      { number: 2, title: "A fix", isPull: true },
      { number: 3, title: "Old", state: "closed" },
    ],
  });
  const catalogue = createCatalogue([
    { source: "github", tree: createGitHubPlugin({ baseUrl: github.origin }) },
  ]);
  const toolAt = (path: string) => requireTool(catalogue, path);
  const parse = async (path: string, input: object) => {
    const parsed = await toolAt(path).parseInput(input);
    if (parsed.kind === "invalid") throw new Error(parsed.message);
    return parsed.input;
  };
  const call = async (path: string, input: object) =>
    await toolAt(path).run(await parse(path, input), {
      signal: live,
      idempotencyKey: "k",
      sessionKey: "s",
      approvedBy: "user",
      progress: () => undefined,
      log: () => undefined,
      credential: async () => token,
    });
  const card = async (path: string, input: object) => toolAt(path).preview(await parse(path, input));
  return {
    github,
    catalogue,
    toolAt,
    call,
    card,
    [Symbol.asyncDispose]: () => github[Symbol.asyncDispose](),
  };
}

test("[PG1] reads issues, pull requests and repositories over GitHub's documented API", async () => {
  await using world = await setup();
  const { call } = world;
  expect(await call("github.issues.list", repository)).toMatchObject([
    { number: 1, title: "Search finds nothing", state: "open", author: "ada", labels: ["bug"] },
  ]);
  expect(await call("github.issues.list", { ...repository, state: "all", limit: 1, page: 3 })).toMatchObject([
    { number: 3 },
  ]);
  expect(await call("github.issues.list", { ...repository, labels: ["none"] })).toEqual([]);
  expect(await call("github.issues.get", { ...repository, number: 1 })).toMatchObject({ body: "On Safari" });
  expect(await call("github.pulls.list", repository)).toMatchObject([
    { number: 2, isDraft: true, from: "fix", into: "main" },
  ]);
  expect(await call("github.repos.search", { query: "demo" })).toMatchObject([
    { name: "acme/demo", stars: 7, description: "" },
  ]);
  expect(world.github.calls.every(({ method }) => method === "GET")).toBe(true);
});

test("[PG1] opens, comments on and closes issues", async () => {
  await using world = await setup();
  const { call, github } = world;
  const made = { ...repository, title: "New", body: "Text", labels: ["bug"] };
  expect(await call("github.issues.create", made)).toMatchObject({
    number: 4,
    title: "New",
    labels: ["bug"],
  });
  await call("github.issues.comment", { ...repository, number: 4, body: "Done in 5" });
  expect(github.comments).toEqual([{ number: 4, body: "Done in 5" }]);
  await call("github.issues.close", { ...repository, number: 4, reason: "not_planned" });
  expect(github.issues.at(-1)).toMatchObject({ state: "closed", state_reason: "not_planned" });
});

test("[PG1] reads just run, writes ask with what they will write, and all declare the token", async () => {
  await using world = await setup();
  const { catalogue, card } = world;
  const modes = Object.fromEntries(
    catalogue.list().map(({ path, approval, effect }) => [path, `${approval} ${effect}`]),
  );
  expect(modes).toEqual({
    "github.issues.close": "required write",
    "github.issues.comment": "required egress",
    "github.issues.create": "required egress",
    "github.issues.get": "auto read",
    "github.issues.list": "auto read",
    "github.pulls.list": "auto read",
    "github.repos.search": "auto read",
  });
  for (const { credentials, trust } of catalogue.list()) {
    expect(Object.keys(credentials ?? {})).toEqual(["github"]);
    expect(trust).not.toBe("trusted");
  }
  expect(await card("github.issues.create", { ...repository, title: "New", labels: ["bug"] })).toEqual({
    title: "Open an issue in acme/demo: New",
    details: "(no text)\n\nLabels: bug",
  });
  expect((await card("github.issues.close", { ...repository, number: 4 })).title).toBe(
    "Close acme/demo#4 as completed",
  );
  expect(await card("github.issues.comment", { ...repository, number: 4, body: "All of it" })).toEqual({
    title: "Comment on acme/demo#4",
    details: "All of it",
  });
});

test.each([
  [401, {}, "http_unauthorized"],
  [403, {}, "http_forbidden"],
  [403, { "x-ratelimit-remaining": "0" }, "http_rate_limited"],
  [404, {}, "http_not_found"],
  [422, {}, "http_bad_request"],
  [502, {}, "http_server_error"],
])("[PG2] a refusal with %i and %j is %s", async (status, headers, code) => {
  await using world = await setup();
  world.github.answerNext({ status, headers, body: { message: "No." } });
  await expect(world.call("github.issues.list", repository)).rejects.toMatchObject({
    code,
    message: `GitHub refused it (${status}): No.`,
  });
});

test("[PG2] sends the token only to GitHub: not after a redirect, not to a path of the caller's choice", async () => {
  await using world = await setup();
  await using elsewhere = await openFakeGitHub({ token: TOKEN, issues: [] });
  world.github.answerNext({ status: 302, headers: { location: `${elsewhere.origin}/steal` }, body: {} });
  await expect(world.call("github.issues.list", repository)).rejects.toMatchObject({
    code: "http_unreachable",
  });
  expect(elsewhere.calls).toEqual([]);
  for (const owner of ["..", "a/b", "a?b", "", "http://x"])
    expect((await world.toolAt("github.issues.list").parseInput({ owner, repo: "demo" })).kind).toBe(
      "invalid",
    );
  world.github.answerNext({ status: 200, body: [{ number: "one" }] });
  await expect(world.call("github.issues.list", repository)).rejects.toMatchObject({
    code: "response_invalid",
  });
});

test("[PG2] GitHub refuses a wrong token", async () => {
  await using world = await setup("another");
  await expect(world.call("github.issues.list", repository)).rejects.toMatchObject({
    code: "http_unauthorized",
  });
});
