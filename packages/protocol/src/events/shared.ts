import { type Id, type IdKind, idPrefixes } from "@deputy/kit";
import { z } from "zod";

/** A branded id as it stands on the wire. (The overload is what gives the string its brand.) */
export function idSchema<Kind extends IdKind>(kind: Kind): z.ZodType<Id<Kind>, string>;
export function idSchema(kind: IdKind): z.ZodType {
  return z.string().regex(new RegExp(`^${idPrefixes[kind]}_[0-7][0-9A-HJKMNP-TV-Z]{25}$`));
}

export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
export const timestampSchema = z.iso.datetime({ offset: true });

/** Where a value came from, and how far it may be trusted. Labels only ever add up, they never cancel. */
export const labelSchema = z.object({
  trust: z.enum(["user", "trusted", "untrusted"]),
  source: z.string(),
});
export type Label = z.infer<typeof labelSchema>;

export const attachmentSchema = z.object({ blobId: z.string(), mimeType: z.string(), name: z.string() });

/** A failure as the log and every client see it: the code is stable, the message safe to show. */
export const failureSchema = z.object({
  code: z.string(),
  message: z.string(),
  line: z.int().optional(),
});
export type Failure = z.infer<typeof failureSchema>;

export const usageSchema = z.object({
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  cacheReadTokens: z.int().nonnegative().optional(),
  cacheWriteTokens: z.int().nonnegative().optional(),
  reasoningTokens: z.int().nonnegative().optional(),
  modelCalls: z.int().nonnegative(),
});
export type Usage = z.infer<typeof usageSchema>;

/** How much a model reasons before it answers. */
export const effortSchema = z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]);

export const costSchema = z.object({ amount: z.number().nonnegative(), currency: z.string() });
