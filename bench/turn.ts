import { DEFAULT_TURN_LIMITS } from "@deputy/agent";
import { createTurnRunner } from "@deputy/agent/turns";
import type { Model, ModelEvent } from "@deputy/model";
import { defineTool } from "@deputy/tools";
import { z } from "zod";
import { openCellsOnDisk } from "./cells-on-disk.ts";
import { reportLimit } from "./report.ts";
import { sized } from "./sized.ts";

const LIMIT_MS = 15;
const WARM_UP = sized(20, 1);
const TURNS = sized(100, 2);

const PROGRAM: readonly ModelEvent[] = [
  {
    kind: "tool_call",
    id: "p1",
    name: "run_code",
    inputJson: JSON.stringify({ code: "return (await tools.notes.read({ n: 1 })).text.length;" }),
  },
  { kind: "stop", reason: "tool_calls" },
];
const TEXT: readonly ModelEvent[] = [
  { kind: "text", text: "That is done." },
  { kind: "stop", reason: "end" },
];

/** The cost of a turn without the model, which answers at once here: the whole engine over a real log. */
export async function benchTurn(): Promise<void> {
  const read = defineTool({
    description: "Read a note",
    approval: "auto",
    args: z.object({ n: z.number() }),
    returns: z.object({ text: z.string() }),
    run: () => ({ text: "a note" }),
  });
  await using engine = await openCellsOnDisk({ notes: { read } });
  const { log, keeper, clock, ids, redactor, catalogue, cells } = engine;
  for (const [what, answers] of [
    ["turn that answers in text", [TEXT]],
    ["turn with one program and one call", [PROGRAM, TEXT]],
  ] as const) {
    const model = scripted(answers);
    const profile = {
      model,
      mode: "code" as const,
      limits: DEFAULT_TURN_LIMITS,
      catalogue,
      cells,
      instructions: [],
    };
    const turns = createTurnRunner({ keeper, profileOf: async () => profile, redactor, clock, ids });
    const run = async (): Promise<void> => {
      const stream = ids.next("session");
      const turn = { stream, turnId: ids.next("turn"), agentId: "main", sessionKey: "bench" };
      const said = { text: "hi", attachments: [], channel: "bench", sender: "me", trust: "user" as const };
      await log.append(stream, [{ type: "user.message", turnId: turn.turnId, data: said }]);
      const outcome = await turns.run(turn, new AbortController().signal);
      if (outcome.kind !== "completed") throw new Error(`The turn ${outcome.kind}`);
    };
    for (let n = 0; n < WARM_UP; n++) await run();
    const before = process.cpuUsage();
    for (let n = 0; n < TURNS; n++) await run();
    const { user, system } = process.cpuUsage(before);
    reportLimit(what, (user + system) / 1_000 / TURNS, "ms CPU", LIMIT_MS);
  }
}

/** Says the same answers in every turn, one after the other. */
function scripted(answers: readonly (readonly ModelEvent[])[]): Model {
  let asked = 0;
  return {
    ref: { provider: "bench", model: "script" },
    async *stream() {
      yield* answers[asked++ % answers.length] ?? [];
    },
  };
}
