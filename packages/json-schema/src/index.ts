// JSON Schema as tools meet it: looking into documents, following references, checking values.
// What does not belong here: where a schema comes from, and types made from one (see codemode).
export { fieldOf, isObject, type JsonObject, listOf, textOf } from "./json-object.ts";
export { pointerTokens, resolvePointer } from "./json-pointer.ts";
export { createSchemaCheck } from "./schema-check.ts";
