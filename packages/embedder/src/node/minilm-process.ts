import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { Tokenizer } from "@huggingface/tokenizers";
import type { Embedder } from "../embedder.ts";
import { EmbedderError } from "../embedder-error.ts";
import { createMiniLm, type OnnxRuntime } from "../minilm.ts";
import type { EmbedAnswer, EmbedRequest } from "./minilm-messages.ts";
import { MODEL, MODEL_FILES, type ModelFile, readModelFile } from "./model-files.ts";

// The process that computes vectors. It answers one request after another, and loads the model with the first.

const [, , given] = process.argv;
if (given === undefined || process.send === undefined)
  throw new Error("minilm-process is started by openMiniLm");
const send = process.send.bind(process);
const never = new AbortController().signal;
let embedder: Promise<Embedder> | undefined;
let last = Promise.resolve();

// Nobody waits for it any more, whatever it is computing.
process.on("disconnect", () => process.exit());
process.on("message", (request: EmbedRequest) => {
  last = last.then(async () => void send(await answer(request), () => undefined));
});

async function answer({ id, texts }: EmbedRequest): Promise<EmbedAnswer> {
  try {
    embedder ??= open(given ?? "");
    return { id, vectors: await embedEach(await embedder, texts) };
  } catch (error) {
    embedder = undefined;
    if (!(error instanceof EmbedderError))
      return { id, code: "embedder_failed", message: error instanceof Error ? error.message : "" };
    const { code, message, hint } = error;
    return { id, code, message, ...(hint !== undefined && { hint }) };
  }
}

/** Between two texts, it notices that nobody waits any more. */
async function embedEach(model: Embedder, texts: readonly string[]): Promise<readonly Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (const text of texts) {
    vectors.push(...(await model.embed([text], never)));
    await setImmediate();
  }
  return vectors;
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
