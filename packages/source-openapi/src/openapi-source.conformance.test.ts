import { createNodeTypeChecker } from "@deputy/codemode/node";
import { createSystemClock } from "@deputy/kit";
import { describeCatalogue, type SeedTool } from "@deputy/testing";
import { createCatalogue, type ToolSource } from "@deputy/tools";
import type { ReadyTool, ToolTree } from "@deputy/tools";
import { documentOf } from "./openapi.fixture.ts";
import { openApiSource } from "./openapi-source.ts";

const METHODS = { read: "get", write: "post", egress: "post", destructive: "delete" } as const;

/** Each seed as an operation of a document of its own, put where the seed wants to be. */
function toSource({ path, description, effect, inputSchema, outputSchema, run }: SeedTool): ToolSource {
  const { properties = {}, required = [] } = Object(inputSchema) as {
    readonly properties?: Record<string, unknown>;
    readonly required?: readonly string[];
  };
  const parameters = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    schema,
    required: required.includes(name),
  }));
  const response =
    outputSchema === undefined ? {} : { content: { "application/json": { schema: outputSchema } } };
  const operation = { operationId: "seed", description, parameters, responses: { 200: response } };
  const document = documentOf({ "/seed": { [METHODS[effect]]: operation } });
  const door = async (url: URL, { signal }: RequestInit): Promise<Response> => {
    const id = url.searchParams.get("id");
    try {
      return Response.json(
        await run(id === null ? {} : { id: Number(id) }, signal ?? new AbortController().signal),
      );
    } catch (error) {
      return new Response(error instanceof Error ? error.message : "", { status: 500 });
    }
  };
  const options = { name: "seeds", server: "http://127.0.0.1:1", misfits: "refused" } as const;
  const deps = {
    doors: { named: door, others: door },
    clock: createSystemClock(),
    learnSecret: () => undefined,
  };
  const { seed } = openApiSource(document, options, deps).tree["seeds"] as { readonly seed: ReadyTool };
  const tree = path.split(".").reduceRight<ToolTree | ReadyTool>((child, name) => ({ [name]: child }), seed);
  return { source: path, tree: tree as ToolTree };
}

describeCatalogue("a catalogue of operations", {
  open: (tools) => createCatalogue(tools.map(toSource)),
  createTypeChecker: createNodeTypeChecker,
});
