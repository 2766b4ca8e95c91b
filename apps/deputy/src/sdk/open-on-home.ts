import { resolve } from "node:path";
import type { EmbeddedEngine } from "@deputy/sdk";
import { openEngine } from "../engine.ts";
import { openHome } from "../home.ts";
import type { OpenOptions } from "./create-deputy.ts";

/** Throws as `openHome` and `openEngine` do. */
export async function openOnHome(options: OpenOptions, home: string): Promise<EmbeddedEngine> {
  const { model, tools, env, signal, warn, onBug } = options;
  return await openEngine({
    home: openHome(resolve(home), warn),
    env,
    plugins: [],
    ...(typeof model === "string" ? { model } : {}),
    embedded: { tools, model: typeof model === "object" ? model : undefined },
    secrets: [],
    signal,
    warn,
    onBug,
  });
}
