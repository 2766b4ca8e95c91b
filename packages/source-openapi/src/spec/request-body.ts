import { isObject, type JsonObject, listOf, textOf } from "@deputy/json-schema";
import { type MediaKind, mediaKindOf } from "./media-type.ts";
import { schemaOf } from "./parameter.ts";
import type { SpecDocument } from "./spec-document.ts";

export interface RequestBody {
  readonly mediaType: string;
  readonly kind: MediaKind;
  readonly required: boolean;
  readonly description: string | undefined;
  readonly schema: unknown;
  /** By property: how parts of a form are written. */
  readonly encoding: JsonObject;
}

/** The first of these that an operation takes. */
const PREFERRED: readonly MediaKind[] = ["json", "form", "multipart", "text", "lines", "binary"];

/** The media type that is easiest for a program to write; undefined if the operation takes no body. */
export function readRequestBody(
  document: SpecDocument,
  operation: JsonObject,
  parameters: readonly unknown[],
): RequestBody | undefined {
  return document.dialect === "swagger-2"
    ? readSwaggerBody(document, operation, parameters)
    : readBody(document, operation);
}

function readBody(document: SpecDocument, operation: JsonObject): RequestBody | undefined {
  const body = document.resolve(operation["requestBody"]);
  const content = isObject(body?.["content"]) ? body["content"] : {};
  const mediaType = chooseMediaType(Object.keys(content));
  if (body === undefined || mediaType === undefined) return undefined;
  const media = document.resolve(content[mediaType]) ?? {};
  return {
    mediaType,
    kind: mediaKindOf(mediaType),
    required: body["required"] === true,
    description: textOf(body["description"]),
    schema: media["schema"],
    encoding: isObject(media["encoding"]) ? media["encoding"] : {},
  };
}

function readSwaggerBody(
  document: SpecDocument,
  operation: JsonObject,
  parameters: readonly unknown[],
): RequestBody | undefined {
  const all = parameters.map(document.resolve).filter(isObject);
  const consumes = listOf(operation["consumes"] ?? document.root["consumes"]).filter(isText);
  const body = all.find((parameter) => parameter["in"] === "body");
  if (body !== undefined) {
    const mediaType = chooseMediaType(consumes) ?? "application/json";
    const { schema, required, description } = body;
    const common = { required: required === true, description: textOf(description), encoding: {} };
    return { mediaType, kind: mediaKindOf(mediaType), schema, ...common };
  }
  const fields = all.filter((parameter) => parameter["in"] === "formData" && isText(parameter["name"]));
  if (fields.length === 0) return undefined;
  const hasFile = fields.some((field) => field["type"] === "file");
  const forms = consumes.filter((type) => /^multipart\/|x-www-form-urlencoded/i.test(type));
  const mediaType = hasFile
    ? "multipart/form-data"
    : (chooseMediaType(forms) ?? "application/x-www-form-urlencoded");
  const nameOf = (field: JsonObject): string => String(field["name"]);
  const required = fields.filter((field) => field["required"] === true).map(nameOf);
  const schemas = fields.map((field) => {
    const { type, ...rest } = schemaOf(document, field) as JsonObject;
    const schema = type === "file" ? { ...rest, type: "string", format: "binary" } : { type, ...rest };
    return [nameOf(field), { description: field["description"], ...schema }] as const;
  });
  const encoding = fields.map((field) => [nameOf(field), swaggerEncoding(field)] as const);
  return {
    mediaType,
    kind: mediaKindOf(mediaType),
    required: required.length > 0,
    description: undefined,
    schema: { type: "object", properties: Object.fromEntries(schemas), required },
    encoding: Object.fromEntries(encoding),
  };
}

const SWAGGER_STYLES: Readonly<Record<string, string>> = { ssv: "spaceDelimited", pipes: "pipeDelimited" };

function swaggerEncoding({ collectionFormat }: JsonObject): JsonObject {
  const style = SWAGGER_STYLES[String(collectionFormat)] ?? "form";
  return { style, explode: collectionFormat === "multi" };
}

export function chooseMediaType(mediaTypes: readonly string[]): string | undefined {
  for (const kind of PREFERRED) {
    const found = mediaTypes.find((mediaType) => mediaKindOf(mediaType) === kind);
    if (found !== undefined) return found;
  }
  return mediaTypes[0];
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
