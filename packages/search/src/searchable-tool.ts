/** The part of a tool that is searched; a catalogue's own tools have it. */
export interface SearchableTool {
  /** Dotted, e.g. `github.issues.close`; the part before the first dot is its namespace. */
  readonly path: string;
  /** The first line is a summary; a last line such as `GET /issues/{id}` is the route of an HTTP interface. */
  readonly description: string;
  /** JSON Schema; read only without `keywords`, for the names and descriptions of parameters. */
  readonly inputSchema: unknown;
  readonly keywords?: string | undefined;
  /** Counts as a read if neither name nor route tells what it does. */
  readonly idempotent: boolean;
  /** Who wrote it, if neither Deputy nor the user did. Those of the house come before equal ones of a service. */
  readonly describedBy?: string | undefined;
}
