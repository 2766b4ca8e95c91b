/** More often, lines would cost more than the script. */
const PAUSE_MS = 250;
const MOST_LINES = 400;
const MOST_CHARS = 500;

/** Tells the newest whole line of a stream of bytes now and then, at most so many in all. */
export function createLineFeed(
  onLine: (line: string) => void,
  nowMs: () => number,
): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let partial = "";
  let told = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  return (chunk) => {
    const lines = `${partial}${decoder.decode(chunk, { stream: true })}`.split(/\r\n|\n|\r/);
    partial = (lines.pop() ?? "").slice(-MOST_CHARS);
    const newest = lines.findLast((line) => line.trim() !== "");
    if (newest === undefined || told >= MOST_LINES || nowMs() - lastMs < PAUSE_MS) return;
    told += 1;
    lastMs = nowMs();
    onLine(newest.slice(0, MOST_CHARS));
  };
}
