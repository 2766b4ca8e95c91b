import parsePrometheusTextFormat from "parse-prometheus-text-format";
import { expect, onTestFinished, test } from "vitest";
import { METRICS_TOKEN, startTestGateway, TOKEN } from "../test/gateway.fixture.ts";
import { metricsText } from "./metrics-text.ts";

async function setup(token: string | undefined = METRICS_TOKEN) {
  const gateway = await startTestGateway({ metricsToken: () => token });
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const scrape = (bearer: string) =>
    gateway.fetch("/metrics", { headers: { authorization: `Bearer ${bearer}` } });
  /** `name{label=value}` and its value, as somebody else's parser reads them. */
  const figures = async (): Promise<Record<string, string>> => {
    const response = await scrape(METRICS_TOKEN);
    expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    const families = parsePrometheusTextFormat(await response.text());
    return Object.fromEntries(
      families.flatMap(({ name, metrics }) =>
        metrics.map(({ labels, value }) => [[name, ...Object.values(labels ?? {})].join(" "), value]),
      ),
    );
  };
  return { ...gateway, scrape, figures };
}

test("[G165] the figures are of the whole log, each counted once, also when asked for again", async () => {
  const { log, ids, createTask, sessions, figures } = await setup();
  const { id } = await sessions.start({ key: "cli:ada", agentId: "main", channel: "cli" });
  const turnId = ids.next("turn");
  const usage = { inputTokens: 10, outputTokens: 4, cacheReadTokens: 3, modelCalls: 2 };
  const started = { agentId: "main", model: 'odd "model"\nname' };
  await log.append(id, [
    { type: "turn.started", turnId, data: started },
    { type: "turn.completed", turnId, data: { usage, cost: { amount: 0.5, currency: "USD" } } },
  ]);
  const { stream, id: taskId } = await createTask();
  const [asked, answered] = [ids.next("call"), ids.next("call")];
  const question = {
    toolPath: "mail.send",
    input: {},
    preview: { title: "Send" },
    bindingHash: "0".repeat(64),
  };
  await log.append(stream, [
    { type: "approval.requested", data: { ...question, approvalId: asked } },
    { type: "approval.requested", data: { ...question, approvalId: answered } },
    {
      type: "approval.resolved",
      data: { approvalId: answered, decision: "denied", by: "test", scope: "once" },
    },
  ]);
  const expected = {
    "deputy_info 1.2.3": "1",
    "deputy_turns_total completed": "1",
    "deputy_approvals_total denied": "1",
    deputy_approvals_open: "1",
    deputy_tasks_created_total: "1",
  };
  const [first] = await Promise.all([figures(), figures()]);
  expect(first).toMatchObject(expected);
  const ofModel = Object.entries(first).filter(([name]) => name.includes("odd"));
  expect(ofModel.map(([name, value]) => [name.split(" ")[0], name.split(" ").at(-1), value])).toEqual([
    ["deputy_model_calls_total", expect.any(String), "2"],
    ["deputy_tokens_total", "input", "10"],
    ["deputy_tokens_total", "output", "4"],
    ["deputy_tokens_total", "cache_read", "3"],
    ["deputy_tokens_total", "cache_write", "0"],
    ["deputy_cost_total", "USD", "0.5"],
  ]);
  await log.append(stream, [{ type: "task.completed", data: { taskId, outcome: "succeeded" } }]);
  expect(await figures()).toMatchObject({ ...expected, "deputy_tasks_ended_total succeeded": "1" });
  expect(Number((await figures())["process_resident_memory_bytes"])).toBeGreaterThan(1_000_000);
});

test("[G165] has a token of its own: the owner's opens no metrics, and that of metrics opens nothing else", async () => {
  const { scrape, fetch, url } = await setup();
  for (const wrong of [TOKEN, "", "x", `${METRICS_TOKEN}x`])
    expect((await scrape(wrong)).status, wrong).toBe(401);
  expect((await scrape(METRICS_TOKEN)).status).toBe(200);
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  expect((await fetch("/api/tasks", { headers })).status).toBe(401);
  expect((await globalThis.fetch(`${url}/metrics?token=${METRICS_TOKEN}`)).status).toBeGreaterThanOrEqual(
    400,
  );
});

test("[G165] wrong tokens are limited before they are compared; without a token there is nothing", async () => {
  const { scrape } = await setup();
  const answers: number[] = [];
  for (let tries = 0; tries < 40; tries += 1) answers.push((await scrape("wrong")).status);
  expect(answers.at(-1)).toBe(429);
  expect((await scrape(METRICS_TOKEN)).status).toBe(429);
  const without = await setup("");
  expect((await without.scrape("")).status).toBe(404);
});

test("[G165] the text is Prometheus' own: labels and help are escaped, and what has no value is left out", () => {
  const samples = [{ labels: { model: 'a"b\\c\nd' }, value: 1.5 }];
  const text = metricsText([
    { name: "a_total", kind: "counter", help: "One\nline \\ slash", samples },
    { name: "b", kind: "gauge", help: "", samples: [] },
  ]);
  expect(text).toBe(
    '# HELP a_total One\\nline \\\\ slash\n# TYPE a_total counter\na_total{model="a\\"b\\\\c\\nd"} 1.5\n',
  );
});
