import type { Client, RequestOptions } from "@modelcontextprotocol/client";
import { z } from "zod";
import { ToolsError } from "@deputy/tools";
import { countChars, type McpDefinition, readDefinition } from "./definition.ts";
import { headerFault } from "./parameter-headers.ts";

/** What a server offers. */
export interface Listing {
  readonly server: { readonly name: string; readonly version: string };
  readonly offers: { readonly resources: boolean; readonly prompts: boolean };
  readonly definitions: readonly McpDefinition[];
  /** Tools that are not taken, and why. */
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
}

export const LISTING_LIMITS = { tools: 10_000, pages: 200, chars: 20 * 1024 * 1024 };
const NAME_CHARS = 200;

/** Tools are read one by one: what is wrong with one says nothing of the others. */
const pageSchema = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

/** Everything a server lists, page by page. Rejects with `mcp_invalid` where there is no end to it. */
export async function listServer(
  client: Client,
  { name, kind }: { readonly name: string; readonly kind: "stdio" | "http" },
  options: RequestOptions,
): Promise<Listing> {
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
  const { name: serverName = "", version = "" } = client.getServerVersion() ?? {};
  const sendsHeaders = kind === "http" && client.getProtocolEra() === "modern";
  const definitions: McpDefinition[] = [];
  const refused: { name: string; reason: string }[] = [];
  let chars = 0;
  const cursors = new Set<string>();
  let cursor: string | undefined;
  // Not `listTools`, which gathers all pages before anybody can say that it is enough.
  let hasMore = tools !== undefined;
  for (let page = 1; hasMore; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const found = await client.request({ method: "tools/list", params }, pageSchema, options);
    for (const raw of found.tools) {
      const read = readDefinition(raw);
      chars += countChars(raw);
      const fault = sendsHeaders && read.kind === "ok" ? headerFault(read.definition.inputSchema) : undefined;
      if (read.kind === "refused") refused.push({ name: read.name, reason: read.reason });
      else if (fault !== undefined) refused.push({ name: read.definition.name, reason: `it wants ${fault}` });
      else definitions.push(read.definition);
      const count = definitions.length + refused.length;
      if (count > LISTING_LIMITS.tools || chars > LISTING_LIMITS.chars) throw endless(name);
    }
    cursor = found.nextCursor;
    hasMore = cursor !== undefined;
    if (cursor === undefined) continue;
    if (cursors.has(cursor) || page >= LISTING_LIMITS.pages) throw endless(name);
    cursors.add(cursor);
  }
  return {
    server: { name: serverName.slice(0, NAME_CHARS), version: version.slice(0, NAME_CHARS) },
    offers: { resources: resources !== undefined, prompts: prompts !== undefined },
    definitions,
    refused,
  };
}

function endless(name: string): ToolsError {
  const { tools, chars, pages } = LISTING_LIMITS;
  const most = `${tools} tools, ${chars / 1024 / 1024} MB or ${pages} pages`;
  return new ToolsError("mcp_invalid", `${name} lists more than ${most}, or the same page again and again`);
}
