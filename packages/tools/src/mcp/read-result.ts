import type { JsonSchema } from "@deputy/codemode";
import type { CallToolResult } from "@modelcontextprotocol/client";
import { resolvePointer } from "../openapi/spec/spec-document.ts";
import { createSchemaCheck } from "../openapi/schema/schema-check.ts";
import { ToolsError } from "../tools-error.ts";
import type { McpDefinition } from "./definition.ts";
import { serversWords } from "./failure.ts";

/** What a tool gives that does not say what it gives. */
export const UNSTRUCTURED: JsonSchema = {
  type: "object",
  properties: {
    text: { type: "string", description: "All text of the answer; many servers write JSON into it." },
    parts: {
      type: "array",
      description: "Whatever else there is: images, audio, resources and links to them.",
      items: {
        type: "object",
        properties: {
          type: { type: "string" },
          mimeType: { type: "string" },
          bytes: { type: "integer" },
          data: { type: "string", description: "As base64." },
          uri: { type: "string" },
          name: { type: "string" },
          text: { type: "string" },
        },
        required: ["type"],
      },
    },
    structured: { description: "The answer as data, where the server gives it so." },
  },
  required: ["text", "parts"],
};

/** The result of a call as programs get it. Throws `mcp_failed` for a failure, or `invalid_output`. */
export function readResult(path: string, { outputSchema }: McpDefinition, result: CallToolResult): unknown {
  const { structuredContent, isError } = result;
  const blocks = result.content ?? [];
  const text = blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  if (isError === true)
    throw new ToolsError("mcp_failed", text === "" ? `${path} failed without a word` : serversWords(text));
  if (outputSchema === undefined) {
    const structured = structuredContent === undefined ? {} : { structured: structuredContent };
    return { text, parts: blocks.flatMap(partOf), ...structured };
  }
  const lookUp = (ref: string): unknown => resolvePointer(outputSchema, ref);
  const problems =
    structuredContent === undefined
      ? ["there is no structured content"]
      : createSchemaCheck(lookUp, "writeOnly")(outputSchema, structuredContent);
  if (problems.length === 0) return structuredContent;
  const why = serversWords(problems.join("; "));
  throw new ToolsError("invalid_output", `${path} returned what it does not declare: ${why}`);
}

type Block = CallToolResult["content"][number];

function partOf(block: Block): readonly object[] {
  switch (block.type) {
    case "text":
      return [];
    case "image":
    case "audio":
      return [{ type: block.type, mimeType: block.mimeType, bytes: bytesOf(block.data), data: block.data }];
    case "resource_link":
      return [{ type: block.type, uri: block.uri, name: block.name, ...mimeTypeOf(block) }];
    case "resource":
      return [{ type: block.type, ...contentsOf(block.resource) }];
    default:
      return [{ type: "unknown" }];
  }
}

/** A resource's contents: text as it is, anything else as base64. */
export function contentsOf(contents: {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  readonly text?: string;
  readonly blob?: string;
}): object {
  const { uri, text, blob } = contents;
  return {
    uri,
    ...mimeTypeOf(contents),
    ...(text === undefined ? {} : { text }),
    ...(blob === undefined ? {} : { bytes: bytesOf(blob), data: blob }),
  };
}

function mimeTypeOf({ mimeType }: { readonly mimeType?: string | undefined }): object {
  return mimeType === undefined ? {} : { mimeType };
}

function bytesOf(base64: string): number {
  return Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
}
