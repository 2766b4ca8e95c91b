import { createSseParser, type ServerSentEvent } from "@deputy/web/sse-parser";

/**
 * Reads events as they arrive, however they are split into chunks. Ends when the stream ends; an unfinished event is
 * dropped.
 */
export async function* readServerSentEvents(response: Response): AsyncGenerator<ServerSentEvent> {
  if (response.body === null) return;
  const parse = createSseParser();
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) yield* parse(chunk);
}
