import { webcrypto } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { adoptCoreUtils } from "@deputy/core-utils";
import { createGit } from "@deputy/host-commands";
import { createLocalBase } from "@deputy/workspace/node/local-base";
import type { ToBox } from "../box-messages.ts";
import { serveBox } from "../serve-box.ts";

// The entry of a thread of `openContainedShell`.
const port = parentPort;
if (port === null) throw new Error("shell-worker is started by openContainedShell");
const { module } = workerData as { readonly module: WebAssembly.Module };
serveBox(
  {
    post: (message) => port.postMessage(message),
    listen: (receive) => void port.on("message", (message: ToBox) => receive(message)),
  },
  {
    tools: adoptCoreUtils({ module }),
    openBase: createLocalBase,
    git: createGit,
    random: (length) => webcrypto.getRandomValues(new Uint8Array(length)),
  },
);
