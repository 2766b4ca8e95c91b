import { ChannelsError } from "@deputy/channels";
import { discordFailure } from "./discord-failure.ts";

/** The bytes of a file that somebody attached. Only Discord is asked for them, whatever address the file has. */
export async function downloadFile(
  url: string,
  apiRoot: string,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!isDiscords(url, apiRoot)) throw new ChannelsError("refused", "it is not at Discord");
  try {
    const answer = await fetch(url, { signal, redirect: "error" });
    if (!answer.ok) throw new ChannelsError("refused", `Discord does not give it (${answer.status})`);
    return new Uint8Array(await answer.arrayBuffer());
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw discordFailure(error, "again");
  }
}

function isDiscords(url: string, apiRoot: string): boolean {
  const at = URL.parse(url);
  if (at === null) return false;
  if (at.origin === new URL(apiRoot).origin) return true;
  return at.protocol === "https:" && /^(?:cdn\.discordapp\.com|media\.discordapp\.net)$/.test(at.hostname);
}
