import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { Tokenizer } from "@huggingface/tokenizers";
import type { Embedder } from "../embedder.ts";
import { EmbedderError } from "../embedder-error.ts";
import { createMiniLm, type OnnxRuntime } from "../minilm.ts";
import type { EmbedAnswer, EmbedRequest } from "./minilm-messages.ts";
import { MODEL, MODEL_FILES, type ModelFile, readModelFile } from "./model-files.ts";

// The process that computes vectors, one text after another; questions come first. It loads the model with the first.

const [, , given] = process.argv;
if (given === undefined || process.send === undefined)
  throw new Error("minilm-process is started by openMiniLm");
const send = process.send.bind(process);
const never = new AbortController().signal;
let embedder: Promise<Embedder> | undefined;
/** What is being done or waits, in the order in which it came. */
const waiting: Job[] = [];
let isAtWork = false;

// Nobody waits for it any more, whatever it is computing.
process.on("disconnect", () => process.exit());
process.on("message", (request: EmbedRequest) => {
  waiting.push({ request, vectors: [] });
  if (!isAtWork) void workOn();
});

interface Job {
  readonly request: EmbedRequest;
  /** As many as there are so far. */
  readonly vectors: Float32Array[];
}

/** Between two texts, it notices questions, and that nobody waits any more. */
async function workOn(): Promise<void> {
  isAtWork = true;
  for (let job = nextJob(); job !== undefined; job = nextJob()) {
    const answer = await doNext(job);
    if (answer !== undefined) {
      waiting.splice(waiting.indexOf(job), 1);
      send(answer, () => undefined);
    }
    await setImmediate();
  }
  isAtWork = false;
}

function nextJob(): Job | undefined {
  return waiting.find(({ request }) => request.isQuestion) ?? waiting[0];
}

/** Computes one more vector. The answer, once there are all of them. */
async function doNext({ request: { id, texts }, vectors }: Job): Promise<EmbedAnswer | undefined> {
  try {
    embedder ??= open(given ?? "");
    const text = texts[vectors.length];
    if (text !== undefined) vectors.push(...(await (await embedder).embed([text], never)));
    return vectors.length < texts.length ? undefined : { id, vectors };
  } catch (error) {
    embedder = undefined;
    if (!(error instanceof EmbedderError))
      return { id, code: "embedder_failed", message: error instanceof Error ? error.message : "" };
    const { code, message, hint } = error;
    return { id, code, message, ...(hint !== undefined && { hint }) };
  }
}

/** Every file is verified before it is used, the runtime's code included. */
async function open(folder: string): Promise<Embedder> {
  const read = (name: ModelFile): Promise<Buffer> => readModelFile(folder, name);
  await read("runtimeLoader");
  await read("runtime");
  const wasmBinary = await read("runtimeWasm");
  const address = (name: ModelFile): string => pathToFileURL(join(folder, MODEL_FILES[name].path)).href;
  const runtime = (await import(address("runtime"))) as OnnxRuntime & { readonly env: RuntimeSettings };
  Object.assign(runtime.env.wasm, {
    numThreads: 1,
    wasmBinary,
    wasmPaths: { mjs: address("runtimeLoader") },
  });
  const tokenizer = new Tokenizer(
    JSON.parse((await read("tokenizer")).toString("utf8")),
    JSON.parse((await read("tokenizerSettings")).toString("utf8")),
  );
  return createMiniLm({
    runtime,
    pieces: (text) => tokenizer.encode(text, { add_special_tokens: true }).ids,
    weights: await read("weights"),
    model: MODEL,
  });
}

interface RuntimeSettings {
  readonly wasm: object;
}
