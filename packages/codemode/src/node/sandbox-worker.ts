import { parentPort } from "node:worker_threads";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { serveCells } from "../guest/serve-cells.ts";

/** Someone waits for an image, so speed matters more than size. */
const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** CPU time, so that a busy machine does not use up a cell's time. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

// The entry of a sandbox worker; see worker-sandbox.ts for the other end.
const port = parentPort;
if (port === null) throw new Error("sandbox-worker is started by createWorkerSandbox");
serveCells(
  {
    post: (message) => port.postMessage(message),
    listen: (receive) => void port.on("message", receive),
  },
  {
    nowMs: threadCpuMs,
    packing: {
      pack: (bytes) => zstdCompressSync(bytes, FASTEST),
      unpack: (bytes) => zstdDecompressSync(bytes),
    },
    same: (a, b) => Buffer.compare(a, b) === 0,
  },
);
