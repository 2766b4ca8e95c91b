import { ToolsError } from "@deputy/tools";
import { isObject, type JsonObject, textOf } from "@deputy/json-schema";
import { resolvePointer } from "@deputy/json-schema";

/** An OpenAPI document as it was written: nothing in it is copied, resolved or converted before it is needed. */
export interface SpecDocument {
  readonly root: JsonObject;
  readonly dialect: "swagger-2" | "openapi-3";
  /** The object itself, or the one its chain of references ends at; undefined when that leads outside or nowhere. */
  resolve(value: unknown): JsonObject | undefined;
  /** What a reference points at, whatever it is. */
  lookUp(ref: string): unknown;
}

const MAX_CHAIN = 32;

/** Throws `spec_invalid` for anything that is not OpenAPI 3 or Swagger 2. */
export function openDocument(root: unknown): SpecDocument {
  if (!isObject(root)) throw invalid("it holds no object");
  const dialect = dialectOf(root);
  if (!isObject(root["paths"]) && !isObject(root["webhooks"]) && !isObject(root["components"]))
    throw invalid("it has no paths");
  const lookUp = (ref: string): unknown => resolvePointer(root, ref);
  return {
    root,
    dialect,
    lookUp,
    resolve(value) {
      let found = value;
      for (let step = 0; step < MAX_CHAIN; step++) {
        if (!isObject(found)) return undefined;
        const ref = found["$ref"];
        if (typeof ref !== "string") return found;
        found = lookUp(ref);
      }
      return undefined;
    },
  };
}

function dialectOf(root: JsonObject): SpecDocument["dialect"] {
  const version = versionOf(root["openapi"]);
  if (version.startsWith("3.")) return "openapi-3";
  if (versionOf(root["swagger"]).startsWith("2")) return "swagger-2";
  throw invalid(version === "" ? "it says neither openapi nor swagger" : "its version is not known");
}

/** In YAML it may have been written as a number. */
function versionOf(value: unknown): string {
  return typeof value === "number" ? String(value) : (textOf(value) ?? "");
}

function invalid(why: string): ToolsError {
  return new ToolsError("spec_invalid", `This is no OpenAPI 3 or Swagger 2 document: ${why}`);
}
