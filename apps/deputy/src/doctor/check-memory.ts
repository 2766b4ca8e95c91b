import { CodedError } from "@deputy/kit";
import {
  MODEL,
  MODEL_FILES,
  type ModelFile,
  modelFolder,
  readModelFile,
} from "@deputy/embedder/node/model-files";
import type { Config } from "../config.ts";
import { advise, type Finding, ok, wrong } from "./finding.ts";

/** How memory is searched: with which model, and whether its files are there and whole. Asks no service. */
export async function checkMemory(settings: Config["memory"], folder = modelFolder()): Promise<Finding> {
  const { enabled, embeddingModel } = settings;
  if (!enabled) return ok("memory", "Switched off.");
  if (embeddingModel === "none")
    return advise(
      "memory",
      "Searched by words alone.",
      "Remove memory.embeddingModel from the configuration to search by meaning, too.",
    );
  if (embeddingModel !== undefined)
    return ok("memory", `Searched by words, and by meaning with ${embeddingModel}.`);
  try {
    for (const name of Object.keys(MODEL_FILES) as ModelFile[]) await readModelFile(folder, name);
    return ok("memory", `Searched by words, and by meaning with ${MODEL}, on this machine.`);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return wrong(
      "memory",
      `Searched by words alone: ${error.message}`,
      error.hint ?? "Install Deputy again.",
    );
  }
}
