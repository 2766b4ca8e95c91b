export interface ServerSentEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** Takes the text of a stream in any chunks and gives back the events that are complete. */
export type SseParser = (chunk: string) => readonly ServerSentEvent[];

export function createSseParser(): SseParser {
  let rest = "";
  return (chunk) => {
    const blocks = (rest + chunk).split("\n\n");
    rest = blocks.pop() ?? "";
    return blocks.map(parseBlock).filter((event) => event !== undefined);
  };
}

/** Undefined for a block without data, such as a heartbeat. */
function parseBlock(block: string): ServerSentEvent | undefined {
  const fields = block.split("\n").map((line) => /^(id|data): ?(.*)$/.exec(line));
  const data = fields.filter((field) => field?.[1] === "data").map((field) => field?.[2] ?? "");
  const id = fields.find((field) => field?.[1] === "id")?.[2];
  return data.length === 0 ? undefined : { id, data: data.join("\n") };
}
