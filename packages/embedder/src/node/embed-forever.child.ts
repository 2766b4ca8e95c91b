import { createSystemClock } from "@deputy/kit";
import { openMiniLm } from "./open-minilm.ts";

// Computes vectors of long texts until it is killed.
const folder = process.argv[2] ?? "";
const embedder = openMiniLm({ clock: createSystemClock(), folder });
const { signal } = new AbortController();
const texts = Array.from({ length: 50 }, (_, at) => `${at} is about something. `.repeat(60));
for (;;) {
  await embedder.embed(["ready"], signal);
  process.send?.("ready");
  await embedder.embed(texts, signal);
}
