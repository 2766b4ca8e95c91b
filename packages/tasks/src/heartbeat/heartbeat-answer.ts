/** An agent's answer when it has nothing to report. */
export const HEARTBEAT_OK = "HEARTBEAT_OK";

/**
 * The part of an answer that the owner should see; undefined for `HEARTBEAT_OK` alone, with any punctuation around
 * it. A line that holds nothing else is removed from other text.
 */
export function toldByHeartbeat(answer: string): string | undefined {
  if (isOk(answer)) return undefined;
  const told = answer
    .split("\n")
    .filter((line) => !isOk(line))
    .join("\n")
    .trim();
  return told === "" ? undefined : told;
}

const TAG = /<[^<>]*>/g;
const MARKS = /[^\p{L}\p{N}_]+/gu;

function isOk(text: string): boolean {
  const bare = text.replaceAll(TAG, "").replaceAll(MARKS, "");
  return bare.replaceAll(/^_+|_+$/g, "").toUpperCase() === HEARTBEAT_OK;
}
