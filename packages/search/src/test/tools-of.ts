import type { SearchableTool } from "../searchable-tool.ts";

/** Tools by path, sorted as a catalogue sorts them: each with its description and the names of its parameters. */
export function toolsOf(
  described: Readonly<Record<string, readonly [description: string, ...parameters: readonly string[]]>>,
  describedBy?: string,
): readonly SearchableTool[] {
  return Object.entries(described)
    .map(([path, [description, ...parameters]]) => ({
      path,
      description,
      inputSchema: { properties: Object.fromEntries(parameters.map((name) => [name, { type: "string" }])) },
      idempotent: true,
      describedBy,
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
