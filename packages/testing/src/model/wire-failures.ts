import { type Model, ModelError, type ModelErrorCode, type ModelEvent } from "@deputy/model";
import { expect, test } from "vitest";
import type { FakeModelServer } from "./fake/fake-model-server.ts";
import type { FailurePoint, FaultName, ScriptedStep } from "./fake/scripted-answer.ts";
import { askWith } from "./play-conversation.ts";
import type { WireHarness } from "./wire-harness.ts";

const codes: Readonly<Record<FaultName, ModelErrorCode>> = {
  wrong_key: "wrong_key",
  forbidden: "wrong_key",
  unknown_model: "unknown_model",
  no_credit: "no_credit",
  rate_limited: "rate_limited",
  overloaded: "overloaded",
  server_error: "overloaded",
  timeout: "timeout",
  context_overflow: "context_overflow",
  output_limit: "output_limit",
  bad_request: "bad_request",
  content_filter: "content_filter",
};

const points: readonly FailurePoint[] = ["before_output", "after_output"];
const SAFE = { none: "nothing ran", some: "nothing that it asks for ran" };

export function describeWireFailures(
  harness: WireHarness,
  use: () => {
    readonly fake: FakeModelServer;
    readonly create: (options?: { readonly apiKey?: string }) => Model;
  },
): void {
  const failWith = async (step: ScriptedStep): Promise<{ error: ModelError; seen: ModelEvent[] }> => {
    const { fake, create } = use();
    fake.play(step);
    return await failOf(create());
  };

  test.each(faultsOf(harness))("[W6] an answer of status for %s is %s", async (fault, code) => {
    const { error, seen } = await failWith({ kind: "status", fault });
    expect(error).toMatchObject({ code, output: "none" });
    expect(error.message).toContain("nothing ran");
    expect(seen).toEqual([]);
  });

  test("[W30] shows the server's own description of the problem after our sentence", async () => {
    const { faults } = harness.createFake();
    const words = /"(?:message|error)":"([^"]+?)\.?"/.exec(JSON.stringify(faults.server_error?.body))?.[1];
    const told = `${harness.providerName} is overloaded or out of order`;
    const byStatus = await failWith({ kind: "status", fault: "server_error" });
    expect(byStatus.error.message.startsWith(`${told} (500): ${words}.`)).toBe(true);
    const inStream = await failWith({ kind: "error_event", fault: "server_error", at: "after_output" });
    expect(inStream.error.message).toMatch(told);
    expect(inStream.error.message).toContain(`: ${words}.`);
  });

  test("[W30] reports an error with a success status like any other", async () => {
    const body = JSON.stringify({ error: { message: "The disk\u0007 is full", code: 503 } });
    const { error } = await failWith({ kind: "document", contentType: "application/json", body });
    expect(error).toMatchObject({ code: "overloaded", output: "none" });
    expect(error.message).toContain(": The disk\\u{7} is full.");
  });

  test.each([
    ["retry-after", "7", 7_000],
    ["retry-after-ms", "250", 250],
    ["retry-after", "soon", undefined],
  ])("[W6] %s: %s is a wait of %s ms", async (name, value, retryAfterMs) => {
    const fault = "rate_limited" in harness.createFake().faults ? "rate_limited" : "overloaded";
    const { error } = await failWith({ kind: "status", fault, headers: { [name]: value } });
    expect(error.retryAfterMs).toBe(retryAfterMs);
  });

  test.each(
    points.flatMap((at) => (["server_error", "context_overflow"] as const).map((fault) => ({ at, fault }))),
  )("[W7] an error event for $fault $at", async ({ at, fault }) => {
    const { error, seen } = await failWith({ kind: "error_event", fault, at });
    expect(error).toMatchObject({ code: codes[fault], output: outputAt(at) });
    expect(seen.some(({ kind }) => kind === "text")).toBe(at === "after_output");
  });

  test.each(points.flatMap((at) => (["broken", "ended"] as const).map((how) => ({ at, how }))))(
    "[W7] a stream that is $how $at is stream_cut",
    async ({ at, how }) => {
      const { error, seen } = await failWith({ kind: "cut", how, at });
      expect(error).toMatchObject({ code: "stream_cut", output: outputAt(at) });
      expect(error.message).toContain(SAFE[outputAt(at)]);
      expect(seen.some(({ kind }) => kind === "text")).toBe(at === "after_output");
      expect(seen.some(({ kind }) => kind === "stop")).toBe(false);
    },
  );

  test.each(harness.nonsense)("[W8] %j is garbage", async (text) => {
    const { error } = await failWith({ kind: "garbage", text, at: "before_output" });
    expect(error.code).toBe("garbage");
    expect(error.message).toContain("is not an answer");
  });

  test.each(["text/html", "application/json"])(
    "[W8] a document of type %s is garbage",
    async (contentType) => {
      const { error } = await failWith({
        kind: "document",
        contentType,
        body: "<p>Sign in to this network</p>",
      });
      expect(error).toMatchObject({ code: "garbage", output: "none" });
    },
  );

  if (!harness.wantsKey) return;

  test("[W9] without a key nothing is sent", async () => {
    const { fake, create } = use();
    const before = fake.requests.length;
    const { error } = await failOf(create({ apiKey: " " }));
    expect(error.code).toBe("missing_key");
    expect(error.message).toMatch(/Set \w+_API_KEY/);
    expect(fake.requests).toHaveLength(before);
  });

  test.each(["sk-wrong", "two\nlines"])("[W9] a refused key %j is not sent again", async (apiKey) => {
    const { error } = await failOf(use().create({ apiKey }));
    expect(error.code).toBe("wrong_key");
    expect(error.message).not.toContain(apiKey);
  });
}

function faultsOf(harness: WireHarness): readonly (readonly [FaultName, ModelErrorCode])[] {
  const faults = Object.keys(harness.createFake().faults) as FaultName[];
  // That error is not final: see the mishaps.
  return faults.filter((fault) => fault !== "output_limit").map((fault) => [fault, codes[fault]]);
}

const outputAt = (at: FailurePoint): "none" | "some" => (at === "before_output" ? "none" : "some");

/** The error an answer ends with, and what was passed on before it. */
export async function failOf(
  model: Model,
  onEvent: () => void = () => undefined,
): Promise<{ error: ModelError; seen: ModelEvent[] }> {
  const seen: ModelEvent[] = [];
  try {
    for await (const event of askWith(model, [{ role: "user", text: "Hello" }])) {
      seen.push(event);
      onEvent();
    }
  } catch (error) {
    if (error instanceof ModelError) return { error, seen };
    throw error;
  }
  throw new Error("it did not fail");
}
