import { z } from "zod";
import { failureSchema, idSchema, sha256Schema } from "./shared.ts";
import { answerSchema } from "./session-events.ts";

/** Far beyond what anybody writes for one cell; larger ones would strain checker, log and model alike. */
export const LARGEST_PROGRAM_CHARS = 256 * 1024;

export const programLanguageSchema = z.enum(["typescript", "javascript"]);

/** Who wrote a program that no agent's model did; absent: the user. */
export const programWriterSchema = z.literal("model");

export const diagnosticSchema = z.object({
  line: z.int(),
  column: z.int(),
  code: z.string(),
  message: z.string(),
});
export type Diagnostic = z.infer<typeof diagnosticSchema>;

/** One tool call of a finished cell, as design 002 shows it; `args` is always an array. */
export const operationSchema = z.object({
  fn: z.string(),
  args: z.array(z.unknown()),
  result: z.unknown().optional(),
  durationMs: z.number().nonnegative(),
});
export type Operation = z.infer<typeof operationSchema>;

const cellId = idSchema("cell");
/** Present when the program is the whole task: no model speaks after it, so its result is the answer. */
const author = z.literal("user").optional();
/** Present when the cell was a single call that the model made, as `call` in `cell.submitted` says. */
const asCall = z.literal(true).optional();

export const cellEvents = {
  "cell.submitted": z.object({
    cellId,
    language: programLanguageSchema,
    code: z.string(),
    sha256: sha256Schema,
    /** The provider's id of the `run_code` call that carried it; absent when a person wrote the code. */
    providerCallId: z.string().optional(),
    /** What the model called, when it was not `run_code`: the program was made from it. */
    call: z.object({ name: z.string(), input: z.unknown() }).optional(),
    /** Present when the program came in the text of the answer, between script tags. */
    isScript: z.literal(true).optional(),
    /** Present when that text is without it. Earlier versions left it there. */
    apart: z.literal(true).optional(),
    /** Present when it had no end tag, so that it was not run. */
    unclosed: z.literal(true).optional(),
    /** Present when it came from a client whose model wrote it. */
    writtenBy: programWriterSchema.optional(),
    answer: answerSchema.optional(),
  }),
  "cell.checked": z.object({
    cellId,
    diagnostics: z.array(diagnosticSchema),
    /** Whose words the diagnostics quote, besides those of the program; absent: that was not looked at. */
    quotes: z.array(z.string()).optional(),
    attempt: z.int().positive(),
    asCall,
    author,
  }),
  "cell.suspended": z.object({ cellId, why: z.string(), checkpoint: z.string().optional() }),
  "cell.resumed": z.object({ cellId, why: z.string(), checkpoint: z.string().optional() }),
  "cell.completed": z.object({
    cellId,
    author,
    result: z.unknown().optional(),
    /**
     * Present when `result` is only a part of it: how long the result is as JSON, and which `parts` of what is shown
     * are not whole. Earlier versions cut it anywhere, and have only the `items` of a list.
     */
    cut: z
      .object({
        chars: z.int().positive(),
        items: z.object({ shown: z.int().nonnegative(), of: z.int().positive() }).optional(),
        parts: z
          .array(
            z.object({
              /** As a program would write it; empty for the result itself. */
              path: z.string(),
              unit: z.enum(["items", "fields", "characters"]),
              shown: z.int().nonnegative(),
              of: z.int().positive(),
            }),
          )
          .optional(),
      })
      .optional(),
    /** Present when `result` is cut or redacted here and whole in the journal. */
    wholeResult: z.literal("journal").optional(),
    logs: z.array(z.string()),
    /** The tools that wrote the last of these lines, one for each; absent: the program wrote all of them. */
    logSources: z.array(z.string()).optional(),
    operations: z.array(operationSchema),
    asCall,
    error: failureSchema.optional(),
  }),
} as const;
