import { loadMiniLm, type ServedModel } from "@deputy/embedder/browser";

// The model in a worker of a page: answers each list of texts with their vectors, or with the code of what is wrong.

interface Request {
  readonly folder: string;
  readonly files: ServedModel;
  readonly model: string;
  readonly texts: readonly string[];
}

addEventListener("message", ({ data }: MessageEvent<Request>) => {
  const { texts, ...model } = data;
  loadMiniLm(model)
    .then((embedder) => embedder.embed(texts, new AbortController().signal))
    .then((vectors) => postMessage({ vectors: vectors.map((vector) => [...vector]) }))
    .catch((error: unknown) => postMessage({ code: (error as { code?: string }).code ?? String(error) }));
});
