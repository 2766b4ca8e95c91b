import { StringDecoder } from "node:string_decoder";

/** More often, lines would cost more than the command. */
const PAUSE_MS = 250;
const MOST_LINES = 400;
const MOST_CHARS = 500;

/** Tells the newest whole line of a stream of bytes now and then, at most so many in all. */
export function createLineFeed(
  onLine: (line: string) => void,
  nowMs: () => number,
): (chunk: Uint8Array) => void {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  let told = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  return (chunk) => {
    const lines = (rest + decoder.write(Buffer.from(chunk))).split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? "").slice(-MOST_CHARS);
    const newest = lines.findLast((line) => line.trim() !== "");
    if (newest === undefined || told >= MOST_LINES || nowMs() - lastMs < PAUSE_MS) return;
    told++;
    lastMs = nowMs();
    onLine(newest.slice(0, MOST_CHARS));
  };
}
