import type { Client, RequestOptions } from "@modelcontextprotocol/client";
import { z } from "zod";
import { ToolsError } from "@deputy/tools";
import { isObject } from "@deputy/json-schema";
import { countChars, type McpDefinition, readDefinition } from "./definition.ts";

const KEY = "x-mcp-header";

/** A name that can stand in a header, as RFC 9110 has it. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const TYPES: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);

/** Keywords whose members are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);

/** The tools that a server offers. */
export interface Listing {
  readonly server: { readonly name: string; readonly version: string };
  readonly offers: { readonly resources: boolean; readonly prompts: boolean };
  readonly definitions: readonly McpDefinition[];
  /** Tools that are not taken, and why. */
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
}

export const LISTING_LIMITS = { tools: 10_000, pages: 200, chars: 20 * 1024 * 1024 };

const NAME_CHARS = 200;

/** Tools are read one by one: an error in one does not affect the others. */
const pageSchema = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

/** Everything a server lists, page by page. Rejects with `mcp_invalid` if there is no end to it. */
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
  // Not `listTools`, which collects all pages before a limit can apply.
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

/**
 * The problem with arguments that a schema wants sent as headers; undefined if there is none. Over HTTP, a
 * tool with such a problem cannot be called as its server intends, and must be left out.
 */
function headerFault(inputSchema: unknown): string | undefined {
  const names = new Set<string>();
  const visit = (node: unknown, place: "root" | "property" | "elsewhere"): string | undefined => {
    if (Array.isArray(node)) return first(node, (item) => visit(item, "elsewhere"));
    if (!isObject(node)) return undefined;
    if (Object.hasOwn(node, KEY)) {
      const name = node[KEY];
      if (place !== "property") return "a header for something that is not an argument";
      if (typeof name !== "string" || !TOKEN.test(name)) return "a header with an invalid name";
      if (!TYPES.has(node["type"]))
        return "a header for something that is not text, a whole number or a boolean";
      if (names.has(name.toLowerCase())) return "the same header twice";
      names.add(name.toLowerCase());
    }
    return first(Object.entries(node), ([key, value]) => {
      if (DATA.has(key)) return undefined;
      if (key !== "properties" || !isObject(value)) return visit(value, "elsewhere");
      const inside = place === "elsewhere" ? place : "property";
      return first(Object.values(value), (property) => visit(property, inside));
    });
  };
  return visit(inputSchema, "root");
}

function first<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
