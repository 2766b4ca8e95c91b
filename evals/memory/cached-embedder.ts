import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Embedder } from "@deputy/embedder";

/** An embedder that remembers its vectors in a folder, so that the next run takes seconds instead of minutes. */
export function createCachedEmbedder(embedder: Embedder, folder: string): Embedder {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${embedder.model.replaceAll(/[^\w.-]/g, "_")}.jsonl`);
  const known = new Map<string, Float32Array>();
  if (existsSync(file))
    for (const line of readFileSync(file, "utf8")
      .split("\n")
      .filter((each) => each !== "")) {
      const [key, base64] = JSON.parse(line) as [string, string];
      known.set(key, new Float32Array(new Uint8Array(Buffer.from(base64, "base64")).buffer));
    }
  const keyOf = (text: string): string => createHash("sha256").update(text).digest("base64url");
  return {
    ...embedder,
    async embed(texts, signal) {
      const missing = [...new Set(texts.filter((text) => !known.has(keyOf(text))))];
      const vectors = await embedder.embed(missing, signal);
      missing.forEach((text, at) => {
        const vector = vectors[at] ?? new Float32Array();
        known.set(keyOf(text), vector);
        const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
        appendFileSync(file, `${JSON.stringify([keyOf(text), bytes.toString("base64")])}\n`);
      });
      return texts.map((text) => known.get(keyOf(text)) ?? new Float32Array());
    },
  };
}
