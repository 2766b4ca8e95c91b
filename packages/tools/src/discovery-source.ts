import { shorten } from "@deputy/kit";
import { DESCRIPTIONS_OF } from "@deputy/protocol";
import { z } from "zod";
import type { Catalogue } from "./catalogue.ts";
import type { ToolSource } from "./create-catalogue.ts";
import { defineTool } from "./define-tool.ts";

const MOST_FOUND = 10;
const MOST_DESCRIBED = 50;
const DESCRIPTION_CHARS = 120;

/** The name that labels and questions give to what these say about their tools. */
export function descriptionsOf(authors: readonly string[]): string {
  return `${DESCRIPTIONS_OF}${[...new Set(authors)].toSorted().join(", ")}`;
}

/** Tools that look into the catalogue they are part of, for programs and models alike: `tools.deputy.*`. */
export function discoverySource(catalogue: () => Catalogue): ToolSource {
  /** The authors of these tools' descriptions, other than Deputy and the user; undefined if there are none. */
  const quoted = (paths: readonly string[]): string | undefined => {
    const authors = paths.flatMap((path) => catalogue().get(path)?.describedBy ?? []);
    return authors.length === 0 ? undefined : descriptionsOf(authors);
  };
  const within = (wanted: string): readonly string[] =>
    catalogue()
      .list()
      .flatMap(({ path }) => (isSameNamespace(path, wanted) ? path : []));
  const tree = {
    deputy: {
      searchTools: defineTool({
        description: "Finds tools by what they do, the best first",
        approval: "auto",
        isLocal: true,
        trust: "trusted",
        args: z.object({ query: z.string().max(1_000) }),
        returns: z.array(z.object({ path: z.string(), description: z.string() })),
        quotes: (_input, found) => quoted(found.map(({ path }) => path)),
        run: async ({ query }, { signal }) =>
          (await catalogue().find(query, MOST_FOUND, signal)).tools.map(({ path, description }) => ({
            path,
            description: inShort(description),
          })),
      }),
      describeTools: defineTool({
        description:
          "TypeScript declarations of tools, by path or namespace. Large types are cut at …, unless whole is true",
        approval: "auto",
        isLocal: true,
        trust: "trusted",
        args: z.object({ paths: z.array(z.string()).max(MOST_DESCRIBED), whole: z.boolean().optional() }),
        returns: z.string(),
        // For what is no path of a tool, tools of the same namespace are declared or named.
        quotes: ({ paths }) =>
          quoted(paths.flatMap((path) => (catalogue().get(path) === undefined ? within(path) : path))),
        run: async ({ paths, whole }) => {
          const { describePaths } = await import("./describe/look-up-paths.ts");
          return describePaths(catalogue(), paths, whole === true ? "whole" : "brief");
        },
      }),
    },
  };
  return { source: "deputy", tree };
}

/** The first line, which is enough for a list; the rest is in the declaration. */
function inShort(description: string): string {
  return shorten(description.split("\n", 1)[0]?.trim() ?? "", DESCRIPTION_CHARS);
}

/** True if two paths begin with the same name; `tools.` before one is no part of it. */
export function isSameNamespace(path: string, wanted: string): boolean {
  return (
    path.split(".", 1)[0] ===
    wanted
      .trim()
      .replace(/^tools\./, "")
      .split(".", 1)[0]
  );
}
