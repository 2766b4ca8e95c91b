import type { Price } from "@deputy/model";
import type { Config } from "../config.ts";

/** The user's own prices; a cache costs as much as fresh input unless they say otherwise. */
export function pricesOf({ prices }: Pick<Config, "prices">): Readonly<Record<string, Price>> {
  return Object.fromEntries(
    Object.entries(prices).map(([model, { input, output, cacheRead = input, cacheWrite = input }]) => [
      model,
      { input, output, cacheRead, cacheWrite },
    ]),
  );
}
