import { Tokenizer } from "@huggingface/tokenizers";
import type { Embedder } from "../embedder.ts";
import { EmbedderError } from "../embedder-error.ts";
import { createMiniLm, type OnnxRuntime } from "../minilm.ts";

/** A file of the model: its path below the folder that serves it, and the one hash that is accepted. */
export interface ServedFile {
  readonly path: string;
  readonly sha256: string;
}

export interface ServedModel {
  readonly weights: ServedFile;
  readonly tokenizer: ServedFile;
  readonly tokenizerSettings: ServedFile;
  readonly runtime: ServedFile;
  readonly runtimeLoader: ServedFile;
  readonly runtimeWasm: ServedFile;
}

/**
 * The model in a browser, from files below `folder`, an address that ends with a slash. Computes on the thread that
 * calls it, so that should be a worker. Rejects with `model_missing` or `model_corrupt`.
 */
export async function loadMiniLm(deps: {
  readonly folder: string;
  readonly files: ServedModel;
  readonly model: string;
}): Promise<Embedder> {
  const { folder, files, model } = deps;
  const read = (file: ServedFile): Promise<Uint8Array<ArrayBuffer>> => fetchFile(folder, file);
  /** Code is run from the bytes that were verified, not fetched again. */
  const asModule = (bytes: Uint8Array<ArrayBuffer>): string =>
    URL.createObjectURL(new Blob([bytes], { type: "text/javascript" }));
  const runtime = (await import(asModule(await read(files.runtime)))) as OnnxRuntime & {
    readonly env: { readonly wasm: object };
  };
  Object.assign(runtime.env.wasm, {
    numThreads: 1,
    wasmBinary: await read(files.runtimeWasm),
    wasmPaths: { mjs: asModule(await read(files.runtimeLoader)) },
  });
  const text = async (file: ServedFile): Promise<string> => new TextDecoder().decode(await read(file));
  const tokenizer = new Tokenizer(
    JSON.parse(await text(files.tokenizer)),
    JSON.parse(await text(files.tokenizerSettings)),
  );
  return createMiniLm({
    runtime,
    pieces: (each) => tokenizer.encode(each, { add_special_tokens: true }).ids,
    weights: await read(files.weights),
    model,
  });
}

async function fetchFile(folder: string, { path, sha256 }: ServedFile): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(`${folder}${path}`).catch(() => undefined);
  if (response?.ok !== true)
    throw new EmbedderError("model_missing", `The model for memory cannot be read: ${path}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  if (digest.toHex() !== sha256)
    throw new EmbedderError(
      "model_corrupt",
      `The model for memory is not the one that belongs here: ${path}`,
    );
  return bytes;
}
