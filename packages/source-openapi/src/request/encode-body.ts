import { ToolsError } from "@deputy/tools";
import { fieldOf, isObject } from "@deputy/json-schema";
import { styleOf } from "../spec/parameter.ts";
import type { RequestBody } from "../spec/request-body.ts";
import { expandPairs, plainText } from "./expand-style.ts";
import { encodeMultipart, type FormPart } from "./multipart.ts";
import { percentEncode, percentEncodeReserved } from "./percent-encode.ts";

export interface EncodedBody {
  readonly contentType: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
}

/** Throws `request_invalid` for a value that does not have the form that the schema requires. */
export function encodeBody(body: RequestBody, value: unknown): EncodedBody {
  // A type with a star says what is accepted, not what is sent.
  const contentType = body.mediaType.includes("*")
    ? "application/json"
    : body.mediaType || "application/json";
  switch (body.kind) {
    case "json":
      return { contentType, content: JSON.stringify(value) };
    case "form":
      return { contentType, content: encodeForm(body, value) };
    case "multipart":
      return encodeMultipart(listParts(body, value));
    case "lines":
      return { contentType, content: listLines(value) };
    case "text":
    case "events":
      return { contentType, content: plainText(value) };
    default:
      return { contentType, content: decodeBase64(plainText(value)) };
  }
}

function encodeForm({ encoding }: RequestBody, value: unknown): string {
  return Object.entries(isObject(value) ? value : {})
    .flatMap(([name, field]) => {
      if (field === undefined) return [];
      const said = fieldOf(encoding, name);
      const isStyled = isObject(said) && ["style", "explode", "allowReserved"].some((key) => key in said);
      const styled = styleOf(isObject(said) ? said : {}, "query");
      // The specification says that an object without a style is JSON.
      if (styled.kind === "json" || (!isStyled && isObject(field)))
        return [`${percentEncode(name)}=${percentEncode(plainText(field))}`];
      const encode = styled.allowReserved ? percentEncodeReserved : percentEncode;
      return expandPairs(name, field, { ...styled, encode });
    })
    .join("&");
}

function listParts({ encoding }: RequestBody, value: unknown): readonly FormPart[] {
  return Object.entries(isObject(value) ? value : {}).flatMap(([name, field]) => {
    const said = fieldOf(fieldOf(encoding, name), "contentType");
    const mediaType = typeof said === "string" && !/[*,]/.test(said) ? said : undefined;
    return (Array.isArray(field) ? field : [field])
      .filter((one) => one !== undefined)
      .map((one) => partOf(name, one, mediaType));
  });
}

function partOf(name: string, value: unknown, said: string | undefined): FormPart {
  const file = fileOf(value);
  if (file !== undefined)
    return { name, ...file, mediaType: file.mediaType ?? said ?? "application/octet-stream" };
  const mediaType = said ?? (isObject(value) ? "application/json" : undefined);
  return { name, content: plainText(value), filename: undefined, mediaType };
}

interface FilePart {
  readonly content: string | Uint8Array<ArrayBuffer>;
  readonly filename: string;
  readonly mediaType: string | undefined;
}

const FILE_KEYS: ReadonlySet<string> = new Set(["text", "base64", "filename", "mediaType"]);

function fileOf(value: unknown): FilePart | undefined {
  if (!isObject(value) || !Object.keys(value).every((key) => FILE_KEYS.has(key))) return undefined;
  const { text, base64, filename, mediaType } = value;
  if (typeof base64 !== "string" && typeof text !== "string") return undefined;
  return {
    content: typeof base64 === "string" ? decodeBase64(base64) : String(text),
    filename: typeof filename === "string" ? filename : "file",
    mediaType: typeof mediaType === "string" ? mediaType : undefined,
  };
}

function listLines(value: unknown): string {
  return (Array.isArray(value) ? value : [value]).map((item) => `${JSON.stringify(item)}\n`).join("");
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch (cause) {
    throw new ToolsError("request_invalid", "Bytes must be given in base64", { cause });
  }
}
