import { type RunContext, ToolsError, defineTool } from "@deputy/tools";
import { expect, test } from "vitest";
import { z } from "zod";
import { readAll, setUpGate } from "../agent.fixture.ts";

const TOKEN = "tok-7f3a9c51d2e84b60";
const FORMS = [TOKEN, Buffer.from(TOKEN).toString("base64"), Buffer.from(TOKEN).toString("hex")];

function setup() {
  const asked: string[] = [];
  const seen: string[] = [];
  const late: { context?: RunContext } = {};
  const tool = (run: (context: RunContext) => Promise<unknown>) =>
    defineTool({
      description: "Asks a service",
      approval: "auto",
      effect: "read",
      credentials: { service: "What the service gave you" },
      args: z.object({}),
      run: (_input, context) => run(context),
    });
  const get = async ({ credentials }: RunContext): Promise<string> => {
    const secret = await credentials.get("service");
    seen.push(secret);
    return secret;
  };
  const setUp = setUpGate({
    extra: {
      service: {
        quiet: tool(async (context) => void (await get(context))),
        leaky: tool(async (context) => {
          const secret = await get(context);
          context.progress(`with ${secret}`);
          context.log(`with ${secret}`);
          return { headers: { [`x-${secret}`]: FORMS }, text: `${secret}, and then some` };
        }),
        halves: tool(async (context) => {
          const secret = await get(context);
          for (const half of [secret.slice(0, 9), secret.slice(9)]) {
            context.progress(half);
            context.log(half);
          }
          context.progress(secret.slice(0, 5));
          return [secret.slice(0, 9), secret.slice(9)].map((text, n) => ({ type: "delta", n, text }));
        }),
        failing: tool(async (context) => {
          throw new Error(`refused ${await get(context)}`);
        }),
        greedy: tool(({ credentials }) => credentials.get("mail")),
        late: tool(async (context) => void (late.context = context)),
      },
      other: { tool: tool(get) },
    },
    credentials: async (toolPath, name) => {
      asked.push(`${toolPath} ${name}`);
      if (!toolPath.startsWith("service."))
        throw new ToolsError("credential_refused", `The credential “${name}” is not for ${toolPath}`);
      return TOKEN;
    },
  });
  const everything = async (): Promise<string> => JSON.stringify(await readAll(setUp.log, setUp.stream));
  return { ...setUp, asked, seen, late, everything };
}

test("[A141] a tool is given its credential for each call, and asks for it each time", async () => {
  const { call, asked, seen, everything } = setup();
  expect(await call("service.quiet", {})).toMatchObject({ status: "succeeded", resultJson: "null" });
  await call("service.quiet", {});
  expect(asked).toEqual(["service.quiet service", "service.quiet service"]);
  expect(seen).toEqual([TOKEN, TOKEN]);
  expect(await everything()).not.toContain(TOKEN);
});

test("[A141] in whatever form a tool gives it away, neither program nor log has it", async () => {
  const { call, everything, logged } = setup();
  const receipt = await call("service.leaky", {});
  expect(receipt.status).toBe("succeeded");
  expect(receipt.resultJson).toContain("and then some");
  for (const form of FORMS) expect(receipt.resultJson).not.toContain(form);
  expect(logged).toEqual(["with [redacted]"]);
  const failed = await call("service.failing", {});
  expect(failed.error?.message).toBe("refused [redacted]");
  const all = await everything();
  expect(all).toContain("and then some");
  for (const form of FORMS) expect(all).not.toContain(form);
});

test("[A141] [A6] told in halves, neither program nor log has it: not in its result, nor in its progress", async () => {
  const { call, log, stream } = setup();
  const { resultJson = "" } = await call("service.halves", {});
  expect(JSON.parse(resultJson)).toEqual([
    { type: "delta", n: 0, text: "[redacted]" },
    { type: "delta", n: 1, text: "[redacted]" },
  ]);
  const events = await readAll(log, stream);
  const told = events.filter(({ type }) => type === "call.progress").map(({ data }) => data);
  // What only began like it is told once the call is over, and before its end.
  expect(told).toMatchObject([{ message: "[redacted]" }, { message: "[redacted]" }, { message: "tok-7" }]);
  expect(events.at(-1)?.type).toBe("call.settled");
  const all = JSON.stringify(events);
  for (const half of [TOKEN.slice(0, 9), TOKEN.slice(9)]) expect(all).not.toContain(half);
});

test("[A141] a tool gets no credential that it does not declare, or that is another's", async () => {
  const { call, asked, seen } = setup();
  expect((await call("service.greedy", {})).error).toMatchObject({ code: "credential_refused" });
  expect(asked).toEqual([]);
  expect((await call("other.tool", {})).error).toEqual({
    code: "credential_refused",
    message: "The credential “service” is not for other.tool",
  });
  expect(seen).toEqual([]);
});

test("[A141] once its call is over, a tool gets nothing more", async () => {
  const { call, late, asked } = setup();
  await call("service.late", {});
  await expect(late.context?.credentials.get("service")).rejects.toMatchObject({
    code: "credential_refused",
  });
  expect(asked).toEqual([]);
});
