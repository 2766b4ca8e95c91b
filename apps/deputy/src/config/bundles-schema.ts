import { z } from "zod";
import { now } from "./setting.ts";

/** Registries of other people, by the names that they give themselves; and where npm packages come from. */
export const bundlesSchema = z
  .strictObject({
    registries: z
      .record(
        z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "must be the registry's own name"),
        z.strictObject({
          at: now(z.string().min(1).max(2_000), "Where the registry file is: an address, or a path"),
          keys: now(
            z.array(z.string().regex(/^ed25519:[A-Za-z0-9+/]{43}=$/, "must be `ed25519:` and a key")).min(1),
            "The public keys that may sign it",
          ),
        }),
      )
      .default({}),
    npm: now(
      z.url({ protocol: /^https?$/ }).optional(),
      "Where the npm packages of bundles come from; default where npm itself gets them. Their contents are pinned by hashes",
    ),
  })
  .prefault({});
