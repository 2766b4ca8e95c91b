import { serveCells } from "../guest/serve-cells.ts";

// The entry of a sandbox worker in a page; see worker-sandbox.ts for the other end.
serveCells(
  {
    post: (message) => self.postMessage(message),
    listen: (receive) => self.addEventListener("message", ({ data }) => receive(data)),
  },
  {
    nowMs: () => performance.now(),
    // Browsers compress only asynchronously; the code that stores an image can do so.
    packing: { pack: (bytes) => bytes, unpack: (bytes) => bytes },
    same: isSame,
  },
);

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
