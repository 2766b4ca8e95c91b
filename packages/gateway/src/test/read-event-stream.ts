import type { TaskEvent } from "@deputy/protocol";
import { taskEventSchema } from "@deputy/protocol/wire";

export interface ReceivedEvent {
  readonly id: string | undefined;
  readonly event: TaskEvent;
}

/** The events of a stream as they arrive, to its end. */
export async function* readEventStream(response: Response): AsyncGenerator<ReceivedEvent> {
  for await (const block of readBlocks(response)) {
    const data = /^data: (.*)$/m.exec(block)?.[1];
    if (data === undefined) continue;
    yield { id: /^id: (.*)$/m.exec(block)?.[1], event: taskEventSchema.parse(JSON.parse(data)) };
  }
}

/** The blocks of a stream, comments included. */
export async function* readBlocks(response: Response): AsyncGenerator<string> {
  if (response.body === null) throw new Error("The response has no body");
  let rest = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split("\n\n");
    rest = blocks.pop() ?? "";
    yield* blocks;
  }
  if (rest !== "") throw new Error(`The stream ended inside a block: ${rest}`);
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
