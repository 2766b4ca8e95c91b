import { z } from "zod";

/** A schema of something on a wire, for whoever only passes it on. */
export type WireSchema = z.ZodType;

/** As JSON Schema (2020-12): `input` as a client may send it, `output` as it is answered. */
export function jsonSchemaOf(schema: WireSchema, io: "input" | "output"): Record<string, unknown> {
  const { $schema: _, ...body } = z.toJSONSchema(schema, { io, unrepresentable: "throw" });
  return body;
}
