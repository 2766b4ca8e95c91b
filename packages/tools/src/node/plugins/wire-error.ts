import { CodedError } from "@deputy/kit";
import { z } from "zod";
import { AnsweredError } from "../../tools-error.ts";
import { ToolsError, type ToolsErrorCode } from "../../tools-error.ts";
import { cut } from "./wire-text.ts";

/** An error in transit between Deputy and a plugin's host, in either direction. */
export const wireError = z.object({
  /** Absent for an error that is not ours. */
  code: z.string().optional(),
  name: z.string().optional(),
  message: z.string(),
  hint: z.string().optional(),
  quotes: z.array(z.string()).optional(),
  /** Present for a refusal that came with an answer. */
  answer: z.object({ status: z.number().optional(), bodyJson: z.string().optional() }).optional(),
});
export type WireError = z.infer<typeof wireError>;

/** The body of a refusal says why. A longer one would be left out of the receipt anyway. */
const LARGEST_BODY_CHARS = 64 * 1024;
const SILENT = "The tool failed without a message.";

/** Never throws for any thrown value: an error's members may be getters that throw. */
export function toWireError(error: unknown): WireError {
  try {
    return describeError(error);
  } catch {
    return { message: SILENT };
  }
}

function describeError(error: unknown): WireError {
  if (!(error instanceof Error)) return { message: typeof error === "string" ? cut(error) : SILENT };
  const said = { name: cut(error.name), message: cut(error.message) };
  if (!(error instanceof CodedError)) return said;
  const coded = {
    ...said,
    code: String(error.code),
    ...(error.hint === undefined ? {} : { hint: cut(error.hint) }),
  };
  if (!(error instanceof ToolsError)) return coded;
  const quoted = error.quotes === undefined ? coded : { ...coded, quotes: error.quotes.map(String) };
  if (!(error instanceof AnsweredError)) return quoted;
  const { status } = error;
  return {
    ...quoted,
    answer: { ...(typeof status === "number" ? { status } : {}), ...bodyOf(error.body) },
  };
}

function bodyOf(body: unknown): { readonly bodyJson?: string } {
  try {
    const bodyJson: string | undefined = JSON.stringify(body);
    return bodyJson === undefined || bodyJson.length > LARGEST_BODY_CHARS ? {} : { bodyJson };
  } catch {
    return {};
  }
}

/** The error on the other side, of the same class if that matters. */
export function fromWireError(wire: WireError): Error {
  const { code, name, message, hint, quotes, answer } = wire;
  if (code === undefined) return named(new Error(message), name);
  // A plugin may have its own codes, and receipts show them.
  const known = code as ToolsErrorCode;
  if (answer === undefined)
    return new ToolsError(known, message, { quotes, ...(hint === undefined ? {} : { hint }) });
  return new AnsweredError(known, message, { status: answer.status, body: parseBody(answer.bodyJson) });
}

/** A body that is not JSON is ignored. */
function parseBody(json: string | undefined): unknown {
  try {
    return json === undefined ? undefined : (JSON.parse(json) as unknown);
  } catch {
    return undefined;
  }
}

function named(error: Error, name: string | undefined): Error {
  // Callers recognise an abort by its name.
  if (name !== undefined && name !== "Error")
    Object.defineProperty(error, "name", { value: name, configurable: true });
  return error;
}
