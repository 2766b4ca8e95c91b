import { z } from "zod";
import { BundlesError } from "../bundles-error.ts";
import { bundleNameSchema, sha256Schema, versionSchema } from "./manifest.ts";

const registrySchema = z.strictObject({
  format: z.literal(1),
  name: bundleNameSchema,
  /** Grows with each one; an older one is refused. */
  serial: z.int().min(1),
  /** The last moment at which it may be installed from. */
  expires: z.iso.datetime(),
  /** Public keys that sign manifests, besides the one that signed this. */
  keys: z.array(z.string()).max(100),
  /** The first of a name is the one that is installed. */
  bundles: z
    .array(
      z.strictObject({
        name: bundleNameSchema,
        version: versionSchema,
        summary: z.string().max(300),
        /** The manifest: a path beside the registry, or an address. */
        manifest: z.string().min(1).max(2_000),
        sha256: sha256Schema,
      }),
    )
    .max(10_000),
  revoked: z.strictObject({
    /** Ids of keys. */
    keys: z.array(z.string()).max(1_000),
    /** The sha256 of manifests. */
    manifests: z.array(sha256Schema).max(10_000),
  }),
});

/** What a registry offers, and what it took back. */
export type RegistryFile = z.infer<typeof registrySchema>;
export type RegistryEntry = RegistryFile["bundles"][number];

/** Throws `bundle_invalid`. */
export function readRegistryFile(signed: unknown, what: string): RegistryFile {
  const parsed = registrySchema.safeParse(signed);
  if (parsed.success) return parsed.data;
  throw new BundlesError("bundle_invalid", `${what} is no registry: ${z.prettifyError(parsed.error)}`, {
    hint: "It may need a newer Deputy.",
  });
}
