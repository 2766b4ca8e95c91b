import { z } from "zod";
import { timestampSchema } from "../events/shared.ts";
import { method } from "./rpc-method.ts";

const done = z.object({ ok: z.literal(true) });
const name = z.string().min(1).max(200);
const secret = z.string().min(1).max(10_000);

const sourceSchema = z.object({
  name: z.string(),
  kind: z.enum(["own", "demo", "plugin", "mcp", "openapi"]),
  /** Its address, command or file. */
  where: z.string(),
  tools: z.int().nonnegative(),
  /** `waits`: only the user's approval is missing. */
  standing: z.enum(["ready", "waits", "broken"]),
  /** In words; empty where there is nothing to say. */
  message: z.string(),
  /** When its tools were approved. */
  approvedAt: timestampSchema.optional(),
  /** The last time that it was asked what it offers, and what came of it. */
  asked: z.object({ at: timestampSchema, answered: z.boolean(), message: z.string() }).optional(),
  signsIn: z.boolean(),
  /** It can be asked and approved: an MCP server, or a document at an address. */
  isReviewed: z.boolean(),
  isRemovable: z.boolean(),
});
export type SourceRow = z.infer<typeof sourceSchema>;

/** What a source offers, before anybody uses it. */
const seenSchema = z.object({
  name: z.string(),
  /** What it calls itself. */
  title: z.string(),
  where: z.string(),
  /** What to know before saying yes: where calls go, what runs on this machine. */
  notes: z.array(z.string()),
  tools: z.array(
    z.object({
      path: z.string(),
      description: z.string(),
      effect: z.string(),
      approval: z.string(),
      change: z.enum(["new", "changed", "gone", "same"]),
    }),
  ),
  /** The same in full, with nothing hidden. */
  texts: z.array(z.string()),
  /** Nothing differs from what was approved before. */
  isSame: z.boolean(),
});
export type SeenSource = z.infer<typeof seenSchema>;

const lookSchema = z.object({
  look: z.string(),
  state: z.enum(["seen", "sign_in"]),
  /** Where to sign in first. */
  url: z.string().optional(),
  seen: seenSchema.optional(),
});
const look = z.string().min(1).max(100);

export const sourcesMethods = {
  "sources.list": method(
    "Where tools come from, and whether each source is well; asks none of them",
    z.strictObject({}),
    z.object({ sources: z.array(sourceSchema) }),
  ),
  "sources.check": method(
    "Asks one source what it offers now",
    z.strictObject({ name }),
    z.object({ source: sourceSchema }),
  ),
  "sources.look": method(
    "What a source that is not connected yet would offer; nothing is kept",
    z.strictObject({
      kind: z.enum(["mcp", "openapi", "plugin"]),
      /** The namespace of its tools. */
      name: z.string().min(1).max(64).optional(),
      /** An address; of a plugin, its file or package. */
      where: z.string().min(1).max(2_000).optional(),
      /** An MCP server that is started here: the program, then its arguments. */
      command: z.array(z.string().max(2_000)).min(1).max(50).optional(),
      /** Sent with every request. */
      bearer: secret.optional(),
      oauth: z.boolean().optional(),
    }),
    lookSchema,
  ),
  "sources.review": method(
    "What a connected source offers now, beside what was approved",
    z.strictObject({ name }),
    lookSchema,
  ),
  "sources.await": method(
    "Waits until the user has signed in there, and says what the source offers",
    z.strictObject({ look }),
    lookSchema,
  ),
  "sources.keep": method(
    "Approves exactly what was seen; a new source is connected with it",
    z.strictObject({ look }),
    z.object({ source: sourceSchema }),
  ),
  "sources.decline": method(
    "Says no: what differs from what was approved cannot be called",
    z.strictObject({ look }),
    done,
  ),
  "sources.remove": method("Disconnects a source", z.strictObject({ name }), done),
} as const;
