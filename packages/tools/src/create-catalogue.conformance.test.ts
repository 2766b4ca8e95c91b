import { createNodeTypeChecker } from "@deputy/codemode/node";
import { describeCatalogue, type SeedTool } from "@deputy/testing";
import { z } from "zod";
import { createCatalogue, type ToolSource } from "./create-catalogue.ts";
import { defineTool } from "./define-tool.ts";
import type { ToolTree } from "./tool.ts";

/** Each tool from a source of its own, so that one may lie below another. */
function toSource({ path, run, inputSchema, outputSchema, ...facts }: SeedTool): ToolSource {
  const tool = defineTool({
    ...facts,
    args: z.fromJSONSchema(inputSchema),
    ...(outputSchema === undefined ? {} : { returns: z.fromJSONSchema(outputSchema) }),
    run: (input, { signal }) => run(input, signal),
  });
  const tree = path
    .split(".")
    .reduceRight<ToolTree | typeof tool>((child, name) => ({ [name]: child }), tool);
  return { source: path, tree: tree as ToolTree };
}

describeCatalogue("a catalogue of defined tools", {
  open: (tools) => createCatalogue(tools.map(toSource)),
  createTypeChecker: createNodeTypeChecker,
});
