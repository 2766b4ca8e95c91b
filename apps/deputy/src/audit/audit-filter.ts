import { type AuditEntry, projectAudit, type StoredEvent } from "@deputy/protocol";

export interface AuditFilter {
  /** Milliseconds since the epoch. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
  /** A type, or its first part: `call.settled`, `call`. */
  readonly type?: string;
  /** A tool path, or the beginning of one: `github.issues`. */
  readonly tool?: string;
}

/** Calls and plans whose tools are remembered, for later events that do not name them. */
const MAX_KNOWN_CALLS = 10_000;

/**
 * Undefined for an event that does not match. Most events of a call do not name its tool: `before` gives the
 * earlier events of the same stream, newest first, one of which does.
 */
export function createAuditFilter(
  filter: AuditFilter,
  before: (event: StoredEvent) => AsyncIterable<StoredEvent>,
): (event: StoredEvent) => Promise<AuditEntry | undefined> {
  const known = new Map<string, readonly string[]>();

  const find = async (event: StoredEvent, id: string): Promise<readonly string[]> => {
    for await (const earlier of before(event)) {
      const named = idOf(earlier.data) === id ? namedIn(earlier, projectAudit(earlier)) : undefined;
      if (named !== undefined) return named;
    }
    return [];
  };
  const toolsOf = async (event: StoredEvent, entry: AuditEntry): Promise<readonly string[]> => {
    const named = namedIn(event, entry);
    const id = idOf(event.data);
    if (id === undefined) return named ?? [];
    const tools = named ?? known.get(id) ?? (await find(event, id));
    known.set(id, tools);
    const [oldest] = known.keys();
    if (known.size > MAX_KNOWN_CALLS && oldest !== undefined) known.delete(oldest);
    return tools;
  };

  return async (event) => {
    const atMs = Date.parse(event.at);
    if (atMs < (filter.sinceMs ?? -Infinity) || atMs >= (filter.untilMs ?? Infinity)) return undefined;
    if (filter.type !== undefined && !isWithin(event.type, filter.type)) return undefined;
    const entry = projectAudit(event);
    const tools = await toolsOf(event, entry);
    const { tool } = filter;
    if (tool !== undefined && !tools.some((one) => isWithin(one, tool))) return undefined;
    return tools.length === 0 ? entry : { ...entry, toolPath: tools.join(", ") };
  };
}

function namedIn(event: StoredEvent, { toolPath }: AuditEntry): readonly string[] | undefined {
  return plannedTools(event.data) ?? (toolPath === undefined ? undefined : [toolPath]);
}

/** The tools of a plan, if the event lists its calls; otherwise undefined. */
function plannedTools(data: unknown): readonly string[] | undefined {
  const calls = field(data, "calls") ?? field(field(data, "input"), "calls");
  if (!Array.isArray(calls)) return undefined;
  const tools = calls.map((call) => field(call, "toolPath")).filter((path) => typeof path === "string");
  return tools.length === 0 ? undefined : [...new Set(tools)];
}

function idOf(data: unknown): string | undefined {
  const id = field(data, "callId") ?? field(data, "approvalId") ?? field(data, "planId");
  return typeof id === "string" ? id : undefined;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** True if a dotted name is the wanted one, or below it. */
function isWithin(name: string, wanted: string): boolean {
  const parent = wanted.replace(/\.\*$/, "");
  return name === parent || name.startsWith(`${parent}.`);
}
