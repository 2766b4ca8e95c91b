import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@deputy/kit";
import type { Download } from "playwright-core";
import { ToolsError } from "@deputy/tools";

const LOOK_EVERY_MS = 100;

/** A download's bytes once all are there. Cancels one that is too large; rejects with `download_failed`. */
export async function takeDownload(
  download: Download,
  deps: { readonly folder: string; readonly maxBytes: number; readonly clock: Pick<Clock, "sleep"> },
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly bytes: Uint8Array }> {
  const { folder, maxBytes, clock } = deps;
  const ended = new AbortController();
  const finished = download.failure().finally(() => ended.abort());
  finished.catch(() => undefined);
  try {
    while (!ended.signal.aborted) {
      if ((await bytesIn(folder)) > maxBytes) throw tooLarge(maxBytes);
      await clock.sleep(LOOK_EVERY_MS, AbortSignal.any([signal, ended.signal])).catch((error: unknown) => {
        if (!ended.signal.aborted) throw error;
      });
    }
    const failure = await finished;
    if (failure !== null) throw new ToolsError("download_failed", `The download failed: ${failure}`);
    const path = await download.path();
    if ((await stat(path)).size > maxBytes) throw tooLarge(maxBytes);
    return { name: download.suggestedFilename(), bytes: await readFile(path) };
  } finally {
    await download.cancel().catch(() => undefined);
    await download.delete().catch(() => undefined);
  }
}

function tooLarge(maxBytes: number): ToolsError {
  return new ToolsError("download_failed", `The file has more than ${maxBytes} bytes`);
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
