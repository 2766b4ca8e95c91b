import { expect, test, vi } from "vitest";
import { ACCEPT, setupMcp } from "../test/mcp.fixture.ts";

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
};

interface Answered {
  readonly result?: {
    readonly resultType?: string;
    readonly requestState?: string;
    readonly inputRequests?: object;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

/** A client of the newer protocol that can send anything. */
async function setup() {
  const made = await setupMcp();
  const run = async (more: object = {}): Promise<Answered> => {
    const headers = {
      ...ACCEPT,
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "run_code",
    };
    const params = { name: "run_code", arguments: { code: "return 1;" }, _meta: ENVELOPE, ...more };
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    return (await (await made.post("/mcp", body, headers)).json()) as Answered;
  };
  /** A program that asks, and the state that the client gets. */
  const begin = async (count: number) => {
    const running = run();
    const task = await made.task(count);
    const id = await made.ask(task, { title: `Send ${count}` });
    const { result } = await running;
    return { task, id, result, state: result?.requestState ?? "" };
  };
  return { ...made, run, begin };
}

const yes = (...ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, { action: "accept" }]));

test("[G66] a question comes with signed state; changed state is refused and answers nothing", async () => {
  const { run, begin, approvals } = await setup();
  const { id, result, state } = await begin(1);
  expect(result).toMatchObject({
    resultType: "input_required",
    inputRequests: { [id]: { method: "elicitation/create" } },
  });
  const [version, body = "", mac] = state.split(".");
  const forged = Buffer.from(body, "base64url")
    .toString()
    .replace(/"seq":\d+/, '"seq":0,"x":1');
  const states = [`${version}.${Buffer.from(forged).toString("base64url")}.${mac}`, `${state}x`, "x"];
  for (const requestState of states) {
    const { error } = await run({ requestState, inputResponses: yes(id) });
    expect(error).toMatchObject({ code: -32_602, message: "Invalid or expired requestState" });
  }
  expect(await approvals.answered(id)).toBeUndefined();
});

test("[G66] the state answers only what it asked", async () => {
  const { run, begin, approvals, end } = await setup();
  const first = await begin(1);
  const second = await begin(2);
  const going = run({ requestState: first.state, inputResponses: yes(first.id, second.id) });
  await vi.waitFor(async () =>
    expect(await approvals.answered(first.id)).toMatchObject({ decision: "approved" }),
  );
  await end(first.task);
  expect((await going).result).toMatchObject({ structuredContent: { taskId: first.task.id } });
  expect(await approvals.answered(second.id)).toBeUndefined();
});

test("[G66] answers without state begin a new program and answer nothing", async () => {
  const { run, begin, approvals, ask, task } = await setup();
  const { id } = await begin(1);
  const other = run({ inputResponses: yes(id) });
  await ask(await task(2), { title: "Send" });
  expect((await other).result).toMatchObject({ resultType: "input_required" });
  expect(await approvals.answered(id)).toBeUndefined();
});

test("[G66] asks again for a missing answer; the state ends with the token", async () => {
  const { run, begin, setToken } = await setup();
  const { id, state } = await begin(1);
  expect((await run({ requestState: state })).result).toMatchObject({
    resultType: "input_required",
    inputRequests: { [id]: {} },
  });
  setToken("another-token-of-the-owner");
  const { error } = await run({ requestState: state, inputResponses: yes(id) });
  expect(error).toMatchObject({ code: -32_602 });
});
