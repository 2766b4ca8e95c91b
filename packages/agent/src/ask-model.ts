import type { Clock, IdSource } from "@deputy/kit";
import type { Model, ModelRequest, ModelUsage } from "@deputy/model";
import type { EventLog, NewEvent } from "@deputy/protocol";
import type { Turn } from "./turn.ts";

export interface ProgramCall {
  readonly id: string;
  readonly name: string;
  readonly inputJson: string;
}

export interface Answer {
  readonly programs: readonly ProgramCall[];
  readonly usage: ModelUsage;
}

/** One call to the model: its text streams out as deltas, and stands in the log once it is complete. */
export async function askModel(
  deps: { readonly log: EventLog; readonly model: Model; readonly ids: IdSource; readonly clock: Clock },
  turn: Turn,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<Answer> {
  const { stream, turnId } = turn;
  const programs: ProgramCall[] = [];
  let usage: ModelUsage = { inputTokens: 0, outputTokens: 0 };
  const texts = { message: "", reasoning: "" };
  const itemIds = { message: deps.ids.next("item"), reasoning: deps.ids.next("item") };
  let opaque: string | undefined;

  const grow = (itemType: "message" | "reasoning", text: string): void => {
    const at = new Date(deps.clock.now()).toISOString();
    const offset = texts[itemType].length;
    deps.log.publish({
      type: "assistant.delta",
      stream,
      turnId,
      at,
      itemId: itemIds[itemType],
      itemType,
      offset,
      text,
    });
    texts[itemType] += text;
  };

  for await (const event of deps.model.stream(request, signal)) {
    switch (event.kind) {
      case "text":
        grow("message", event.text);
        break;
      case "reasoning":
        grow("reasoning", event.text);
        break;
      case "reasoning_done":
        opaque = event.opaque;
        break;
      case "tool_call":
        programs.push(event);
        break;
      case "usage":
        usage = event.usage;
        break;
      case "stop":
        break;
    }
  }

  const said: NewEvent[] = [];
  if (texts.reasoning !== "" || opaque !== undefined) {
    const kept = opaque === undefined ? {} : { opaque };
    const data = { itemId: itemIds.reasoning, text: texts.reasoning, ...kept };
    said.push({ type: "assistant.reasoning", turnId, data });
  }
  if (texts.message !== "") {
    said.push({ type: "assistant.message", turnId, data: { itemId: itemIds.message, text: texts.message } });
  }
  if (said.length > 0) await deps.log.append(stream, said);
  return { programs, usage };
}
