import { CodedError } from "@deputy/kit";
import { EventLogError } from "@deputy/protocol";
import { problemSchema } from "@deputy/protocol/wire";
import { expect, onTestFinished, test } from "vitest";
import { startTestGateway } from "./test/gateway.fixture.ts";

async function setup(failure?: Error) {
  const gateway = await startTestGateway();
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  if (failure !== undefined) gateway.tasks.list = () => Promise.reject(failure);
  const problemOf = async (response: Response) => {
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    const problem = problemSchema.parse(await response.json());
    expect(problem.status).toBe(response.status);
    return problem;
  };
  return { ...gateway, problemOf };
}

test("[G7] an unknown address is a problem with a code", async () => {
  const { fetch, problemOf } = await setup();
  expect(await problemOf(await fetch("/api/nothing"))).toMatchObject({ status: 404, code: "not_found" });
  expect(await problemOf(await fetch("/api/tasks/"))).toMatchObject({ status: 404 });
});

test("[G7] a parameter longer than any id is an unknown address", async () => {
  const { fetch, problemOf } = await setup();
  expect(await problemOf(await fetch(`/api/tasks/${"x".repeat(101)}`))).toMatchObject({
    status: 404,
    detail: "There is no such route",
  });
});

test("[G7] answers a wrong method with the allowed ones", async () => {
  const { fetch, problemOf } = await setup();
  const response = await fetch("/api/tasks", { method: "DELETE" });
  expect(response.headers.get("allow")).toBe("POST, GET");
  expect(await problemOf(response)).toMatchObject({ status: 405, code: "method_not_allowed" });
  expect((await fetch("/health", { method: "HEAD" })).status).toBe(405);
});

test("[G7] an address that cannot be decoded is a problem too", async () => {
  const { raw } = await setup();
  const { status, headers, body } = await raw({ path: "/api/tasks/%zz" });
  expect([status, headers["content-type"]]).toEqual([400, "application/problem+json"]);
  expect(JSON.parse(body)).toMatchObject({ code: "invalid_request" });
});

test.each([
  [{}, "prompt"],
  [{ prompt: "" }, "prompt"],
  [{ prompt: "x", kind: "never" }, "kind"],
  [{ prompt: "x", budget: { tokens: -1 } }, "budget.tokens"],
  [{ program: {} }, "program.code"],
  [{ program: { code: "", language: "python" } }, "program.language"],
  [{ program: { code: "", language: "typescript", plugins: ["lamp.ts"] } }, "program.plugins.0"],
  [[], "body"],
  ["text", "body"],
])("[G8] refuses an invalid body by field: %j", async (body, field) => {
  const { post, problemOf } = await setup();
  const problem = await problemOf(await post("/api/tasks", body));
  expect(problem).toMatchObject({ status: 400, code: "invalid_request" });
  expect(problem.detail).toMatch(new RegExp(`^${field}: `));
});

test("[G8] refuses an unknown field and a missing body", async () => {
  const { fetch, post, problemOf } = await setup();
  const extra = await problemOf(await post("/api/tasks", { prompt: "x", promt: "y" }));
  expect(extra.detail).toContain("promt");
  const none = await problemOf(await fetch("/api/tasks", { method: "POST" }));
  expect(none).toMatchObject({ status: 400, code: "invalid_request" });
});

test("[G8] refuses a program beyond the limit by field", async () => {
  const { post, problemOf } = await setup();
  const program = { code: "x".repeat(262_145), language: "typescript" };
  const problem = await problemOf(await post("/api/tasks", { program }));
  expect(problem).toMatchObject({ status: 400, detail: expect.stringMatching(/^program\.code: /) });
});

test("[G8] refuses an invalid query parameter by name", async () => {
  const { fetch, problemOf } = await setup();
  const problem = await problemOf(await fetch("/api/approvals?status=resolved"));
  expect(problem.detail).toMatch(/^status: /);
});

test("[G9] a bug tells the client nothing and is reported in full", async () => {
  const bug = new Error("password=hunter2 at /home/ada/secret.ts");
  const { fetch, problemOf, bugs } = await setup(bug);
  const problem = await problemOf(await fetch("/api/tasks"));
  expect(problem).toMatchObject({ status: 500, code: "internal" });
  expect(JSON.stringify(problem)).not.toMatch(/hunter2|secret\.ts/);
  expect(bugs).toEqual([bug]);
});

test("[G9] a coded error of a lower package keeps its code", async () => {
  const { fetch, problemOf, bugs } = await setup(new EventLogError("storage_full", "The disk is full"));
  expect(await problemOf(await fetch("/api/tasks"))).toMatchObject({
    status: 507,
    code: "storage_full",
    detail: "The disk is full",
  });
  expect(bugs).toEqual([]);
});

test("[G9] reports what the shutdown interrupts as such, not as a bug", async () => {
  const { fetch, problemOf, bugs } = await setup(new DOMException("Stopped by shutdown", "AbortError"));
  expect(await problemOf(await fetch("/api/tasks"))).toMatchObject({ status: 503, code: "shutting_down" });
  expect(bugs).toEqual([]);
});

test.each(["plugin_not_found", "plugin_failed", "plugin_invalid", "invalid_tool", "duplicate_tool"])(
  "[G9] a plugin that cannot be loaded keeps its code and message: %s",
  async (code) => {
    const { post, problemOf, tasks } = await setup();
    tasks.create = () => Promise.reject(new Refusal(code, "There is no plugin file /lamp.ts"));
    const problem = await problemOf(await post("/api/tasks", { prompt: "x" }));
    expect(problem).toMatchObject({ status: 422, code, detail: "There is no plugin file /lamp.ts" });
  },
);

class Refusal extends CodedError<string> {}

test("[G9] reports a kind of task that is not built yet", async () => {
  const { post, problemOf } = await setup();
  const problem = await problemOf(
    await post("/api/tasks", { prompt: "x", kind: "recurring", schedule: "@daily" }),
  );
  expect(problem).toMatchObject({ status: 501, code: "not_available" });
});
