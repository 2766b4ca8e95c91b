/** What the search looks at of a tool; a catalogue's own tools have it. */
export interface SearchableTool {
  /** Dotted, e.g. `github.issues.close`; what stands before the first dot is its namespace. */
  readonly path: string;
  /** The first line is a summary; a last line such as `GET /issues/{id}` is the route of an HTTP interface. */
  readonly description: string;
  /** JSON Schema; looked at only where there are no `keywords`, for parameters' names and descriptions. */
  readonly inputSchema: unknown;
  readonly keywords?: string | undefined;
  /** Counts as a read where neither name nor route tells what it does. */
  readonly idempotent: boolean;
}
