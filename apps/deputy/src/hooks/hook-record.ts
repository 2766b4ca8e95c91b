import { hookSchemes } from "@deputy/gateway/hooks";
import { z } from "zod";
import { EVENT_NAME } from "../config/events-schema.ts";
import { secretReference } from "../config/secret-reference.ts";

/** Gateways take no larger bodies. */
export const MOST_BYTES = 1_000_000;

/** A hook as `hooks.json` in the home keeps it. */
export const hookRecordSchema = z.strictObject({
  id: z.string().min(16),
  name: z.string().regex(EVENT_NAME),
  /** The token itself is kept nowhere. */
  tokenSha256: z.string().regex(/^[0-9a-f]{64}$/),
  scheme: z.enum(hookSchemes),
  /** The secret, or where it is to be found; neither where the scheme has none. */
  secret: z.string().min(1).optional(),
  secretFrom: secretReference.min(1).optional(),
  publicUrl: z.url({ protocol: /^https?$/ }).optional(),
  maxBytes: z.int().min(1).max(MOST_BYTES),
  maxPerMinute: z.int().min(1),
  /** A JSON schema that payloads must fit. */
  schema: z.record(z.string(), z.unknown()).optional(),
  createdAt: z.iso.datetime(),
});
export type HookRecord = z.infer<typeof hookRecordSchema>;

export const hooksFileSchema = z.strictObject({ hooks: z.array(hookRecordSchema) });
