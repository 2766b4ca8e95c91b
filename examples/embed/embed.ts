import { createDeputy } from "@deputy/deputy/sdk";
import { defineTool } from "@deputy/deputy/tools";
import { z } from "zod";

const lampSwitch = defineTool({
  description: "Switch the lamp on or off",
  approval: "required",
  args: z.object({ on: z.boolean() }),
  returns: z.object({ lamp: z.string() }),
  run: ({ on }) => ({ lamp: on ? "shines" : "is dark" }),
  formatApproval: ({ on }) => ({ title: on ? "Light on" : "Light off" }),
});

await using deputy = await createDeputy({
  model: "rehearsal/tour", // Runs fenced programs and needs no key; or "anthropic/…" with ANTHROPIC_API_KEY set.
  tools: { lamp: { switch: lampSwitch } },
  approve: ({ toolPath, preview }) => {
    console.log(`? ${preview.title} (${toolPath}): approved`);
    return "approved";
  },
});

for await (const { payload } of deputy.query("```ts\nreturn await tools.lamp.switch({ on: true });\n```")) {
  if (payload.type !== "item_done") continue;
  const item = payload.final_item;
  if (item.type === "script_execution_output") console.log("=", JSON.stringify(item.result));
  if (item.type === "message" && item.role === "assistant") console.log(">", item.text);
}
