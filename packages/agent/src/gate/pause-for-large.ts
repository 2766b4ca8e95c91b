import { createSlices } from "@deputy/kit";

/** Reading or writing so much takes some milliseconds. */
const LARGE_CHARS = 256 * 1024;

/** Parts the steps of long work on a large result: everything else that is due runs in between. */
export async function pauseForLarge(json: string | undefined): Promise<void> {
  if (json !== undefined && json.length > LARGE_CHARS) await createSlices().next();
}
