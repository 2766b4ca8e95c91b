import { throwIfAborted } from "@deputy/kit";
import type { Embedder } from "./embedder.ts";

/** The part of onnxruntime-web that is used here. */
export interface OnnxRuntime {
  readonly Tensor: new (type: "int64", data: BigInt64Array, dims: readonly number[]) => OnnxTensor;
  readonly InferenceSession: { create(model: Uint8Array): Promise<OnnxSession> };
}

interface OnnxTensor {
  readonly data: ArrayLike<unknown>;
  readonly dims: readonly number[];
}

interface OnnxSession {
  run(feeds: Readonly<Record<string, OnnxTensor>>): Promise<Readonly<Record<string, OnnxTensor>>>;
}

/** The numbers of the pieces that a text consists of, with the marks for its beginning and its end. */
export type WordPieces = (text: string) => readonly number[];

const DIMENSIONS = 384;
/** The model has no position after this one. */
const MOST_PIECES = 512;
/**
 * Measured on LoCoMo: of 244 searches for words that a conversation does not have, half find nothing nearer, and of a
 * few notes nearly all; of what answers a question by meaning alone, one in sixty is further away (recall@6 of vectors
 * alone, without names: 73.8, and 72.6 with this).
 */
export const LEAST_RELATED = 0.2;
/** Long before a text has that many pieces, the rest is cut: taking a text apart costs time, too. */
const MOST_CHARS = 16_384;
/**
 * all-MiniLM-L6-v2, quantized to 8 bits: the mean of the last layer over the pieces of a text. Computes on the thread
 * that calls it, so that should be a worker. An abort is noticed between two texts. Texts are computed one by one:
 * quantization would mix those of one batch, and a batch gains nothing on one thread.
 */
export async function createMiniLm(deps: {
  readonly runtime: OnnxRuntime;
  readonly pieces: WordPieces;
  readonly weights: Uint8Array;
  readonly model: string;
}): Promise<Embedder> {
  const { runtime, pieces, model } = deps;
  const session = await runtime.InferenceSession.create(deps.weights);

  const embedOne = async (ids: readonly number[]): Promise<Float32Array> => {
    const dims = [1, ids.length];
    const tensor = (data: BigInt64Array): OnnxTensor => new runtime.Tensor("int64", data, dims);
    const { last_hidden_state: states } = await session.run({
      input_ids: tensor(BigInt64Array.from(ids, BigInt)),
      attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
      token_type_ids: tensor(new BigInt64Array(ids.length)),
    });
    const data = states?.data;
    if (!(data instanceof Float32Array) || data.length !== ids.length * DIMENSIONS)
      throw new Error("The model answered in another shape");
    return meanOf(data, ids.length);
  };

  return {
    model,
    leastRelated: LEAST_RELATED,
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        throwIfAborted(signal);
        vectors.push(await embedOne(cutPieces(pieces(text.slice(0, MOST_CHARS)))));
      }
      throwIfAborted(signal);
      return vectors;
    },
  };
}

/** Keeps the mark at the end. */
function cutPieces(ids: readonly number[]): readonly number[] {
  return ids.length <= MOST_PIECES ? ids : [...ids.slice(0, MOST_PIECES - 1), ids.at(-1) ?? 0];
}

function meanOf(states: Float32Array, count: number): Float32Array {
  const mean = new Float32Array(DIMENSIONS);
  for (let piece = 0; piece < count; piece++)
    for (let at = 0; at < DIMENSIONS; at++)
      mean[at] = (mean[at] ?? 0) + (states[piece * DIMENSIONS + at] ?? 0);
  let square = 0;
  for (const value of mean) square += value * value;
  const length = Math.sqrt(square) || 1;
  return mean.map((value) => value / length);
}
