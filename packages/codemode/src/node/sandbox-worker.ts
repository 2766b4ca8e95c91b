import { parentPort } from "node:worker_threads";
import { serveCells } from "../guest/serve-cells.ts";

// The entry of a sandbox worker; see worker-sandbox.ts for the other end.
const port = parentPort;
if (port === null) throw new Error("sandbox-worker is started by createWorkerSandbox");
serveCells({
  post: (message) => port.postMessage(message),
  listen: (receive) => void port.on("message", receive),
});
