import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

interface Message {
  readonly role: string;
  readonly content: unknown;
}

/** A local model server that plays what these programs need, by a word in the last message of the user. */
export async function openPlayedModel(): Promise<
  AsyncDisposable & { readonly env: Readonly<Record<string, string>> }
> {
  const play = (messages: readonly Message[], outgoing: ServerResponse): void => {
    const send = (part: object): void => {
      outgoing.write(`data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", ...part })}\n\n`);
    };
    const say = (words: string): void => {
      for (const content of words.match(/.{1,8}/gs) ?? [])
        send({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
      send({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
    };
    const all = JSON.stringify(messages);
    const asked = JSON.stringify(messages.findLast(({ role }) => role === "user")?.content);
    const last = messages.at(-1);
    if (last?.role === "tool") say(`Done: ${JSON.stringify(last.content).slice(0, 100)}`);
    else if (asked.includes("CLOSE")) {
      const code = 'return await tools.github.issues.close({ owner: "acme", repo: "demo", issueNumber: 1 });';
      const run = { name: "run_code", arguments: JSON.stringify({ code }) };
      const call = { index: 0, id: "call_1", type: "function", function: run };
      send({ choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] });
      send({ choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] });
    } else if (all.includes("Which city")) {
      // The first answer of each conversation does not fit the schema: Deputy has to ask again.
      // What is remembered of others stands further below.
      const isAskedAgain = asked.slice(0, 200).includes("could not read your last message");
      say(isAskedAgain ? '{"city":"Paris","degrees":21}' : "It is warm in Paris.");
    } else say("Hello from the played model.");
    send({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } });
    outgoing.end("data: [DONE]\n\n");
  };
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    void text(incoming).then((body) => {
      if (incoming.url?.endsWith("/chat/completions") !== true) {
        outgoing.writeHead(404, { "content-type": "application/json" }).end("{}");
        return;
      }
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      play((JSON.parse(body) as { messages: readonly Message[] }).messages, outgoing);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    env: { DEPUTY_MODEL: "local/played", DEPUTY_LOCAL_BASE_URL: `http://127.0.0.1:${port}` },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
