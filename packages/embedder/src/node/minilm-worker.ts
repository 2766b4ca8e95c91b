import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { Tokenizer } from "@huggingface/tokenizers";
import type { Embedder } from "../embedder.ts";
import { EmbedderError } from "../embedder-error.ts";
import { createMiniLm, type OnnxRuntime } from "../minilm.ts";
import type { EmbedAnswer, EmbedRequest } from "./minilm-messages.ts";
import { MODEL, MODEL_FILES, type ModelFile, readModelFile } from "./model-files.ts";

// The thread that computes vectors. It answers one request after another, and loads the model with the first.

const port = parentPort;
if (port === null) throw new Error("minilm-worker is started by openMiniLm");
const folder = String(workerData);
const never = new AbortController().signal;
let embedder: Promise<Embedder> | undefined;
let last = Promise.resolve();

port.on("message", (request: EmbedRequest) => {
  last = last.then(async () => port.postMessage(await answer(request)));
});

async function answer({ id, texts }: EmbedRequest): Promise<EmbedAnswer> {
  try {
    embedder ??= open();
    return { id, vectors: await (await embedder).embed(texts, never) };
  } catch (error) {
    embedder = undefined;
    if (!(error instanceof EmbedderError))
      return { id, code: "embedder_failed", message: error instanceof Error ? error.message : "" };
    const { code, message, hint } = error;
    return { id, code, message, ...(hint !== undefined && { hint }) };
  }
}

/** Every file is verified before it is used, the runtime's code included. */
async function open(): Promise<Embedder> {
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
