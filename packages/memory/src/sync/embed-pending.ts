import { throwIfAborted } from "@deputy/kit";
import type { Embedder } from "@deputy/embedder";
import type { MemoryStore } from "../store/memory-store.ts";

/** Few, so that a question does not wait long behind them. */
const BATCH = 8;

/**
 * Gives every piece that has none its vector, and removes vectors that nobody needs afterwards. What has been done
 * stays done if it fails or is aborted. Rejects as the embedder and the store do, and with the signal's reason.
 */
export async function embedPending(
  deps: {
    readonly store: MemoryStore;
    readonly embedder: Embedder;
    readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  },
  signal: AbortSignal,
): Promise<number> {
  const { store, embedder, onProgress } = deps;
  const { model } = embedder;
  const { children, embedded } = await store.counts(model);
  for (let done = 0; ;) {
    throwIfAborted(signal);
    onProgress?.({ done: embedded + done, total: Math.max(children, embedded + done) });
    const batch = await store.pending(model, BATCH);
    if (batch.length === 0) {
      await store.prune(model);
      return done;
    }
    const vectors = await embedder.embed(
      batch.map(({ text }) => text),
      signal,
    );
    await store.putVectors(
      model,
      new Map(batch.map(({ hash }, at) => [hash, vectors[at] ?? new Float32Array()])),
    );
    done += batch.length;
  }
}
