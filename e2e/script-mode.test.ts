import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StreamEvent } from "@deputy/protocol";
import { expect, test } from "vitest";
import { openPacedModel } from "./paced-model.ts";
import { homeWithoutEmbedder, startDaemon, TOKEN } from "./run-deputy.ts";

test("[E931] a script in an answer is taken out of it as it streams, runs with files and shell, and its result goes back; stream and thread tell the same", async () => {
  using home = homeWithoutEmbedder();
  writeFileSync(
    join(home.path, "config.json"),
    JSON.stringify({
      agent: { mode: "script" },
      tools: { search: { embeddingModel: "none" } },
      memory: { embeddingModel: "none" },
    }),
  );
  await using model = await openPacedModel();
  await using daemon = await startDaemon(home.path, [], { DEPUTY_TOKEN: TOKEN, ...model.env });
  const submitted = await daemon.post("/api/v2/submit", { prompt: "Note it", agentId: "main" });
  expect(submitted.status).toBe(202);
  const { runId, threadId } = (await submitted.json()) as Record<"runId" | "threadId", string>;
  const stream = daemon.fetch(`/api/v2/stream/${runId}`).then((response) => response.text());

  const first = await model.asked();
  const script = `await writeFile("a.txt", "tea");
console.log("noted");
return [await readFile("a.txt"), (await shell("cat a.txt")).stdout];`;
  // In pieces that no tag fits into.
  for (const piece of `I'll note it.\n<script>\n${script}\n</script>`.match(/[^]{1,5}/g) ?? [])
    first.write(piece);
  first.end();
  const second = await model.asked();
  expect(JSON.stringify(second.messages.at(-1)?.content)).toContain("noted");
  second.write("Noted.");
  second.end();

  const events = (await stream)
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => JSON.parse(line.slice("data: ".length)) as StreamEvent);
  const told = events.map(({ payload }) => payload).filter(({ type }) => type !== "item_delta");
  expect(
    told.map((payload) => ("item_type" in payload ? `${payload.type} ${payload.item_type}` : payload.type)),
  ).toEqual([
    "response_start",
    // The user's message is an item of the run, too.
    "item_start message",
    "item_done",
    "item_start message",
    "item_done",
    "item_start script_execution",
    "item_done",
    "item_start script_execution_output",
    "item_done",
    "item_start message",
    "item_done",
    "response_done",
  ]);
  const items = told.flatMap((payload) => (payload.type === "item_done" ? [payload.final_item] : []));
  const [, before, program, output, after] = items;
  expect(before).toMatchObject({ type: "message", role: "assistant", text: "I'll note it.\n" });
  expect(program).toMatchObject({ type: "script_execution", code: `\n${script}\n` });
  expect(output).toMatchObject({
    type: "script_execution_output",
    call_id: program?.id,
    result: ["tea", "tea"],
    logs: ["noted"],
    operations: [
      { fn: "writeFile", args: ["a.txt", "tea"], durationMs: expect.any(Number) },
      // What the tool gave, of which the script has the text.
      { fn: "readFile", args: ["a.txt"], result: { content: "tea", lines: 1 } },
      { fn: "shell", args: ["cat a.txt"] },
    ],
  });
  expect(after).toMatchObject({ type: "message", role: "assistant", text: "Noted." });

  const thread = (await (await daemon.fetch(`/api/v2/threads/${threadId}`)).json()) as {
    responses: { output: unknown }[];
  };
  expect(thread.responses).toHaveLength(1);
  expect(thread.responses[0]).toMatchObject({ id: runId, status: "completed", output: items });
});
