import { basename, join } from "node:path";
import { downloadModel } from "@deputy/embedder/node/download-model";
import { createSystemClock } from "@deputy/kit";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { AppError } from "../../app-error.ts";
import { openHome } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";

/** In the home. */
const FOLDER = "models";
const MEGABYTE = 1024 * 1024;

/** `deputy memory download URL --sha256 HASH`: a file of a model for a server on this machine. */
export async function downloadEmbeddingModel(
  { homeDirectory, warn, announce, output, signal }: Invocation,
  address: string,
  { sha256 }: { readonly sha256: string },
): Promise<ExitCode> {
  if (!/^[0-9a-f]{64}$/i.test(sha256))
    throw new AppError("usage", "--sha256 takes the 64 digits of the file's SHA-256", {
      hint: "The page that offers the file shows them.",
    });
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const name = basename(url?.pathname ?? "");
  if (url === undefined || !/^https?:$/.test(url.protocol) || !/^[\w.-]+\.gguf$/.test(name))
    throw new AppError("usage", "The address must be http or https, and end in the name of a .gguf file");
  const { directory } = openHome(homeDirectory, warn);
  const path = join(directory, FOLDER, name);
  let said = "";
  const outcome = await downloadModel(
    {
      clock: createSystemClock(),
      onProgress({ bytes, total }) {
        const line =
          total === undefined
            ? `${Math.floor(bytes / (10 * MEGABYTE)) * 10} MB`
            : `${Math.floor((20 * bytes) / total) * 5} % of ${Math.ceil(total / MEGABYTE)} MB`;
        if (line !== said) announce(line);
        said = line;
      },
    },
    { url: url.href, sha256, path },
    signal,
  );
  output.result(outcome === "there" ? `It is there already: ${path}` : `Downloaded and verified: ${path}`);
  output.object({ type: "downloaded", path, outcome });
  output.note(`Serve it:  llama-server --embeddings -ub 2048 --port 8089 -m ${path}
Use it:    deputy config set providers.local.baseUrl http://127.0.0.1:8089
           deputy config set memory.embeddingModel local/${name.replace(/\.gguf$/, "")}`);
  return EXIT.done;
}
