import type { ApprovalAnswer, StoredEvent } from "@deputy/protocol";
import { defineTool, type ToolSource } from "@deputy/tools";
import { z } from "zod";
import type { Engine } from "../engine.ts";

// Played in Node and in a browser alike: nothing here may need either.

/** A notebook: `notes.write` asks first. */
export function openNotebook(): { readonly source: ToolSource; readonly written: readonly string[] } {
  const written: string[] = [];
  const write = defineTool({
    description: "Write a note",
    approval: "required",
    args: z.object({ text: z.string() }),
    returns: z.object({ notes: z.number() }),
    run: ({ text }) => ({ notes: written.push(text) }),
    formatApproval: ({ text }) => ({ title: `Write “${text}”` }),
  });
  const list = defineTool({
    description: "All notes",
    approval: "auto",
    effect: "read",
    args: z.object({}),
    returns: z.array(z.string()),
    run: () => [...written],
  });
  return { source: { source: "notebook", tree: { notes: { write, list } } }, written };
}

export const SCENARIO_PROMPT = [
  "Note that we need milk.",
  "```ts",
  'const { notes } = await tools.notes.write({ text: "milk" });',
  "const all: readonly string[] = await tools.notes.list({});",
  "return { notes, all };",
  "```",
].join("\n");

export interface Played {
  readonly outcome: string;
  readonly asked: readonly string[];
  readonly types: readonly string[];
  readonly said: string;
}

/** One message as a task: the rehearsal model writes a program, its call asks, the answer is given, the model answers. */
export async function playScenario(
  engine: Engine,
  answer: ApprovalAnswer,
  prompt: string = SCENARIO_PROMPT,
): Promise<Played> {
  const stop = new AbortController();
  const asked: string[] = [];
  const answerAll = async (): Promise<void> => {
    const requests = engine.log.subscribeAll({ types: ["approval.requested"] }, stop.signal);
    for await (const request of requests) {
      void request;
      for (const { id, preview } of await engine.approvals.pending()) {
        asked.push(preview.title);
        await engine.approvals.resolve(id, answer, "the test");
      }
    }
  };
  const answering = answerAll();
  const { task, done } = await engine.tasks.start({ prompt });
  const { kind } = await done;
  stop.abort();
  await answering;
  const events = await Array.fromAsync(engine.log.read(task.stream));
  return { outcome: kind, asked, types: events.map(({ type }) => type), said: lastWords(events) };
}

function lastWords(events: readonly StoredEvent[]): string {
  const last = events.findLast(({ type }) => type === "assistant.message");
  return (last?.data as { readonly text?: string } | undefined)?.text ?? "";
}
