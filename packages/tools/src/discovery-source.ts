import { z } from "zod";
import type { Catalogue } from "./catalogue.ts";
import type { ToolSource } from "./create-catalogue.ts";
import { defineTool } from "./define-tool.ts";

const MOST_FOUND = 20;
const MOST_DESCRIBED = 50;

/** Tools that look into the catalogue they are part of, for programs and models alike: `tools.deputy.*`. */
export function discoverySource(catalogue: () => Catalogue): ToolSource {
  const tree = {
    deputy: {
      searchTools: defineTool({
        description: "Finds tools by what they do, the best first",
        approval: "auto",
        trust: "trusted",
        args: z.object({ query: z.string().max(1_000) }),
        returns: z.array(z.object({ path: z.string(), description: z.string() })),
        run: ({ query }) =>
          catalogue()
            .search(query, MOST_FOUND)
            .map(({ path, description }) => ({ path, description })),
      }),
      describeTools: defineTool({
        description: "TypeScript declarations of tools, by path; unknown paths are left out",
        approval: "auto",
        trust: "trusted",
        args: z.object({ paths: z.array(z.string()).max(MOST_DESCRIBED) }),
        returns: z.string(),
        run: ({ paths }) => catalogue().describe(paths),
      }),
    },
  };
  return { source: "deputy", tree };
}
