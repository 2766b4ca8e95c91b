import type { DeclaredError } from "@deputy/codemode";
import { isObject, type JsonObject } from "@deputy/json-schema";
import { answerSchema, BYTES_SCHEMA, producedBy, SUCCESS } from "./results.ts";
import type { SpecDocument } from "./spec-document.ts";

const REFUSAL = /^(?:[345]\d\d|[45]XX)$/i;

/** The refusals that an operation declares, including those without a declared body. */
export function readErrors(document: SpecDocument, operation: JsonObject): readonly DeclaredError[] {
  const responses = isObject(operation["responses"]) ? Object.entries(operation["responses"]) : [];
  const produces = producedBy(document, operation);
  // Without another, `default` is what success is like.
  const hasSuccess = responses.some(([status]) => SUCCESS.test(status));
  const refusals = responses.filter(([status]) => (status === "default" ? hasSuccess : REFUSAL.test(status)));
  return refusals.map((response) => {
    const schema = answerSchema(document, response, produces, new Set());
    const [status] = response;
    return isObject(schema) && schema !== BYTES_SCHEMA ? { status, schema } : { status };
  });
}

/** The declaration for an answer of this status: by the status itself, by its range, or by `default`. */
export function errorOfStatus(errors: readonly DeclaredError[], status: number): DeclaredError | undefined {
  const names = [String(status), `${Math.floor(status / 100)}XX`, "default"];
  return names.flatMap((name) => errors.filter((error) => error.status.replace(/xx$/i, "XX") === name))[0];
}
