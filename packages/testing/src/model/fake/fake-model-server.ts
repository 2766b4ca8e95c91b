import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import { type Chunker, inOnePiece } from "./chunker.ts";
import type { AnswerFrames, FakeWire, WireRequest } from "./fake-wire.ts";
import type { FailurePoint, ScriptedAnswer, ScriptedStep } from "./scripted-answer.ts";

/** A provider on this machine: as strict as the real one, and as unreliable as the test wants. */
export interface FakeModelServer extends AsyncDisposable {
  readonly origin: string;
  /** Every request, byte for byte. */
  readonly requests: readonly WireRequest[];
  /** The next answers; without a script it answers by itself, like a polite model. */
  play(...steps: readonly ScriptedStep[]): void;
  /** Scripted steps that were not requested. */
  readonly left: number;
  setChunker(chunker: Chunker): void;
  /** The same complaints and scripted answers, whole and without a connection: a tenth of the time. */
  readonly fetch: typeof fetch;
  /** Resolves with the next request that nobody waited for yet. */
  nextRequest(): Promise<WireRequest>;
  /** Resolves when a client has left before its answer was complete, once for each. */
  nextGone(): Promise<void>;
}

/** The answer that is being given when one fails in the middle. */
const HALF: ScriptedAnswer = { parts: [{ kind: "text", text: "This is half of an answer." }] };

export async function openFakeModelServer(wire: FakeWire): Promise<FakeModelServer> {
  const requests: WireRequest[] = [];
  const steps: ScriptedStep[] = [];
  const asked = createOccurrences<WireRequest>();
  const gone = createOccurrences<void>();
  let chunker: Chunker = inOnePiece;

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const request = await readRequest(incoming);
    if (request === undefined || request.path !== wire.path || request.method !== "POST") {
      const other = wire.others?.[incoming.url ?? ""];
      return sendJson(outgoing, other === undefined ? 404 : 200, other ?? { error: "not found" });
    }
    requests.push(request);
    outgoing.on("close", () => {
      if (!outgoing.writableFinished) gone.note();
    });
    asked.note(request);
    const complaint = wire.complain(request);
    if (complaint !== undefined) return sendJson(outgoing, complaint.status, complaint.body);
    return await perform(steps.shift() ?? answerByItself(request), request, outgoing);
  };

  const perform = async (
    step: ScriptedStep,
    request: WireRequest,
    outgoing: ServerResponse,
  ): Promise<void> => {
    const begin = (): void => void outgoing.writeHead(200, { "content-type": wire.contentType });
    const write = (frames: readonly string[]): Promise<void> => writeChunks(outgoing, frames, chunker);
    const until = (at: FailurePoint): readonly string[] => framesUntil(wire.frames(HALF, request), at);
    switch (step.kind) {
      case "answer": {
        const { before, output, after } = wire.frames(step.answer, request);
        begin();
        await write([...before, ...output, ...after]);
        outgoing.end();
        return;
      }
      case "status": {
        const fault = wire.faults[step.fault];
        if (fault === undefined) throw new Error(`this wire has no ${step.fault}`);
        for (const [name, value] of Object.entries(step.headers ?? {})) outgoing.setHeader(name, value);
        sendJson(outgoing, fault.status, fault.body);
        return;
      }
      case "error_event": {
        const error = wire.errorFrame(step.fault);
        if (error === undefined) throw new Error(`this wire has no ${step.fault} in a stream`);
        begin();
        await write([...until(step.at), error]);
        outgoing.end();
        return;
      }
      case "cut":
        begin();
        await write(until(step.at));
        if (step.how === "ended") outgoing.end();
        else outgoing.destroy();
        return;
      case "stall":
        if (step.at === "headers") return;
        begin();
        await write(until(step.at));
        return;
      case "garbage":
        begin();
        await write([...until(step.at), step.text]);
        outgoing.end();
        return;
      case "document":
        outgoing.writeHead(200, { "content-type": step.contentType });
        outgoing.end(step.body);
    }
  };

  /** Rejects for anything but a scripted answer. */
  const answerAtOnce: typeof fetch = async (input, { method = "GET", headers, body: raw } = {}) => {
    if (typeof raw !== "string") throw new Error("only a text is understood without a connection");
    const { pathname: path } = new URL(input instanceof Request ? input.url : input);
    const body = JSON.parse(raw) as WireRequest["body"];
    const request = { method, path, headers: Object.fromEntries(new Headers(headers)), raw, body };
    if (path !== wire.path || method !== "POST") throw new Error(`${method} ${path} is not what it answers`);
    requests.push(request);
    // As with a connection, others have their turn.
    await setImmediate();
    const complaint = wire.complain(request);
    if (complaint !== undefined) return Response.json(complaint.body, { status: complaint.status });
    const step = steps.shift();
    if (step?.kind !== "answer") throw new Error("only a scripted answer comes without a connection");
    const { before, output, after } = wire.frames(step.answer, request);
    const type = { "content-type": wire.contentType };
    return new Response([...before, ...output, ...after].join(""), { headers: type });
  };

  // Only clients close idle connections: a busy one would send its next request on one that was just closed here.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      outgoing.destroy();
      throw error;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");

  return {
    origin: `http://127.0.0.1:${address.port}`,
    requests,
    play: (...more) => void steps.push(...more),
    get left() {
      return steps.length;
    },
    setChunker: (next) => void (chunker = next),
    fetch: answerAtOnce,
    nextRequest: asked.next,
    nextGone: gone.next,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Repeated events that are awaited one by one, before or after they happen. */
function createOccurrences<T>(): { note(value: T): void; next(): Promise<T> } {
  const all: PromiseWithResolvers<T>[] = [];
  let noted = 0;
  let waited = 0;
  const at = (index: number): PromiseWithResolvers<T> => (all[index] ??= Promise.withResolvers<T>());
  return { note: (value) => at(noted++).resolve(value), next: () => at(waited++).promise };
}

async function readRequest(incoming: IncomingMessage): Promise<WireRequest | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks).toString("utf8");
  if (raw === "") return undefined;
  const { method = "", url = "", headers } = incoming;
  return { method, path: url, headers, raw, body: JSON.parse(raw) as WireRequest["body"] };
}

function sendJson(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { "content-type": "application/json", "request-id": "req_fake" });
  outgoing.end(JSON.stringify(body));
}

/**
 * Each chunk in its own turn of the event loop, so that it may arrive alone; `createChunkedFetch` guarantees
 * it.
 */
async function writeChunks(
  outgoing: ServerResponse,
  frames: readonly string[],
  chunker: Chunker,
): Promise<void> {
  outgoing.flushHeaders();
  for (const chunk of chunker(Buffer.from(frames.join("")))) {
    if (outgoing.destroyed) return;
    outgoing.write(chunk);
    await setImmediate();
  }
}

function framesUntil({ before, output }: AnswerFrames, at: FailurePoint): readonly string[] {
  return at === "before_output" ? before : [...before, ...output.slice(0, Math.ceil(output.length / 2))];
}

/** A program if the user sent one that has not run yet, otherwise a sentence: enough for the port's suite. */
function answerByItself({ raw }: WireRequest): ScriptedStep {
  const wantsProgram = raw.includes("```ts") && !raw.includes("Result: ");
  return {
    kind: "answer",
    answer: {
      parts: wantsProgram
        ? [
            { kind: "text", text: "Running it." },
            { kind: "tool_call", name: "run_code", input: { code: "return 1;" } },
          ]
        : [{ kind: "text", text: "Good day." }],
    },
  };
}
