import type { JsonSchema } from "../json-schema.ts";

/** A refusal that a tool's source declares. */
export interface DeclaredError {
  /** `404`, a range such as `4XX`, or `default` for every status that is not named. */
  readonly status: string;
  /** The type of the body; absent if the source does not say. */
  readonly schema?: JsonSchema | undefined;
}

const RANGES: ReadonlyMap<string, string> = new Map([
  ["4XX", "ClientErrorStatus"],
  ["5XX", "ServerErrorStatus"],
]);
const ANY_STATUS = "HttpErrorStatus";

/**
 * What calls of a tool throw, as a union that a comparison of `status` narrows. What Deputy itself says of a call
 * has no status, and is always one of them.
 */
export function errorType(errors: readonly DeclaredError[], write: (schema: JsonSchema) => string): string {
  const bodyOf = ({ schema }: DeclaredError): string => (schema === undefined ? "unknown" : write(schema));
  const statuses = new Map<string, string[]>();
  const exact = errors.filter(({ status }) => /^[1-9]\d\d$/.test(status));
  for (const error of exact) {
    const body = bodyOf(error);
    statuses.set(body, [...(statuses.get(body) ?? []), error.status]);
  }
  const members = [...statuses].map(([body, named]) => toolError(named.join(" | "), body));
  const taken = exact.map(({ status }) => status);
  for (const error of errors) {
    const range = RANGES.get(error.status.toUpperCase());
    if (range === undefined) continue;
    const named = exact.flatMap(({ status }) => (status[0] === error.status[0] ? [status] : []));
    members.push(toolError(without(range, named), bodyOf(error)));
    taken.push(range);
  }
  const others = errors.find(({ status }) => status === "default");
  if (others === undefined) members.push(toolError(without(`${ANY_STATUS} | undefined`, taken), "unknown"));
  else members.push(toolError(without(ANY_STATUS, taken), bodyOf(others)), toolError("undefined", "unknown"));
  return members.join(" | ");
}

function toolError(status: string, body: string): string {
  return body === "unknown" ? `ToolError<${status}>` : `ToolError<${status}, ${body}>`;
}

function without(statuses: string, taken: readonly string[]): string {
  return taken.length === 0 ? statuses : `Exclude<${statuses}, ${taken.join(" | ")}>`;
}
