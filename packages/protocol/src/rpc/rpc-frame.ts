import { z } from "zod";

/** The first frame of a connection, and what it is answered with. */
export const authFrameSchema = z.strictObject({ type: z.literal("auth"), token: z.string() });
export const authAnswerSchema = z.object({ type: z.literal("auth"), ok: z.literal(true) });

export const rpcIdSchema = z.union([z.string().max(200), z.int()]);
export type RpcId = z.infer<typeof rpcIdSchema>;

/** `data.code` is one of docs/errors.md; `code` is JSON-RPC's. */
export const rpcErrorSchema = z.object({
  code: z.int(),
  message: z.string(),
  data: z.object({ code: z.string(), hint: z.string().optional() }),
});
export type RpcError = z.infer<typeof rpcErrorSchema>;

/** Answers have it only if their request had it. */
const jsonrpc = z.literal("2.0").optional();

/** `id` is null when the request could not be read. */
export const rpcAnswerSchema = z.union([
  z.strictObject({ jsonrpc, id: rpcIdSchema, result: z.record(z.string(), z.unknown()) }),
  z.strictObject({ jsonrpc, id: rpcIdSchema.nullable(), error: rpcErrorSchema }),
]);

export const rpcErrorNumbers = {
  invalid_json: -32_700,
  invalid_request: -32_600,
  method_not_found: -32_601,
  invalid_params: -32_602,
  internal: -32_603,
  /** Everything else; `data.code` says what. */
  refused: -32_000,
  unauthorized: -32_001,
} as const;
