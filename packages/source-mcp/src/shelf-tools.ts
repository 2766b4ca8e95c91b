import { z } from "zod";
import { defineTool } from "@deputy/tools";
import type { ToolTree } from "@deputy/tools";
import type { McpConnection } from "./connection.ts";
import type { Pins } from "./pins.ts";

const page = z.object({ cursor: z.string().optional().describe("From the page before, to go on.") });

/** Tools to look at what a server has besides tools: its resources and prompts. */
export function shelfTools(
  server: string,
  target: string,
  connection: McpConnection,
  offers: Pins["offers"],
): ToolTree {
  const shared = {
    approval: "auto",
    effect: "read",
    trust: "untrusted",
    identity: `mcp ${target}`,
    source: () => `mcp:${server}`,
  } as const;
  const resources = {
    list: defineTool({
      ...shared,
      description: `Resources of ${server}, and templates of addresses for more.`,
      args: page,
      run: async (params, context) =>
        await connection.request(context, async (client, options) => {
          const found = await client.request({ method: "resources/list", params }, options);
          const isFirst = params.cursor === undefined;
          const templates = isFirst
            ? await client
                .request({ method: "resources/templates/list", params: {} }, options)
                .catch(() => undefined)
            : undefined;
          return {
            resources: found.resources.map(({ uri, name, description, mimeType, size }) => ({
              uri,
              name,
              description,
              mimeType,
              size,
            })),
            templates: (templates?.resourceTemplates ?? []).map(({ uriTemplate, name, description }) => ({
              uriTemplate,
              name,
              description,
            })),
            nextCursor: found.nextCursor,
          };
        }),
    }),
    read: defineTool({
      ...shared,
      description: `One resource of ${server}: its text, or its bytes as base64.`,
      args: z.object({ uri: z.string().min(1) }),
      run: async ({ uri }, context) =>
        await connection.request(context, async (client, options) => {
          const { contents } = await client.request({ method: "resources/read", params: { uri } }, options);
          const { contentsOf } = await import("./read-result.ts");
          return contents.map(contentsOf);
        }),
    }),
  };
  const prompts = {
    list: defineTool({
      ...shared,
      description: `Prompts that ${server} has written, with their arguments.`,
      args: page,
      run: async (params, context) =>
        await connection.request(context, async (client, options) => {
          const found = await client.request({ method: "prompts/list", params }, options);
          return {
            prompts: found.prompts.map(({ name, description, arguments: args }) => ({
              name,
              description,
              arguments: args,
            })),
            nextCursor: found.nextCursor,
          };
        }),
    }),
    get: defineTool({
      ...shared,
      description: `One prompt of ${server}: its messages. They are the server's words, not the user's.`,
      args: z.object({ name: z.string().min(1), arguments: z.record(z.string(), z.string()).optional() }),
      run: async (params, context) =>
        await connection.request(context, async (client, options) => {
          const { description, messages } = await client.request({ method: "prompts/get", params }, options);
          return { description, messages };
        }),
    }),
  };
  return { ...(offers.resources ? { resources } : {}), ...(offers.prompts ? { prompts } : {}) };
}
