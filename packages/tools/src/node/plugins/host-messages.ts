import { z } from "zod";
import { type WireError, wireError } from "./wire-error.ts";

/**
 * The messages between Deputy and the host of a plugin. Both have the same version, because the daemon starts its
 * hosts.
 */

/** The file descriptor of a host's pipe to Deputy. */
export const CHANNEL_FD = 3;

/**
 * A call's input: as parsed or, if that cannot leave the host (a class of the plugin's own), to be parsed
 * again.
 */
export type HostInput =
  | { readonly form: "parsed"; readonly value: unknown }
  | { readonly form: "raw"; readonly raw: unknown };

/** A question to a tool, without running it. */
export type HostQuestion = "parse" | "terms" | "circumstances" | "grounds" | "source" | "preview";

export type Service = "attach" | "ask" | "credential";

export interface HostOrder {
  readonly file: string;
  readonly toolsUrl: string;
  readonly pluginsUrl?: string | undefined;
  readonly zodUrl: string | undefined;
}

export interface HostContext {
  readonly idempotencyKey: string;
  readonly sessionKey: string;
  readonly session: string | undefined;
  readonly approvedBy: "user" | "terms";
  /** The services of Deputy that this call can use. */
  readonly services: readonly Service[];
}

export type ToHost =
  | ({ readonly kind: "load" } & HostOrder)
  | {
      readonly kind: "question";
      readonly id: number;
      readonly about: HostQuestion;
      readonly path: string;
      readonly input: HostInput;
    }
  | {
      readonly kind: "run";
      readonly id: number;
      readonly path: string;
      readonly input: HostInput;
      readonly context: HostContext;
    }
  | { readonly kind: "abort"; readonly id: number; readonly reason: WireError }
  /** To a `need`. */
  | { readonly kind: "given"; readonly id: number; readonly value: unknown }
  | { readonly kind: "refused"; readonly id: number; readonly error: WireError }
  | { readonly kind: "end" };

const jsonSchema = z.custom<Readonly<Record<string, unknown>> | boolean>(
  (value) => typeof value === "boolean" || (typeof value === "object" && value !== null),
);

/** Everything about a tool that does not need its code. */
export const toolDescription = z.object({
  path: z.string(),
  description: z.string(),
  approval: z.enum(["auto", "required"]),
  effect: z.enum(["read", "write", "egress", "destructive"]),
  presumed: z.string().optional(),
  idempotent: z.boolean(),
  critical: z.union([z.array(z.string()), z.literal("all")]),
  grantable: z.enum(["tool", "input"]).optional(),
  anyValues: z.boolean().optional(),
  trust: z.union([z.enum(["trusted", "untrusted"]), z.object({ values: z.array(z.string()) })]).optional(),
  credentials: z.record(z.string(), z.string()).optional(),
  limits: z.object({ timeoutMs: z.number().optional(), resultChars: z.number().optional() }),
  throws: z.array(z.string()).optional(),
  examples: z.array(z.object({ input: z.unknown(), note: z.string().optional() })),
  inputSchema: jsonSchema,
  outputSchema: jsonSchema.optional(),
  /** The functions about single calls that its author has defined. */
  says: z.array(z.enum(["terms", "circumstances", "grounds", "source"])),
});
export type ToolDescription = z.infer<typeof toolDescription>;

const id = z.int();

export const fromHost = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready"), tools: z.array(toolDescription) }),
  z.object({ kind: z.literal("unready"), error: wireError }),
  /** To a `question`. */
  z.object({ kind: z.literal("answer"), id, value: z.unknown() }),
  /** To a `run`; see `JsonResult`. */
  z.object({ kind: z.literal("result"), id, text: z.string().optional(), chars: z.number() }),
  /** To either. */
  z.object({ kind: z.literal("threw"), id, error: wireError }),
  z.object({ kind: z.literal("progress"), call: id, text: z.string() }),
  z.object({ kind: z.literal("log"), call: id, text: z.string() }),
  z.object({
    kind: z.literal("need"),
    id,
    call: id,
    service: z.enum(["attach", "ask", "credential"]),
    value: z.unknown(),
  }),
  /** The host's last message: an error was thrown or rejected that no code handles. */
  z.object({ kind: z.literal("stray"), how: z.enum(["thrown", "rejected"]), what: z.string() }),
]);
export type FromHost = z.infer<typeof fromHost>;
