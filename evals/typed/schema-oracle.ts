import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { JsonSchema } from "@deputy/codemode";

/** An independent opinion on whether a value fits a schema: what is wrong with it, empty when nothing is. */
export interface SchemaOracle {
  errors(schema: JsonSchema, value: unknown): readonly ErrorObject[];
}

export function createSchemaOracle(): SchemaOracle {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false, allErrors: true });
  const compiled = new Map<JsonSchema, ValidateFunction>();
  return {
    errors(schema, value) {
      const validate = compiled.get(schema) ?? ajv.compile(schema);
      compiled.set(schema, validate);
      return validate(value) ? [] : (validate.errors ?? []);
    },
  };
}
