/** What an agent answers when there is nothing to tell. */
export const HEARTBEAT_OK = "HEARTBEAT_OK";

/**
 * What of an answer the owner is to be told; undefined for `HEARTBEAT_OK` alone, whatever marks stand around it.
 * Beside other text, a line of nothing else is left out.
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
