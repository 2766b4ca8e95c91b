/** One message of an event stream, as far as Deputy's streams use the format. */
export interface ServerSentEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** Reads messages as they arrive, whatever the chunking. Ends when the stream ends; an unfinished message is dropped. */
export async function* readServerSentEvents(response: Response): AsyncGenerator<ServerSentEvent> {
  if (response.body === null) return;
  let rest = "";
  let id: string | undefined;
  let data: string[] = [];
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
      else if (line.startsWith("id:")) id = line.slice(3).trim();
      else if (line === "" && data.length > 0) {
        yield { id, data: data.join("\n") };
        id = undefined;
        data = [];
      }
    }
  }
}
