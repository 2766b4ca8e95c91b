import OpenAI from "openai";
import { expect, test } from "vitest";
import { type Daemon, PLUGIN, runDeputy, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

const CLOSE_ONE = `\`\`\`ts
return await tools.github.issues.close({ owner: "acme", repo: "demo", issueNumber: 1 });
\`\`\``;

const clientOf = (daemon: Daemon): OpenAI => new OpenAI({ apiKey: TOKEN, baseURL: `${daemon.url}/v1` });

test("[E48] an ordinary OpenAI client streams an answer; its question is answered elsewhere, and it continues", async () => {
  using home = scratchDirectory();
  await using daemon = await startDaemon(home.path, ["--tools", PLUGIN]);
  const client = clientOf(daemon);
  const [model] = await Array.fromAsync(await client.models.list());
  const stream = await client.chat.completions.create({
    model: model?.id ?? "",
    messages: [{ role: "user", content: CLOSE_ONE }],
    stream: true,
    stream_options: { include_usage: true },
  });
  let text = "";
  let answered = 0;
  let usage: OpenAI.CompletionUsage | null | undefined;
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? "";
    usage = chunk.usage ?? usage;
    const id = /deputy approvals approve (\S+?)`/.exec(text)?.[1];
    if (id === undefined || answered > 0) continue;
    answered += 1;
    expect((await daemon.post(`/api/approvals/${id}`, { decision: "approved" })).status).toBe(200);
  }
  expect(answered).toBe(1);
  expect(text).toMatch(/^[^]*Waiting for your approval:[^]*github\.issues\.close[^]*\n\nApproved\.\n\n\S/);
  expect(usage?.total_tokens).toBeGreaterThanOrEqual(0);
});

test("[E48] leaving stops the run; its open question is denied, and nothing has run", async () => {
  using home = scratchDirectory();
  await using daemon = await startDaemon(home.path, ["--tools", PLUGIN]);
  const client = clientOf(daemon);
  const stream = await client.responses.create({ model: "main", input: CLOSE_ONE, stream: true });
  let run = "";
  for await (const event of stream) {
    if (event.type === "response.created") run = event.response.id;
    if (event.type === "response.output_text.delta" && event.delta.includes("approval")) break;
  }
  let last = "";
  for await (const line of (await daemon.fetch(`/api/v2/stream/${run}`)).body?.pipeThrough(
    new TextDecoderStream(),
  ) ?? [])
    last = line;
  expect(last).toContain('"status":"aborted"');
  const listed = (await (await daemon.fetch("/api/approvals")).json()) as { approvals: unknown[] };
  expect(listed.approvals).toEqual([]);
});

test("[E48] a conversation continues after a restart, by the id of its last response", async () => {
  using home = scratchDirectory();
  let previous: string;
  {
    await using daemon = await startDaemon(home.path);
    previous = (
      await clientOf(daemon).responses.create({ model: "main", input: "```ts\nreturn 6 * 7;\n```" })
    ).id;
  }
  await using daemon = await startDaemon(home.path);
  const next = await clientOf(daemon).responses.create({
    model: "main",
    input: "Hello",
    previous_response_id: previous,
  });
  const session = next.metadata?.["session"] ?? "";
  const thread = (await (await daemon.fetch(`/api/v2/threads/${session}`)).json()) as {
    responses: { id: string }[];
  };
  expect(thread.responses.map(({ id }) => id)).toEqual([previous, next.id]);
  const shown = await runDeputy(["sessions", "list", "--json", "--home", home.path]);
  expect(shown.stdout).toContain(session);
});
