import { ToolsError } from "@deputy/tools";
import type { Listing } from "./listing.ts";

/** A server's list of tools, as of the last time it said that the list has changed. */
export interface LatestListing {
  /** Lists if needed; rejects like `list`, and lists again the next time. */
  get(): Promise<Listing>;
  /** Lists again at once. If a listing is under way, lists once more after it, however many notices come. */
  renew(): void;
}

/** A server that keeps saying that its list has changed is not listed forever. */
const MOST_ROUNDS = 5;

export function createLatestListing(name: string, list: () => Promise<Listing>): LatestListing {
  let latest: Promise<Listing> | undefined;
  let isAsking = false;
  let isStale = false;

  const ask = async (): Promise<Listing> => {
    isAsking = true;
    try {
      for (let round = 1; round <= MOST_ROUNDS; round += 1) {
        isStale = false;
        const found = await list();
        if (!isStale) return found;
      }
      throw new ToolsError(
        "mcp_invalid",
        `${name}: its list of tools changes while it is read, again and again`,
      );
    } finally {
      isAsking = false;
    }
  };
  const begin = (): Promise<Listing> => {
    const asked = ask();
    latest = asked;
    asked.catch(() => {
      if (latest === asked) latest = undefined;
    });
    return asked;
  };

  return {
    get: () => latest ?? begin(),
    renew() {
      if (isAsking) isStale = true;
      else void begin();
    },
  };
}
