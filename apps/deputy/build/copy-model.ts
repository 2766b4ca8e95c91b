import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MODEL_FILES, modelFolder } from "@deputy/embedder/node/model-files";

/** Copies the files of the embedded model into `folder`: the one runtime and the one set of weights that are used. */
export async function copyModel(folder: string): Promise<void> {
  for (const { path } of Object.values(MODEL_FILES)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await copyFile(join(modelFolder(), path), join(folder, path));
  }
}

/** Under which terms they are given. The package that carries them names both. */
export const MODEL_NOTICES: readonly string[] = [
  `onnxruntime-web 1.27.0 (MIT), in dist/minilm/vendor

Copyright (c) Microsoft Corporation. https://github.com/microsoft/onnxruntime`,
  `all-MiniLM-L6-v2 (Apache-2.0), in dist/minilm/model

By the authors of sentence-transformers, converted by Xenova. https://huggingface.co/Xenova/all-MiniLM-L6-v2
The text of the Apache License is with @huggingface/tokenizers.`,
];
