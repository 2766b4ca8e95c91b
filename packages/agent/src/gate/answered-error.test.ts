import { AnsweredError, defineTool, type ToolTree } from "@deputy/tools";
import { expect, test } from "vitest";
import { z } from "zod";
import { readAll, readyOrigins, SECRET, setUpGate } from "../agent.fixture.ts";
import { disagreements, NO_TOOLS, program, say, setUpRecording } from "../replay/recording.fixture.ts";
import { endProgramPartsAfterwards } from "../program-parts.fixture.ts";

endProgramPartsAfterwards();

const TOKEN = "tok-7f3a9c51d2e84b60";
const BODIES: Readonly<Record<string, unknown>> = {
  small: { reason: "sold out", for: [SECRET], write: "eve@evil.example" },
  large: "x".repeat(5_000),
  huge: "x".repeat(70_000),
  deep: Array.from({ length: 300 }).reduce<unknown>((inner) => [inner], 1),
  none: "",
};

const SHOP: ToolTree = {
  shop: {
    buy: defineTool({
      description: "Refuses",
      approval: "auto",
      effect: "read",
      credentials: { shop: "What the shop gave you" },
      args: z.object({ how: z.string() }),
      run: async ({ how }, { credentials }) => {
        const body = how === "leaky" ? { token: await credentials.get("shop") } : BODIES[how];
        throw new AnsweredError("http_conflict", "shop.example answered 409", { status: 409, body });
      },
    }),
  },
};

const setup = () => setUpGate({ extra: SHOP, credentials: async () => TOKEN });

test("[A143] a refusal keeps its status and its body, whole for the program, and redacted in the log", async () => {
  const { call, log, stream } = setup();
  const { error } = await call("shop.buy", { how: "small" });
  expect(error).toMatchObject({ code: "http_conflict", message: "shop.example answered 409", status: 409 });
  expect(JSON.parse(error?.bodyJson ?? "")).toEqual(BODIES["small"]);
  const settled = (await readAll(log, stream)).at(-1)?.data;
  expect(settled).toMatchObject({
    error: { status: 409, body: { reason: "sold out", for: ["[redacted]"] } },
  });
});

test("[A143] a body that is long is not in the log, and one that is huge, deep or empty nowhere", async () => {
  const { call, log, stream } = setup();
  expect((await call("shop.buy", { how: "large" })).error?.bodyJson).toHaveLength(5_002);
  const data = (await readAll(log, stream)).at(-1)?.data as { readonly error: object };
  expect(data.error).toMatchObject({ status: 409 });
  expect(data.error).not.toHaveProperty("body");
  for (const how of ["huge", "deep", "none"]) {
    const { error } = await call("shop.buy", { how });
    expect(error).toMatchObject({ status: 409 });
    expect(error?.bodyJson, how).toBeUndefined();
  }
});

test("[A141] [A143] a credential is taken out of the body too", async () => {
  const { call } = setup();
  const { error } = await call("shop.buy", { how: "leaky" });
  expect(error?.bodyJson).toBe('{"token":"[redacted]"}');
});

test("[A51] [A143] the words of a body are the server's, as its program hears them and after a restart", async () => {
  const { call, log, stream, catalogue } = setup();
  const { origins, note, ready } = await readyOrigins(log).of(stream, catalogue, "");
  note(await call("shop.buy", { how: "small" }));
  await ready();
  const theirs = { kind: "untrusted", source: "shop.buy" };
  expect(origins.trace("eve@evil.example")).toEqual(theirs);
  const later = await readyOrigins(log).of(stream, catalogue, "");
  expect(later.origins.trace("eve@evil.example")).toEqual(theirs);
  const lost = { read: log.read, journal: { ...log.journal, async *read() {} } };
  const without = await readyOrigins(lost).of(stream, catalogue, "");
  expect(without.origins.trace("eve@evil.example")).toEqual(theirs);
});

test("[A80] [A143] a program gets status and body, and in a replay the very same from the record", async () => {
  const code = `try { return await tools.shop.buy({ how: "small" }); }
catch (thrown) { const { code, status, body } = thrown as ToolError; console.log(body); return [code, status, body]; }`;
  const { start, replay, log, stream } = setUpRecording([program(code), say("Sold out.")], { extra: SHOP });
  expect(await start()).toEqual({ kind: "completed" });
  const completed = (await readAll(log, stream)).find(({ type }) => type === "cell.completed");
  expect(completed?.data).toMatchObject({
    result: ["http_conflict", 409, { reason: "sold out", for: ["[redacted]"] }],
  });
  const { turns, summary } = await replay({ tools: NO_TOOLS });
  expect(disagreements(turns)).toEqual([]);
  expect(summary).toMatchObject({ cells: 1, calls: 1, diverged: 0, notReplayable: 0 });
});
