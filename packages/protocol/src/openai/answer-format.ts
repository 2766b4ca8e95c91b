import { z } from "zod";

/** What a client wants an answer to be: JSON that fits a schema. */
export interface AnswerFormat {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export type ReadFormat =
  | { readonly kind: "text" }
  | { readonly kind: "json"; readonly format: AnswerFormat }
  | { readonly kind: "misfit"; readonly field: string; readonly message: string };

const described = {
  name: z.string().max(200).optional(),
  schema: z.record(z.string(), z.unknown()).nullish(),
};
const typeSchema = z.enum(["text", "json_object", "json_schema"]);

/** `response_format` of a chat completion. */
export const chatFormatSchema = z.looseObject({
  type: typeSchema,
  json_schema: z.looseObject(described).nullish(),
});

/** `text.format` of a response. */
export const responsesFormatSchema = z.looseObject({ type: typeSchema, ...described });

/** A schema that is longer would be most of the prompt. */
const MOST_CHARS = 100_000;

/** `place` is where the schema stands in the request, `field` what is named if it is missing there. */
export function readFormat(
  type: z.infer<typeof typeSchema> | undefined,
  place:
    | { readonly name?: string | undefined; readonly schema?: AnswerFormat["schema"] | null | undefined }
    | null
    | undefined,
  field: string,
): ReadFormat {
  if (type === undefined || type === "text") return { kind: "text" };
  if (type === "json_object")
    return { kind: "json", format: { name: "json_object", schema: { type: "object" } } };
  const schema = place?.schema;
  if (schema === undefined || schema === null)
    return { kind: "misfit", field, message: "a JSON schema is missing" };
  if (JSON.stringify(schema).length > MOST_CHARS)
    return { kind: "misfit", field, message: `the schema may have ${MOST_CHARS} characters` };
  return { kind: "json", format: { name: place?.name ?? "answer", schema } };
}
