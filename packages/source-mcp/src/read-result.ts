import type { CallToolResult } from "@modelcontextprotocol/client";
import { AnsweredError } from "@deputy/tools";
import type { ToolContext } from "@deputy/tools";
import { resolvePointer } from "@deputy/json-schema";
import { createSchemaCheck } from "@deputy/json-schema";
import { ToolsError } from "@deputy/tools";
import type { McpDefinition } from "./definition.ts";
import { serversWords } from "./failure.ts";

type Attach = ToolContext["attach"];

/**
 * The result of a call as programs get it; images and sounds become attachments if possible. Rejects with
 * `mcp_failed` for a failure, or `invalid_output`.
 */
export async function readResult(
  path: string,
  { outputSchema }: McpDefinition,
  result: CallToolResult,
  attach: Attach,
): Promise<unknown> {
  const { structuredContent, isError } = result;
  const blocks = result.content ?? [];
  const text = blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  if (isError === true) {
    const words = text === "" ? `${path} failed without a message` : serversWords(text);
    throw new AnsweredError("mcp_failed", words, { body: structuredContent });
  }
  if (outputSchema === undefined) {
    const structured = structuredContent === undefined ? {} : { structured: structuredContent };
    const parts: object[] = [];
    for (const block of blocks) if (block.type !== "text") parts.push(await partOf(block, attach));
    return { text, parts, ...structured };
  }
  const lookUp = (ref: string): unknown => resolvePointer(outputSchema, ref);
  const problems =
    structuredContent === undefined
      ? ["there is no structured content"]
      : createSchemaCheck(lookUp, "writeOnly")(outputSchema, structuredContent);
  if (problems.length === 0) return structuredContent;
  const why = serversWords(problems.join("; "));
  throw new ToolsError("invalid_output", `${path} returned something other than it declares: ${why}`);
}

type Block = CallToolResult["content"][number];

async function partOf(block: Exclude<Block, { type: "text" }>, attach: Attach): Promise<object> {
  switch (block.type) {
    case "image":
    case "audio":
      return { type: block.type, mimeType: block.mimeType, ...(await keep(block, attach)) };
    case "resource_link":
      return { type: block.type, uri: block.uri, name: block.name, ...mimeTypeOf(block) };
    default:
      return { type: block.type, ...contentsOf(block.resource) };
  }
}

/** Content that cannot be kept, because it is not base64 or too large, stays in the result unchanged. */
async function keep(
  { type, data, mimeType }: Block & { type: "image" | "audio" },
  attach: Attach,
): Promise<object> {
  const asItCame = { bytes: bytesOf(data), data };
  if (attach === undefined) return asItCame;
  try {
    const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    const { blobId } = await attach({
      bytes,
      mimeType,
      name: `${type}.${(mimeType.split("/").at(-1) ?? "").replaceAll(/[^\w.-]/g, "")}`,
    });
    return { bytes: bytes.length, blobId };
  } catch {
    return asItCame;
  }
}

/** A resource's contents: text unchanged, anything else as base64. */
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
